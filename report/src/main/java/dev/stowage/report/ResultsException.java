package dev.stowage.report;

/** The results directory cannot be read: bad input. The message names the file, the line, what was found and a hint. */
public final class ResultsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ResultsException(String message) {
        super(message);
    }

    ResultsException(String message, Throwable cause) {
        super(message, cause);
    }
}
