package dev.stowage.sim.trace;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** A trace as rows of the canonical format; type, batch and id are columns only where the trace has them. */
final class CanonicalRows {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int NANO_DIGITS = 9;
    private static final long ANY_TIME = -1;
    private static final String DATABASE_MEMORY = "1GB";
    private static final Set<String> INTS =
            Set.of(CanonicalFormat.NODES, CanonicalFormat.MEMBERS, CanonicalFormat.PRIORITY);
    private static final Set<String> TIMES = Set.of(
            CanonicalFormat.ARRIVAL, CanonicalFormat.DURATION, CanonicalFormat.MAX_WAIT, CanonicalFormat.EXPECTED);
    private static final long NANOS_OF_18_DIGITS = 1_000_000_000_000_000_000L;

    private final Trace trace;
    private final boolean types;
    private final boolean constraints;
    private final boolean gangs;
    private final boolean priorities;
    private final boolean maxWaits;
    private final boolean batches;
    private final boolean ids;
    private final boolean expected;
    /** Greatest time, nanoseconds. */
    private final long longest;

    CanonicalRows(Trace trace) {
        this.trace = trace;
        this.constraints = trace.hasConstraints();
        this.gangs = trace.hasGangs();
        this.priorities = trace.hasPriorities();
        this.maxWaits = trace.hasMaxWaits();
        this.types = trace.hasOwnTypeNames();
        this.batches = trace.hasBatches();
        this.ids = trace.hasIds();
        this.expected = trace.hasExpected();
        long longest = trace.lastArrivalNanos();
        for (int i = 0; i < trace.size(); i++) {
            longest = Math.max(longest, Math.max(trace.durationNanos(i), trace.expectedNanos(i)));
        }
        for (int type = 0; type < trace.types().size(); type++) {
            longest = Math.max(longest, maxWait(type));
        }
        this.longest = longest;
    }

    private List<String> columns() {
        List<String> names = new ArrayList<>(List.of(CanonicalFormat.ARRIVAL, CanonicalFormat.DURATION));
        names.addAll(trace.resources());
        if (types) {
            names.add(CanonicalFormat.TYPE);
        }
        if (constraints) {
            names.addAll(List.of(CanonicalFormat.WHERE, CanonicalFormat.AVOID, CanonicalFormat.SPREAD));
        }
        if (gangs) {
            names.addAll(List.of(CanonicalFormat.NODES, CanonicalFormat.MEMBERS));
        }
        if (priorities) {
            names.add(CanonicalFormat.PRIORITY);
        }
        if (maxWaits) {
            names.add(CanonicalFormat.MAX_WAIT);
        }
        if (expected) {
            names.add(CanonicalFormat.EXPECTED);
        }
        if (batches) {
            names.add(CanonicalFormat.BATCH);
        }
        if (ids) {
            names.add(CanonicalFormat.ID);
        }
        return names;
    }

    void writeCsv(Path file, boolean gz) throws IOException {
        try (OutputStream raw = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES);
                OutputStream out = gz ? new GZIPOutputStream(raw, BUFFER_BYTES) : raw;
                CsvWriter csv =
                        CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, StandardCharsets.UTF_8)) {
            csv.writeRecord(columns());
            for (int i = 0; i < trace.size(); i++) {
                csv.writeRecord(fields(i));
            }
        }
    }

    private List<String> fields(int request) {
        List<String> fields = new ArrayList<>();
        fields.add(Seconds.text(trace.arrivalNanos(request)));
        fields.add(numberOrBlank(trace.durationNanos(request), Trace.UNKNOWN, true));
        for (int r = 0; r < trace.resources().size(); r++) {
            fields.add(Long.toString(trace.demand(request, r)));
        }
        if (types) {
            fields.add(orBlank(trace.ownTypeName(trace.type(request))));
        }
        fields.addAll(constraints(request));
        for (Integer number : traits(request)) {
            fields.add(number == null ? "" : number.toString());
        }
        if (maxWaits) {
            fields.add(numberOrBlank(maxWait(trace.type(request)), ANY_TIME, true));
        }
        if (expected) {
            fields.add(numberOrBlank(trace.expectedNanos(request), 0, true));
        }
        if (batches) {
            fields.add(numberOrBlank(trace.batch(request), Trace.NO_BATCH, false));
        }
        if (ids) {
            fields.add(orBlank(trace.id(request)));
        }
        return fields;
    }

    private long maxWait(int type) {
        MaxWait maxWait = trace.typeTraits(type).maxWait();
        return maxWait == null ? ANY_TIME : maxWait.meanNanos();
    }

    /** The fields of its constraints, where there are such columns. */
    private List<String> constraints(int request) {
        ConstraintWords words = trace.typeConstraints(trace.type(request));
        return constraints
                ? List.of(
                        String.join("; ", words.where()),
                        String.join("; ", words.avoid()),
                        String.join("; ", words.spread()))
                : List.of();
    }

    /** Servers, members that may share one, and priority, where there are such columns; null for blank. */
    private List<@Nullable Integer> traits(int request) {
        RequestTraits its = trace.typeTraits(trace.type(request));
        List<@Nullable Integer> numbers = new ArrayList<>();
        if (gangs) {
            numbers.add(its.distinctServers() ? (Integer) its.members() : null);
            numbers.add(its.isGang() && !its.distinctServers() ? (Integer) its.members() : null);
        }
        if (priorities) {
            numbers.add(its.priority());
        }
        return numbers;
    }

    private static String numberOrBlank(long value, long blank, boolean nanos) {
        return value == blank ? "" : nanos ? Seconds.text(value) : Long.toString(value);
    }

    private static String orBlank(@Nullable String text) {
        return text == null ? "" : text;
    }

    /**
     * Writes Parquet by way of a table of a database.
     *
     * @param database file of the database, which must not be there yet and stays; used if the trace is long, else the
     *     table is in memory
     */
    void writeParquet(Path file, Path database) throws SQLException {
        String columns = columns().stream()
                .map(name -> '"' + name.replace("\"", "\"\"") + "\" " + sqlType(name))
                .collect(Collectors.joining(", "));
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + (trace.isInFiles() ? database : ""));
                Statement statement = connection.createStatement()) {
            if (trace.isInFiles()) {
                statement.execute("SET memory_limit = '" + DATABASE_MEMORY + "'");
            }
            statement.execute("CREATE TABLE trace (" + columns + ")");
            try (DuckDBAppender table = ((DuckDBConnection) connection).createAppender("main", "trace")) {
                for (int i = 0; i < trace.size(); i++) {
                    append(i, table);
                }
            }
            statement.execute(
                    "COPY trace TO '" + file.toString().replace("'", "''") + "' (FORMAT parquet, COMPRESSION zstd)");
        }
    }

    private String sqlType(String column) {
        if (TIMES.contains(column)) {
            // Decimals of at most 18 digits are stored as integers of 64 bits, which are fast to read.
            return longest < NANOS_OF_18_DIGITS ? "DECIMAL(18, 9)" : "DECIMAL(19, 9)";
        }
        if (INTS.contains(column)) {
            return "INTEGER";
        }
        return trace.resources().contains(column) || column.equals(CanonicalFormat.BATCH) ? "BIGINT" : "VARCHAR";
    }

    private void append(int request, DuckDBAppender table) throws SQLException {
        long duration = trace.durationNanos(request);
        table.beginRow();
        table.append(BigDecimal.valueOf(trace.arrivalNanos(request), NANO_DIGITS));
        table.append(duration == Trace.UNKNOWN ? null : BigDecimal.valueOf(duration, NANO_DIGITS));
        for (int r = 0; r < trace.resources().size(); r++) {
            table.append(trace.demand(request, r));
        }
        if (types) {
            table.append(trace.ownTypeName(trace.type(request)));
        }
        for (String field : constraints(request)) {
            table.append(field.isEmpty() ? null : field);
        }
        for (Integer number : traits(request)) {
            table.append(number);
        }
        if (maxWaits) {
            long longestWait = maxWait(trace.type(request));
            table.append(longestWait == ANY_TIME ? null : BigDecimal.valueOf(longestWait, NANO_DIGITS));
        }
        if (expected) {
            long nanos = trace.expectedNanos(request);
            table.append(nanos == 0 ? null : BigDecimal.valueOf(nanos, NANO_DIGITS));
        }
        if (batches) {
            table.append(trace.batch(request) == Trace.NO_BATCH ? null : (Long) trace.batch(request));
        }
        if (ids) {
            table.append(trace.id(request));
        }
        table.endRow();
    }
}
