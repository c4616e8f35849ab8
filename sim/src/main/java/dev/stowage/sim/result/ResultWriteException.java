package dev.stowage.sim.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Results could not be written. The message says where, why, and how many rows are safe. */
public final class ResultWriteException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    ResultWriteException(Path file, long rows, IOException cause) {
        super(
                file + ": " + cause.getMessage() + "; " + rows + (rows == 1 ? " row is" : " rows are")
                        + " complete and stay valid; check that the disk has room and the directory is writable",
                cause);
    }
}
