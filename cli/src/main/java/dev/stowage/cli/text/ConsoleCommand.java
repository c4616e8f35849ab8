package dev.stowage.cli.text;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that writes to a {@link Console}; its help has the options in the order in which they are declared. */
@Command(sortOptions = false)
public abstract class ConsoleCommand {
    @Spec
    private CommandSpec spec;

    /** Where it writes. */
    protected final Console console() {
        return Console.of(spec);
    }

    /** Picocli's model of the command. */
    protected final CommandSpec spec() {
        return spec;
    }
}
