package dev.stowage.cli.text;

/** Options of the whole program. Picocli's root command implements them, so that no other command depends on it. */
public interface ProgramOptions {
    /** What the standard streams are connected to. */
    Terminal terminal();

    /** When to write in colours. */
    ColourMode colour();

    /** Carries out another command, as from a command line; returns its exit code. */
    int carryOut(String... arguments);
}
