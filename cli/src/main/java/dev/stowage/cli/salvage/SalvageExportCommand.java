package dev.stowage.cli.salvage;

import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Export;
import dev.stowage.service.state.ServiceState;
import java.io.PrintWriter;
import java.nio.file.Path;
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
public final class SalvageExportCommand implements Runnable {
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

    @Override
    public void run() {
        Console console = Console.of(spec);
        PrintWriter out = console.out();
        String text = NodeDirectory.done(() -> {
            ServiceState state = NodeDirectory.of(data).state(new Policies(), until);
            Export.write(state, out);
            return NodeDirectory.text(state);
        });
        out.flush();
        console.note(text);
    }
}
