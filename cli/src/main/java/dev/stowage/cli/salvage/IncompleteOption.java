package dev.stowage.cli.salvage;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.service.directory.Salvage;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a state is taken from a directory that has not all that was applied. */
public final class IncompleteOption {
    @Option(
            names = "--incomplete",
            description = "Accept a directory that lacks applied entries. Reports what is missing, records it in the"
                    + " state's audit trail, and exits with 1.")
    private boolean incomplete;

    /** Refuses a state that has not all, unless that is wanted. */
    Salvage.Taken checked(Salvage.Taken taken, Path data) {
        if (taken.missing() != null && !incomplete) {
            throw new BadInputException(data + " lacks applied entries: " + taken.missing()
                    + ". 'stowage salvage inspect' says why; another node may have them. --incomplete continues without"
                    + " them");
        }
        return taken;
    }

    /** Tells what is missing. Returns the exit code. */
    static int tell(@Nullable String missing, Console console) {
        if (missing != null) {
            console.warn("WARNING: THIS IS INCOMPLETE: " + missing);
        }
        return missing == null ? 0 : Failures.FAILED;
    }
}
