package dev.stowage.cli;

import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage completion}: a script that completes commands and options in the shell. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options in bash or zsh.",
        footer = {
            "",
            "Examples:",
            "  source <(stowage completion bash)      now, in this shell",
            "  stowage completion zsh >> ~/.zshrc     always"
        })
final class CompletionCommand implements Runnable {
    /** The shells; one script serves both. */
    enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell;

    @Override
    public void run() {
        spec.commandLine().getOut().println("# Completion for stowage, to be sourced by " + shell + ".");
        spec.commandLine()
                .getOut()
                .print(AutoComplete.bash("stowage", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
    }
}
