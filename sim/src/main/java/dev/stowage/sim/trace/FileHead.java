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

    /** Whether this is text without header of so many comma-separated fields, of which the first rows pass a test. */
    boolean rowsLook(List<String> namesInHeader, Predicate<String[]> test) {
        if (kind == FileKind.PARQUET) {
            return columns.containsAll(namesInHeader);
        }
        List<String[]> rows = lines.stream()
                .filter(line -> !line.isBlank())
                .map(line -> line.split(",", -1))
                .filter(fields -> !Arrays.asList(fields).equals(namesInHeader))
                .toList();
        return kind == FileKind.TEXT
                && !rows.isEmpty()
                && rows.stream().allMatch(fields -> fields.length == namesInHeader.size() && test.test(fields));
    }

    static boolean isWhole(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
