package dev.stowage.cli.serve;

import dev.stowage.cli.text.BadInputException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Directories of a service's data, closed to other users of the machine, because they show whose requests run where.
 * Without effect if files have no modes.
 */
final class PrivateFiles {
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final boolean MODES =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    /**
     * A directory, with those above it, for its owner alone (0700), unless it exists.
     *
     * @throws BadInputException if there can be none
     */
    static void create(Path directory) {
        Path there = directory.toAbsolutePath();
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there)) {
            Path given = directory.toAbsolutePath().equals(there) ? directory : directory.getParent();
            throw new BadInputException((given != null && given.toAbsolutePath().equals(there) ? given : there)
                    + " is a file; the service's data needs a directory (--data, or data in the configuration)");
        }
        try {
            if (MODES) {
                Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
            } else {
                Files.createDirectories(directory);
            }
        } catch (IOException e) {
            throw new BadInputException(
                    directory + ": no directory can be created in " + there
                            + (e instanceof AccessDeniedException ? ": no permission" : "")
                            + "; choose another for the service's data",
                    e);
        }
    }

    /** The same; if it exists, it and everything in it become accessible to the owner alone (0700, 0600). */
    static void keep(Path directory) throws IOException {
        create(directory);
        if (MODES) {
            Files.walkFileTree(directory, new Keeper());
        }
    }

    private static final class Keeper extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            set(directory, DIRECTORY);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (attributes.isRegularFile()) {
                set(file, FILE);
            }
            return FileVisitResult.CONTINUE;
        }

        private static void set(Path path, Set<PosixFilePermission> mode) throws IOException {
            try {
                if (!Files.getPosixFilePermissions(path).equals(mode)) {
                    Files.setPosixFilePermissions(path, mode);
                }
            } catch (NoSuchFileException e) {
                // Another process uses the directory, and has deleted a file of its log meanwhile.
            }
        }
    }
}
