package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a column of a table of one's own.
 *
 * @param column its name
 * @param rows how many of the rows that count have each value
 */
public record RowGroups(String column, Map<String, Long> rows) {
    /**
     * Of a list of servers.
     *
     * @param said of its columns
     * @param column in any case; null for the first that says in which cluster, datacenter, ... a server is
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
                                format.mapper(reading),
                                column == null
                                        ? OwnHosts.in(reading.layout().columns())
                                                .getOrDefault(OwnHosts.GROUP, "Cluster")
                                        : column),
                        Counter::counted)
                .mapper()
                .groups();
    }

    /**
     * In which cluster, datacenter, ... each server is, by its name in lower case; empty where nothing says it.
     *
     * @param said of its columns
     */
    public static Map<String, String> ofEachServer(Path path, String said) {
        Map<String, String> groups = new HashMap<>();
        new TableReader<ServerFormat, RowMapper>(
                        ServerFormats.all(),
                        ReadOptions.defaults().withFormat(OwnFormat.KEY).withSetting(OwnFormat.COLUMNS, said),
                        Documents.Purpose.SERVERS)
                .read(
                        List.of(path),
                        (format, reading) -> {
                            List<String> header = reading.layout().columns();
                            Map<String, String> found = OwnHosts.in(header, OwnHosts.said(said, header));
                            int name = reading.column(found.getOrDefault("name", ""));
                            int group = reading.column(found.getOrDefault(OwnHosts.GROUP, ""));
                            return row -> groups.put(
                                    name < 0 ? "" : row.text(name).strip().toLowerCase(Locale.ROOT),
                                    group < 0 ? "" : row.text(group).strip());
                        },
                        mapper -> 1L);
        return groups;
    }

    /**
     * Of a list of requests.
     *
     * @param column in any case
     */
    public static RowGroups ofRequests(List<Path> paths, ReadOptions options, String column) {
        return new TableReader<TraceFormat, Counter>(
                        TraceFormats.all(), options.withFormat(OwnFormat.KEY), Documents.Purpose.REQUESTS)
                .read(
                        paths,
                        (format, reading) -> new Counter(paths.get(0), reading, format.mapper(reading), column),
                        Counter::counted)
                .mapper()
                .groups();
    }

    /**
     * The columns of a list of requests in which some row has one of some values, in any case.
     *
     * @param options for the list
     */
    public static List<String> columnsWith(List<Path> paths, ReadOptions options, Set<String> values) {
        Set<String> sought = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        sought.addAll(values);
        Set<String> columns = new LinkedHashSet<>();
        new TableReader<TraceFormat, RowMapper>(
                        TraceFormats.all(), options.withFormat(OwnFormat.KEY), Documents.Purpose.REQUESTS)
                .read(
                        paths,
                        (format, reading) -> {
                            List<String> header = reading.layout().columns();
                            return row -> header.stream()
                                    .filter(column -> sought.contains(
                                            row.text(reading.column(column)).strip()))
                                    .forEach(columns::add);
                        },
                        mapper -> 1L);
        return List.copyOf(columns);
    }

    /** Counts what the mapper of the format does not leave out. */
    private static final class Counter implements RowMapper {
        private final ReportBuilder report;
        private final RowMapper counted;
        private final String column;
        private final int place;
        private final Map<String, Long> rows = new TreeMap<>();

        Counter(Path path, Reading reading, RowMapper counted, String asked) {
            report = reading.report();
            this.counted = counted;
            List<String> header = reading.layout().columns();
            column = header.contains(asked)
                    ? asked
                    : header.stream()
                            .filter(asked::equalsIgnoreCase)
                            .findFirst()
                            .orElse(asked);
            place = reading.column(column);
            if (place < 0) {
                throw TraceException.of(
                        path,
                        "there is no column '" + column + "' that says in which cluster a row is"
                                + ColumnNames.near(column, header) + "; found: " + Spelling.choice(column, header));
            }
        }

        @Override
        public void map(Fields row) {
            long before = report.rowsAside();
            String group = row.text(place).strip();
            try {
                counted.map(row);
            } finally {
                // Of a bad row is said that it is bad.
                if (report.rowsAside() == before) {
                    rows.merge(group, 1L, Long::sum);
                }
            }
        }

        long counted() {
            return rows.values().stream().mapToLong(Long::longValue).sum();
        }

        RowGroups groups() {
            return new RowGroups(column, rows);
        }
    }
}
