package dev.stowage.cli.policies;

import dev.stowage.cli.text.QuietOption;
import picocli.CommandLine.Mixin;

/** A command that uses policies, takes long, and says how far it is. */
public abstract class LongCommand extends PolicyCommand {
    // Read by the console.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private QuietOption quiet = new QuietOption();
}
