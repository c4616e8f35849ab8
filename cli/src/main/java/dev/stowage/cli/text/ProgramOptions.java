package dev.stowage.cli.text;

/** What holds for every command: implemented by picocli's root, which so is known to no command. */
public interface ProgramOptions {
    /** What the standard streams are connected to. */
    Terminal terminal();

    /** When to write in colours. */
    ColourMode colour();
}
