package dev.stowage.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes whole files: a reader sees the old content or the new, never a part. */
final class SafeFiles {

    private SafeFiles() {}

    /**
     * Creates or replaces the file.
     *
     * @throws UncheckedIOException if it cannot be written; then an existing file is unchanged
     */
    static void write(Path file, byte[] content) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.write(part, content);
            move(part, file);
        } catch (IOException e) {
            discard(part, e);
            throw new UncheckedIOException(
                    file + ": cannot be written: " + reason(e)
                            + "; the file was left as it was. Check the directory's permissions and the free space",
                    e);
        }
    }

    static void createDirectory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be created: " + reason(e), e);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void discard(Path part, IOException failure) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static String reason(IOException e) {
        String kind = e.getClass().getSimpleName().replace("Exception", "");
        String reason = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
        return reason == null ? kind : kind + ": " + reason;
    }
}
