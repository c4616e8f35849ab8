package dev.stowage.cli;

import picocli.CommandLine.Option;

/** The option every command has. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean asked;
}
