package dev.stowage.cli.plan;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.sim.trace.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small CSV file with a header, whose errors name file, line and remedy. */
public final class NamedRows {
    /** Quotients and sums of such numbers stay far within the range of a double. */
    static final double LEAST = 1e-9;

    static final double MOST = 1e15;

    private final Path file;
    private final List<NamedCsvRecord> rows;

    private NamedRows(Path file, List<NamedCsvRecord> rows) {
        this.file = file;
        this.rows = rows;
    }

    /**
     * Reads a file.
     *
     * @param what each row is, for messages
     * @param otherwise what to say of a list of requests or servers without a required column; empty for nothing
     * @param needed required columns
     */
    public static NamedRows read(Path file, String what, String otherwise, String... needed) {
        if (!Files.isRegularFile(file)) {
            throw new BadInputException(
                    file + ": " + (Files.isDirectory(file) ? "is a directory" : "no such file") + "; give a CSV file");
        }
        List<NamedCsvRecord> rows;
        try (CsvReader<NamedCsvRecord> csv =
                CsvReader.builder().detectBomHeader(true).ofNamedCsvRecord(file)) {
            rows = csv.stream().toList();
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw new BadInputException(file + ": cannot be read as CSV: " + e.getMessage(), e);
        }
        if (rows.isEmpty()) {
            throw new BadInputException(file + ": no rows; it must have a header with " + String.join(", ", needed)
                    + " and a row per " + what);
        }
        NamedRows read = new NamedRows(file, rows);
        for (String column : needed) {
            read.require(column, otherwise);
        }
        for (NamedCsvRecord row : rows) {
            if (row.getFieldCount() != row.getHeader().size()) {
                throw new BadInputException(read.at(row) + row.getFieldCount() + " fields, and the header has "
                        + row.getHeader().size());
            }
        }
        return read;
    }

    private void require(String column, String otherwise) {
        List<String> header = rows.get(0).getHeader();
        if (!header.contains(column)) {
            boolean otherSeparator = header.size() == 1 && header.get(0).contains(";");
            throw new BadInputException(file + ": column " + column + " is missing; the columns are "
                    + String.join(", ", header) + (otherSeparator ? "; separate columns by commas" : "")
                    + Suggestion.of(column, header)
                    + (TraceReader.recognises(file) || ServerListReader.recognises(file) ? otherwise : ""));
        }
    }

    public Path file() {
        return file;
    }

    public int count() {
        return rows.size();
    }

    public NamedCsvRecord row(int i) {
        return rows.get(i);
    }

    public List<NamedCsvRecord> all() {
        return rows;
    }

    public boolean has(String column) {
        return rows.get(0).getHeader().contains(column);
    }

    /** {@code file, line 3: }. */
    public String at(NamedCsvRecord row) {
        return file + ", line " + row.getStartingLineNumber() + ": ";
    }

    /**
     * Refuses unknown columns.
     *
     * @param known all known columns
     * @param hint what else a column may be, for the message
     */
    public void refuseOthers(Collection<String> known, String hint) {
        for (String column : rows.get(0).getHeader()) {
            if (!known.contains(column)) {
                throw new BadInputException(
                        file + ": unknown column '" + column + "'; columns are " + hint + Suggestion.of(column, known));
            }
        }
    }

    /** The values of a column, which must all be different. */
    public List<String> names(String column) {
        Map<String, Long> seen = new LinkedHashMap<>();
        for (NamedCsvRecord row : rows) {
            Long before = seen.put(row.getField(column), row.getStartingLineNumber());
            if (before != null) {
                throw new BadInputException(
                        at(row) + column + " '" + row.getField(column) + "' is in line " + before + " too");
            }
        }
        return List.copyOf(seen.keySet());
    }

    /** A number from {@link #LEAST} to {@link #MOST}, or 0. */
    public double number(NamedCsvRecord row, String column) {
        return number(row, column, ", or 0");
    }

    /**
     * A number above 0.
     *
     * @param hint what to do instead of 0
     */
    double positive(NamedCsvRecord row, String column, String hint) {
        double value = number(row, column, "");
        if (value == 0) {
            throw new BadInputException(at(row) + column + " 0 must be above 0" + hint);
        }
        return value;
    }

    private double number(NamedCsvRecord row, String column, String orZero) {
        String text = row.findField(column).orElse("").strip();
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new BadInputException(at(row) + column + " '" + text + "' is not a number", e);
        }
        if (!(value >= 0) || value == Double.POSITIVE_INFINITY) {
            throw new BadInputException(at(row) + column + " " + text + " must be a number "
                    + (orZero.isEmpty() ? "above 0" : "of at least 0"));
        }
        if (value != 0 && (value < LEAST || value > MOST)) {
            throw new BadInputException(at(row) + column + " " + text + " must be from " + LEAST + " to " + MOST
                    + (value > MOST ? "" : orZero) + "; choose another unit");
        }
        return value;
    }
}
