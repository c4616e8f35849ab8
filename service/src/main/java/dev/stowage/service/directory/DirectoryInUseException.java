package dev.stowage.service.directory;

import java.io.IOException;
import java.nio.file.Path;

/** Another process uses a data directory. */
public final class DirectoryInUseException extends IOException {
    private static final long serialVersionUID = 1;

    DirectoryInUseException(Path directory) {
        super("the data directory " + directory.toAbsolutePath()
                + " is in use by another process; end that one first, or choose another directory");
    }
}
