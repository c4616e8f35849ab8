package dev.stowage.sim.trace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The beginning of a file, by which formats recognise it.
 *
 * @param name file name, lower case
 * @param lines the first complete lines of a text, from the names of its columns on where a title stands before them
 * @param before how many lines stand before these
 * @param columns fields of the first line, or the column names of a Parquet file
 */
record FileHead(String name, Kind kind, List<String> lines, int before, List<String> columns) {
    /** What a file is by its first bytes (after gunzip). */
    enum Kind {
        TEXT,
        PARQUET,
        SQLITE,
        /** Read whole: a workbook, JSON, or what a program prints for people. */
        DOCUMENT
    }

    /** Of that many lines some may be titles. */
    private static final int TITLES = 20;

    FileHead {
        name = name.toLowerCase(Locale.ROOT);
    }

    /** The beginning of a text. */
    static FileHead ofText(String name, List<String> lines) {
        int names = 0;
        boolean said = !lines.isEmpty() && Separator.said(lines.get(0)) != null;
        while (!said && names < Math.min(TITLES, lines.size()) && !namesColumns(lines.get(names))) {
            names++;
        }
        int before = !said && names < Math.min(TITLES, lines.size()) ? names : 0;
        List<String> rest = lines.subList(before, lines.size());
        List<String> columns = rest.isEmpty()
                ? List.of()
                : Stream.of(rest.get(0).split(",", -1))
                        .map(column -> column.replaceAll("^\"|\"$", ""))
                        .toList();
        return new FileHead(name, Kind.TEXT, rest, before, columns);
    }

    /** Whether a line names columns of a table of one's own. */
    private static boolean namesColumns(String line) {
        List<String> names = Separator.guess(List.of(line)).split(line);
        return names.size() > 1 && (OwnColumns.sufficeForMachines(names, List.of()) || OwnHosts.suffice(names));
    }

    /** Whether the first line (or schema) names all of these columns. */
    boolean names(String... wanted) {
        return columns.containsAll(List.of(wanted));
    }

    /**
     * Whether this is text without header with this number of comma-separated fields, of whose first rows most pass a
     * test (not all: a bad row must not hide the format), or a Parquet file with these columns.
     */
    boolean rowsLook(List<String> columnNames, Predicate<String[]> test) {
        if (kind != Kind.TEXT) {
            return kind == Kind.PARQUET && columns.containsAll(columnNames);
        }
        List<String[]> rows = lines.stream()
                .map(line -> line.split(",", -1))
                .filter(fields -> !Arrays.asList(fields).equals(columnNames))
                .toList();
        long passed = rows.stream()
                .filter(fields -> fields.length == columnNames.size() && test.test(fields))
                .count();
        return 2 * passed > rows.size();
    }

    static boolean isWhole(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
