package dev.stowage.cli;

import dev.stowage.cli.text.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/** Writes what help and {@code --version} print, for a launcher that starts no JVM for it. */
final class HelpPages {
    private HelpPages() {}

    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        Terminal terminal = new Terminal(true, true, 80, true, true);
        CommandLine all = StowageCommand.commandLine(terminal, "completion");
        every(directory.resolve("plain").toString(), Terminal.NONE, all, "");
        every(directory.resolve("terminal").toString(), terminal, all, "");
    }

    private static void every(String name, Terminal terminal, CommandLine command, String path) throws IOException {
        for (String asked : List.of("--help", path.isEmpty() ? "--version" : "--help-all")) {
            String[] words = (path + " " + asked).strip().split(" ");
            try (PrintWriter page =
                    new PrintWriter(Files.newBufferedWriter(Path.of(name + "_" + String.join("_", words))))) {
                StowageCommand.commandLine(terminal, words).setOut(page).execute(words);
            }
        }
        for (var its : command.getSubcommands().entrySet()) {
            every(name, terminal, its.getValue(), (path + " " + its.getKey()).strip());
        }
    }
}
