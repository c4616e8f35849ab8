package dev.stowage.cli;

import dev.stowage.cli.text.Terminal;
import java.io.File;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes a page in AsciiDoc for each command, to make manual pages of. In this package to see the commands. */
final class ManPages {
    private ManPages() {}

    public static void main(String[] args) throws IOException {
        // As for completion: with all commands and their options.
        CommandSpec program =
                StowageCommand.commandLine(Terminal.detect(), "completion").getCommandSpec();
        File directory = new File(args[0]);
        int code = ManPageGenerator.generateManPage(directory, null, new boolean[0], false, program);
        if (code != 0) {
            throw new IOException("the manual pages were not written to " + directory);
        }
    }
}
