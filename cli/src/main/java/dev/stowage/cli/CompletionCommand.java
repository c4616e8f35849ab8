package dev.stowage.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
        bash,
        zsh
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell;

    @Override
    public void run() {
        spec.commandLine().getOut().print(AutoComplete.bash("stowage", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
    }
}
