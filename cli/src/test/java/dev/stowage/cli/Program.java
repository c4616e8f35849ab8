package dev.stowage.cli;

import dev.stowage.cli.text.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** A run of the program in this JVM, with its exit code and output. */
public record Program(int code, String out, String err) {
    /** Runs a command as in a pipe. */
    public static Program run(String... arguments) {
        return on(Terminal.NONE, arguments);
    }

    /** On a terminal so wide that no cell of a table is broken. */
    public static Program wide(String... arguments) {
        return on(new Terminal(true, false, 1000, false, false), arguments);
    }

    public static Program on(Terminal terminal, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = StowageCommand.withoutHelpWord(arguments);
        CommandLine commandLine = StowageCommand.commandLine(terminal, words);
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        // A program normally has its own JVM, and may set the thread's class loader.
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        try {
            int code = commandLine.execute(words);
            // A message is read as one line, however it was broken.
            return new Program(code, out.toString(), err.toString().replace("\n    ", " "));
        } finally {
            thread.setContextClassLoader(loader);
        }
    }
}
