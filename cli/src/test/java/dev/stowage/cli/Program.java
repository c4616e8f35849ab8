package dev.stowage.cli;

import dev.stowage.cli.text.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The program, run in this JVM, and what came of it. */
public record Program(int code, String out, String err) {
    /** Runs a command as in a pipe. */
    public static Program run(String... arguments) {
        return on(Terminal.NONE, arguments);
    }

    public static Program on(Terminal terminal, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = StowageCommand.commandLine(terminal, arguments);
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        // A program has its JVM for itself, and may say where classes are looked for.
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        try {
            int code = commandLine.execute(arguments);
            return new Program(code, out.toString(), err.toString());
        } finally {
            thread.setContextClassLoader(loader);
        }
    }
}
