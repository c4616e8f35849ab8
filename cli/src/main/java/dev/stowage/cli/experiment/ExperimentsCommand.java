package dev.stowage.cli.experiment;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.PluginOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage experiments}: lists the experiments. */
@Command(
        name = "experiments",
        description = "List experiments with their labels: the built-in ones, or those of a folder.",
        footer = {
            "",
            "Examples:",
            "  stowage experiments --label quick",
            "  stowage run --label quick           runs what this lists"
        })
public final class ExperimentsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(arity = "0..1", paramLabel = "FOLDER", description = "A folder with YAML files, and the folders in it.")
    private @Nullable String folder;

    @Option(names = "--label", paramLabel = "LABEL", description = "Only those with this label.")
    private @Nullable String label;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    @Override
    public void run() {
        new ExperimentList(Console.of(spec)).show(folder, label, format);
    }
}
