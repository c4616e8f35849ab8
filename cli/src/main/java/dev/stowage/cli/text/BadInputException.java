package dev.stowage.cli.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;

/** The user's input cannot be used; the message says what, why, and what is allowed. Exit code 2. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadInputException(String message) {
        super(message);
    }

    public BadInputException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Work on input.
     *
     * @param <T> what it gives
     */
    public interface InputWork<T> {
        T done() throws IOException;
    }

    /**
     * What the work gives. If it refuses the input, or cannot read it, these words are said before the reason. A port
     * that is in use is no wrong input.
     */
    public static <T> T saying(String words, InputWork<T> work) {
        try {
            return work.done();
        } catch (BindException e) {
            throw new UncheckedIOException(words + e.getMessage(), e);
        } catch (IllegalArgumentException | IOException e) {
            throw new BadInputException(words + e.getMessage(), e);
        }
    }
}
