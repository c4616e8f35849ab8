package dev.stowage.cli;

import dev.stowage.cli.text.ConsoleCommand;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code stowage completion}: a script that completes commands and options in the shell. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options in bash, zsh or fish.",
        footer = {
            "",
            "Examples:",
            "  source <(stowage completion bash)      now, in this shell",
            "  stowage completion zsh >> ~/.zshrc     always",
            "  stowage completion fish > ~/.config/fish/completions/stowage.fish"
        })
final class CompletionCommand extends ConsoleCommand implements Runnable {
    /** The shells; one script serves bash and zsh. */
    enum Shell {
        BASH,
        ZSH,
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** With this line picocli offers no files if it knows no words; but the argument may be a file. */
    private static final String NO_FILES = "  type compopt &>/dev/null && compopt +o default\n";

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell;

    @Override
    public void run() {
        CommandLine root = spec().root().commandLine();
        PrintWriter out = spec().commandLine().getOut();
        out.println("# Completion for stowage, to be sourced by " + shell + ".");
        out.print(
                shell == Shell.FISH
                        ? FishCompletion.of("stowage", root)
                        : AutoComplete.bash("stowage", root).replace(NO_FILES, ""));
    }
}
