package dev.stowage.cli.salvage;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ConsoleCommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage salvage skip}: skips an entry that cannot be applied. */
@Command(
        name = "skip",
        description = "Skip an entry of the log, recording in the audit trail who did it and why. Do this on every node"
                + " of the group, with the same operator and reason, before you start any of them.",
        footer = {
            "",
            "Example:",
            "  stowage salvage skip stowage-data/n1 --entry 4711 --operator olga --why \"the policy fails at it\""
        })
public final class SalvageSkipCommand extends ConsoleCommand implements Runnable {
    @Parameters(paramLabel = "DATA", description = "The data directory of a node that is not running.")
    private Path data = Path.of("");

    @Option(
            names = "--entry",
            required = true,
            paramLabel = "N",
            description = "The entry's log position, as 'inspect' shows it.")
    private long entry;

    @Option(names = "--operator", required = true, paramLabel = "NAME", description = "Your name, for the audit trail.")
    private String operator = "";

    @Option(names = "--why", required = true, paramLabel = "TEXT", description = "The reason, for the audit trail.")
    private String why = "";

    @Override
    public void run() {
        if (operator.isBlank() || why.isBlank()) {
            throw new BadInputException("--operator and --why are for the audit trail and must not be empty");
        }
        String what = NodeDirectory.done(() -> NodeDirectory.of(data).skip(entry, operator, why));
        console().note("skipped the entry at log position " + entry + ", which was: " + what);
    }
}
