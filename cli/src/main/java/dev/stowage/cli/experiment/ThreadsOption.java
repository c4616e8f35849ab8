package dev.stowage.cli.experiment;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many runs are made at a time. */
public final class ThreadsOption {
    @Rare
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of runs at a time (default: one per processor). Results do not depend on it.")
    private @Nullable Integer threads;

    /** Whether a number was given. */
    public boolean given() {
        return threads != null;
    }

    /** At least 1. */
    public int threads() {
        int number = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        if (number < 1) {
            throw new BadInputException("--threads " + number + " must be at least 1");
        }
        return number;
    }
}
