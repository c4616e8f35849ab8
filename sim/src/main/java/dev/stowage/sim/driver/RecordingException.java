package dev.stowage.sim.driver;

/** A recording cannot be read; the message has the file and the line. */
public final class RecordingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RecordingException(String message) {
        super(message);
    }
}
