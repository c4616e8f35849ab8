package dev.stowage.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program. Exit codes: 0 ok, 1 the run failed, 2 bad usage or bad input.
 */
@Command(
        name = "stowage",
        description = "Decides where VMs and jobs run, and shows what each policy would do with your workload.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {VersionCommand.class})
public final class StowageCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    private StowageCommand() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new StowageCommand());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say which command to run.");
    }
}
