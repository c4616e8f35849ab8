package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a column of a table of one's own.
 *
 * @param column its name
 * @param rows how many rows have each value
 */
public record RowGroups(String column, Map<String, Long> rows) {
    /**
     * Of a list of servers.
     *
     * @param said of its columns
     * @param column null for the first that says in which cluster, datacenter, ... a server is
     * @throws TraceException if it has no such column
     */
    public static RowGroups ofServers(Path path, String said, @Nullable String column) {
        ReadOptions options = ReadOptions.defaults().withFormat(OwnFormat.KEY).withSetting(OwnFormat.COLUMNS, said);
        return new TableReader<ServerFormat, Counter>(ServerFormats.all(), options, Documents.Purpose.SERVERS)
                .read(
                        List.of(path),
                        (format, reading) -> new Counter(
                                path,
                                reading,
                                column == null
                                        ? OwnHosts.in(reading.layout().columns())
                                                .getOrDefault(OwnHosts.GROUP, "Cluster")
                                        : column),
                        Counter::counted)
                .mapper()
                .groups();
    }

    /** Of a list of requests. */
    public static RowGroups ofRequests(List<Path> paths, ReadOptions options, String column) {
        return new TableReader<TraceFormat, Counter>(
                        TraceFormats.all(), options.withFormat(OwnFormat.KEY), Documents.Purpose.REQUESTS)
                .read(paths, (format, reading) -> new Counter(paths.get(0), reading, column), Counter::counted)
                .mapper()
                .groups();
    }

    /**
     * Which rows of a table of one's own are read: those with a value in a column, as the meaning {@code only} says.
     *
     * @param column its place; -1 if all rows are read
     * @param name of the column
     * @param value what it must have; empty where it must have nothing
     * @param others by what other rows have there, how many they are
     */
    record Choice(int column, String name, String value, Map<String, Long> others) {
        /** The meaning of a column by which rows are chosen. */
        static final String ONLY = "only";

        private static final int FIRST = 20;

        /** Of a table with these columns, as the user says them. */
        static Choice of(Map<String, OwnColumns.Column> said, Layout layout) {
            OwnColumns.Column only = said.get(ONLY);
            return only == null || only.name().isEmpty()
                    ? new Choice(-1, "", "", Map.of())
                    : new Choice(layout.column(only.name()), only.name(), only.unit(), new TreeMap<>());
        }

        /** Whether the present row is read. */
        boolean has(Rows rows) {
            String its = column < 0 || column >= rows.fieldCount()
                    ? ""
                    : rows.field(column).strip();
            boolean has = column < 0 || its.equals(value);
            if (!has) {
                others.merge(its, 1L, Long::sum);
            }
            return has;
        }

        /** {@code only prod in Cluster}. */
        static String words(OwnColumns.Column column) {
            return ONLY + " " + (column.unit().isEmpty() ? "nothing" : column.unit()) + " in " + column.name();
        }

        /** Why no row is left; empty if all were to be read. */
        String whyNone() {
            return column < 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "no row has '%s' in %s; there are: %s",
                            value,
                            name,
                            String.join(
                                    ", ", others.keySet().stream().limit(FIRST).toList()));
        }
    }

    private static final class Counter implements RowMapper {
        private final String column;
        private final int place;
        private final Map<String, Long> rows = new TreeMap<>();

        Counter(Path path, Reading reading, String column) {
            this.column = column;
            place = reading.column(column);
            if (place < 0) {
                throw TraceException.of(
                        path,
                        "there is no column '" + column + "' that says in which cluster a row is; found: "
                                + Spelling.choice(column, reading.layout().columns()));
            }
        }

        @Override
        public void map(Fields row) {
            rows.merge(row.text(place).strip(), 1L, Long::sum);
        }

        long counted() {
            return rows.values().stream().mapToLong(Long::longValue).sum();
        }

        RowGroups groups() {
            return new RowGroups(column, rows);
        }
    }
}
