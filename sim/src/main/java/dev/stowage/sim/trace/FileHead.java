package dev.stowage.sim.trace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The beginning of a file, by which formats recognise it.
 *
 * @param name file name, lower case
 * @param lines the first complete lines of a text
 * @param columns fields of the first line, or the column names of a Parquet file
 */
record FileHead(String name, FileKind kind, List<String> lines, List<String> columns) {
    FileHead {
        name = name.toLowerCase(Locale.ROOT);
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
        if (kind != FileKind.TEXT) {
            return kind == FileKind.PARQUET && columns.containsAll(columnNames);
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
