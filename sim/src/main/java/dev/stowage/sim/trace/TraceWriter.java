package dev.stowage.sim.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;

/**
 * Writes traces in the canonical format: {@code .csv}, {@code .csv.gz} or {@code .parquet} by the file name. The file
 * appears complete or not at all: it is written beside its place under the name {@code <name>.partial} and then
 * renamed. Arrivals and durations are exact to the nanosecond.
 */
public final class TraceWriter {
    private static final String CSV = ".csv";
    private static final String CSV_GZ = ".csv.gz";
    private static final String PARQUET = ".parquet";

    private TraceWriter() {}

    /** Writes a trace; an existing file is replaced. */
    public static void write(Trace trace, Path file) {
        String name = String.valueOf(file.getFileName());
        boolean parquet = name.endsWith(PARQUET);
        boolean gz = name.endsWith(CSV_GZ);
        if (!parquet && !gz && !name.endsWith(CSV)) {
            throw TraceException.of(file, "traces are written as " + CSV + ", " + CSV_GZ + " or " + PARQUET);
        }
        Path partial = file.resolveSibling(name + ".partial");
        Path database = file.resolveSibling(name + ".partial.db");
        try {
            CanonicalRows rows = new CanonicalRows(trace);
            if (parquet) {
                Files.newOutputStream(partial).close();
                rows.writeParquet(partial, database);
            } else {
                rows.writeCsv(partial, gz);
            }
            Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | UncheckedIOException | SQLException e) {
            throw TraceException.of(file, "cannot be written: " + meaning(e), e);
        } finally {
            deleteQuietly(partial);
            deleteQuietly(database);
            deleteQuietly(database.resolveSibling(database.getFileName() + ".wal"));
        }
    }

    private static String meaning(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "its directory does not exist; make it first";
        }
        if (e instanceof AccessDeniedException) {
            return "no permission; choose another directory";
        }
        return e.getMessage() + "; check the space on the device and the permissions of the directory";
    }

    private static void deleteQuietly(Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            partial.toFile().deleteOnExit();
        }
    }
}
