package dev.stowage.sim.trace;

import java.nio.file.Path;

/**
 * A trace or server list that cannot be read, transformed or written. The message is for the user: it names the file
 * (and line where there is one), the value, what is allowed, and what to do. Bad input, not a bug: exit code 2.
 */
public class TraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TraceException(String message) {
        super(message);
    }

    public TraceException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same where a file is not there. */
    public static final class Missing extends TraceException {
        private static final long serialVersionUID = 1L;

        Missing(Path file, Throwable cause) {
            super(file + ": " + MissingFile.why(file), cause);
        }
    }

    static TraceException of(Path file, String problem) {
        return new TraceException(file + ": " + problem);
    }

    static TraceException of(Path file, String problem, Throwable cause) {
        return new TraceException(file + ": " + problem, cause);
    }
}
