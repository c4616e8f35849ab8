package dev.stowage.cli.serve;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** The command that starts this program in another process. */
final class OwnCommand {
    private OwnCommand() {}

    /**
     * The same Java runtime with the same classes.
     *
     * @param options of the JVM
     * @param program the class whose main method is this program
     */
    static List<String> with(List<String> options, Class<?> program) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(options);
        String path = System.getProperty("java.class.path");
        command.addAll(
                path.endsWith(".jar") && path.indexOf(File.pathSeparatorChar) < 0
                        ? List.of("-jar", path)
                        : List.of("-cp", path, program.getName()));
        return command;
    }
}
