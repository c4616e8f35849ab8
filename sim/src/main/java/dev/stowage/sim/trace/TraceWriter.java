package dev.stowage.sim.trace;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * Writes traces in the canonical format: {@code .csv}, {@code .csv.gz} or {@code .parquet} by the file name. The file
 * appears complete or not at all: it is written beside its place under the name {@code <name>.partial} and then renamed.
 * Arrivals and durations are exact to the nanosecond.
 */
public final class TraceWriter {
    private static final String CSV = ".csv";
    private static final String CSV_GZ = ".csv.gz";
    private static final String PARQUET = ".parquet";
    private static final int BUFFER_BYTES = 1 << 16;

    private TraceWriter() {}

    /** Writes a trace; an existing file is replaced. */
    public static void write(Trace trace, Path file) {
        String name = String.valueOf(file.getFileName());
        Path partial = file.resolveSibling(name + ".partial");
        try {
            if (name.endsWith(PARQUET)) {
                writeParquet(trace, partial);
            } else if (name.endsWith(CSV) || name.endsWith(CSV_GZ)) {
                writeCsv(trace, partial, name.endsWith(CSV_GZ));
            } else {
                throw TraceException.of(file, "traces are written as " + CSV + ", " + CSV_GZ + " or " + PARQUET);
            }
            Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | UncheckedIOException | SQLException e) {
            throw TraceException.of(file, "cannot be written: " + meaning(e), e);
        } finally {
            deleteQuietly(partial);
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

    private static void writeCsv(Trace trace, Path file, boolean gz) throws IOException {
        try (OutputStream raw = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES);
                OutputStream out = gz ? new GZIPOutputStream(raw, BUFFER_BYTES) : raw;
                CsvWriter csv =
                        CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, StandardCharsets.UTF_8)) {
            Columns columns = new Columns(trace);
            csv.writeRecord(columns.names());
            for (int i = 0; i < trace.size(); i++) {
                csv.writeRecord(columns.values(i));
            }
        }
    }

    /** Which columns a trace needs, and their values. */
    private record Columns(Trace trace, boolean types, boolean batches, boolean ids) {
        Columns(Trace trace) {
            this(trace, trace.hasOwnTypeNames(), trace.hasBatches(), trace.hasIds());
        }

        List<String> names() {
            List<String> names = new ArrayList<>(List.of(CanonicalFormat.ARRIVAL, CanonicalFormat.DURATION));
            names.addAll(trace.resources());
            addOptional(names, CanonicalFormat.TYPE, CanonicalFormat.BATCH, CanonicalFormat.ID);
            return names;
        }

        List<String> values(int request) {
            List<String> values = new ArrayList<>();
            long duration = trace.durationNanos(request);
            values.add(Seconds.text(trace.arrivalNanos(request)));
            values.add(duration == Trace.UNKNOWN ? "" : Seconds.text(duration));
            for (int r = 0; r < trace.resources().size(); r++) {
                values.add(Long.toString(trace.demand(request, r)));
            }
            String type = trace.ownTypeName(trace.type(request));
            String id = trace.id(request);
            long batch = trace.batch(request);
            addOptional(
                    values,
                    type == null ? "" : type,
                    batch == Trace.NO_BATCH ? "" : Long.toString(batch),
                    id == null ? "" : id);
            return values;
        }

        private void addOptional(List<String> to, String type, String batch, String id) {
            if (types) {
                to.add(type);
            }
            if (batches) {
                to.add(batch);
            }
            if (ids) {
                to.add(id);
            }
        }
    }

    /** DuckDB makes the Parquet file from the CSV form, with types given, so both hold the same numbers. */
    private static void writeParquet(Trace trace, Path file) throws IOException, SQLException {
        Path csv = file.resolveSibling(file.getFileName() + CSV);
        try {
            writeCsv(trace, csv, false);
            String columns = new Columns(trace)
                    .names().stream()
                            .map(name -> quoted(name) + ": '" + sqlType(name, trace) + "'")
                            .collect(Collectors.joining(", ", "{", "}"));
            try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "COPY (SELECT * FROM read_csv(" + quoted(csv.toString()) + ", header = true, delim = ',',"
                                + " quote = '\"', escape = '\"', auto_detect = false, columns = " + columns + ")) TO "
                                + quoted(file.toString()) + " (FORMAT parquet, COMPRESSION zstd)");
            }
        } finally {
            deleteQuietly(csv);
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String sqlType(String column, Trace trace) {
        if (column.equals(CanonicalFormat.ARRIVAL) || column.equals(CanonicalFormat.DURATION)) {
            return "DECIMAL(19, 9)";
        }
        return trace.resources().contains(column) || column.equals(CanonicalFormat.BATCH) ? "BIGINT" : "VARCHAR";
    }
}
