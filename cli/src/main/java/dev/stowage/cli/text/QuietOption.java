package dev.stowage.cli.text;

import dev.stowage.cli.text.ProgramOptions.Rare;
import picocli.CommandLine.Option;

/** The option of commands that say on standard error how far they are; {@link Console} asks for it by its name. */
public final class QuietOption {
    static final String NAME = "--quiet";

    @Rare
    // Read by Console.of.
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-q", NAME},
            description = "No progress and no notes, only warnings and errors.")
    private boolean quiet;
}
