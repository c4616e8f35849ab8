package dev.stowage.cli.salvage;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.Export;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage salvage export}: all requests and servers as JSON. */
@Command(
        name = "export",
        description =
                "Write the whole state (service, engine, servers, quotas, requests, answers, audit trail) as JSON,"
                        + " an object a line, as far as it can be made. The directory may be that of a running node, or a"
                        + " damaged one. 'stowage salvage import' makes the same state of it.",
        footer = {"", "Example:", "  stowage salvage export stowage-data/n1 > n1.jsonl"})
public final class SalvageExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(paramLabel = "DATA", description = "The data directory of a node, or one with one node in it.")
    private Path data = Path.of("");

    @Option(
            names = "--until",
            paramLabel = "ENTRY",
            description = "The state after an earlier entry" + " (default: the last one).")
    private long until = Long.MAX_VALUE;

    @Mixin
    private IncompleteOption incomplete = new IncompleteOption();

    @Override
    public Integer call() {
        Console console = Console.of(spec);
        PrintWriter out = console.out();
        Salvage.Taken taken = NodeDirectory.done(() -> {
            Salvage.Taken state = incomplete.checked(NodeDirectory.of(data).taken(new Policies(), until), data);
            Export.write(state.state(), out);
            return state;
        });
        out.flush();
        console.note(NodeDirectory.text(taken.state()));
        return IncompleteOption.tell(taken.missing(), console);
    }
}
