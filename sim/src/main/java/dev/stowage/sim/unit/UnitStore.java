package dev.stowage.sim.unit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The units of one experiment in a directory, a file each. A unit is either complete or absent: it is written under
 * another name, and renamed. Several processes may write to one directory. Thread-safe.
 */
public final class UnitStore {
    /** Name of the directory of units in a directory of results. */
    public static final String DIRECTORY = "units";

    static final String ENDING = ".unit";

    private final Path directory;
    private final List<UnitStamp> stamps;
    private final UnitHeader.Dealing dealing;
    private final boolean synced;

    /**
     * The store of an experiment's units; nothing is made before the first is written.
     *
     * @param results directory of results, in which there is one of units
     * @param stamps what units belong to, by point
     * @param dealing how the runs of the written units were started
     * @param synced whether a unit is synced to the disk before it counts as written; without it units survive the
     *     death of a process, but not of the machine
     */
    public UnitStore(Path results, List<UnitStamp> stamps, UnitHeader.Dealing dealing, boolean synced) {
        this.directory = results.resolve(DIRECTORY);
        this.stamps = List.copyOf(stamps);
        this.dealing = dealing;
        this.synced = synced;
    }

    /** The files of all units below a directory of results, in order of their names. */
    public static List<Path> files(Path results) {
        Path directory = results.resolve(DIRECTORY);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Creates the directory, which shows that the experiment has been started. */
    public void begin() {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be created: " + e, e);
        }
    }

    /** Where the unit is, or will be. */
    public Path file(UnitKey key) {
        return directory.resolve(key.fileName());
    }

    /**
     * Whether a complete unit exists.
     *
     * @param notes receives a note if the unit is damaged, which counts as missing
     * @throws UnitException if it belongs to another experiment, version or trace
     */
    public boolean holds(UnitKey key, Consumer<String> notes) {
        Path file = file(key);
        if (!Files.exists(file)) {
            return false;
        }
        try {
            check(key, file.toString(), UnitCodec.header(file.toString(), bytes(file)));
            return true;
        } catch (DamagedUnitException e) {
            notes.accept(e.getMessage() + "; its run is repeated");
            return false;
        }
    }

    /** @throws UnitException if the header is not that of this unit of this experiment */
    void check(UnitKey key, String name, UnitHeader header) {
        String difference = stamps.get(key.point()).differenceTo(header.stamp());
        if (!difference.isEmpty()) {
            throw new UnitException(name + ": is a unit " + difference
                    + ". All units of one result come from one experiment, one version and the same files: remove it,"
                    + " or start over (--overwrite, or another directory)");
        }
        if (!header.key().equals(key)) {
            throw new UnitException(name + ": is the unit of " + header.key() + "; do not rename files of units");
        }
    }

    /**
     * Reads a unit.
     *
     * @throws UnitException if it is missing, damaged or belongs to something else
     */
    public FinishedRun read(UnitKey key) {
        Path file = file(key);
        byte[] bytes = bytes(file);
        check(key, file.toString(), UnitCodec.header(file.toString(), bytes));
        return UnitCodec.decode(file.toString(), bytes);
    }

    /**
     * Writes a unit that was run on another machine.
     *
     * @param place where it was run, for messages
     * @throws UnitException if it is damaged, or that machine has other files, or another version
     */
    public void accept(UnitKey key, byte[] unit, String place) {
        UnitHeader header = UnitCodec.header(place, unit);
        String difference = stamps.get(key.point()).differenceTo(header.stamp());
        if (!difference.isEmpty() || !header.key().equals(key)) {
            throw new UnitException(place + ": ran a unit "
                    + (difference.isEmpty() ? "that was not asked for: " + header.key() : difference)
                    + ". Every machine must have the same files under the same names");
        }
        write(key, unit);
    }

    /** The bytes of a unit of this experiment. */
    public byte[] encode(UnitKey key, FinishedRun run) {
        return UnitCodec.encode(new UnitHeader(stamps.get(key.point()), key, dealing), run);
    }

    /**
     * Writes a unit, in place of a damaged one if there is one.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public void write(UnitKey key, byte[] unit) {
        Path file = file(key);
        String part = file.getFileName() + "." + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".part";
        try {
            Files.createDirectories(file.getParent());
            Path written = file.resolveSibling(part);
            try (FileChannel channel =
                    FileChannel.open(written, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(unit);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                if (synced) {
                    channel.force(true);
                }
            }
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": the unit cannot be written: " + e, e);
        }
    }

    static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new UnitException(file + ": the unit is missing", e);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": the unit cannot be read: " + e.getMessage(), e);
        }
    }
}
