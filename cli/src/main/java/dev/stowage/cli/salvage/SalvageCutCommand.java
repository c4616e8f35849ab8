package dev.stowage.cli.salvage;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.PluginOptions;
import dev.stowage.policies.Policies;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage salvage cut}: removes the end of a log. */
@Command(
        name = "cut",
        description = "Cut off the log after an entry. This node loses what it acknowledged after that: for a node"
                + " alone, or if no node of the group has more.",
        sortOptions = false,
        footer = {"", "Example:", "  stowage salvage cut stowage-data/n1 --operator olga"})
public final class SalvageCutCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    // Used by picocli.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Parameters(paramLabel = "DATA", description = "The data directory of a node that does not run.")
    private Path data = Path.of("");

    @Option(
            names = "--after",
            paramLabel = "N",
            description = "The last entry that stays (default: the" + " last good one).")
    private long after = -1;

    @Option(names = "--operator", required = true, paramLabel = "NAME", description = "Who does it.")
    private String operator = "";

    @Override
    public void run() {
        if (operator.isBlank()) {
            throw new BadInputException("--operator must not be empty");
        }
        long last = after >= 0
                ? after
                : NodeDirectory.done(
                        () -> NodeDirectory.of(data).inspect(new Policies()).good());
        List<String> moved = NodeDirectory.done(() -> NodeDirectory.of(data).cut(last, operator));
        Console.of(spec).note("cut after entry " + last + "; kept aside: " + (moved.isEmpty() ? "nothing" : moved));
    }
}
