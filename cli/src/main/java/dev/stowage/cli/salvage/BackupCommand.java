package dev.stowage.cli.salvage;

import dev.stowage.cli.policies.PolicyCommand;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.directory.Salvage;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage backup}: the state of a service in a file. */
@Command(
        name = "backup",
        description = "Write the whole state of a service, as one of its nodes has applied it, to one file with a"
                + " checksum. The node may be running; its directory is not changed.",
        abbreviateSynopsis = true,
        footer = {"", "Example:", "  stowage backup stowage-data monday.stowage"})
public final class BackupCommand extends PolicyCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "DATA",
            description = "The data directory of a node, or a directory that contains exactly one.")
    private Path data = Path.of("");

    @Parameters(index = "1", paramLabel = "FILE", description = "The file to write; it must not exist.")
    private Path file;

    @Mixin
    private IncompleteOption incomplete = new IncompleteOption();

    @Override
    public Integer call() {
        Console console = console();
        Salvage.Taken taken = StatusLine.during(
                console,
                "stowage: reading " + data,
                () -> NodeDirectory.done(() -> {
                    Salvage.Taken state =
                            incomplete.checked(NodeDirectory.of(data).applied(new Policies()), data);
                    Backup.write(state.state(), file);
                    return state;
                }));
        console.note("written to " + file + ": " + NodeDirectory.text(taken.state()));
        return IncompleteOption.tell(taken.missing(), console);
    }
}
