package dev.stowage.cli;

import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.Version;
import picocli.CommandLine.Command;

/** {@code stowage version}: this build, the JVM it runs on, the system. */
@Command(name = "version", description = "Show the version of Stowage, of the JVM and of the system.")
final class VersionCommand extends ConsoleCommand implements Runnable {
    @Override
    public void run() {
        for (String line : new Version().getVersion()) {
            spec().commandLine().getOut().println(line);
        }
    }
}
