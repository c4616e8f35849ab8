package dev.stowage.sim.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of one or several CSV files (RFC 4180, UTF-8), one after the other. */
final class CsvRows implements Rows {
    private final List<Path> files;
    private final List<String> headerless;
    private final char separator;
    private final int before;
    private final Charset charset;
    private List<String> header = List.of();
    private int nextFile;
    private @Nullable CsvReader<CsvRecord> reader;
    private @Nullable Iterator<CsvRecord> records;
    private @Nullable CsvRecord current;

    /**
     * Rows of these files.
     *
     * @param headerless names of the columns; where empty, a line of the file has them
     * @param separator between the fields
     * @param before lines before the one with the names
     * @param charset of the text
     */
    CsvRows(List<Path> files, List<String> headerless, char separator, int before, Charset charset) {
        this.files = files;
        this.headerless = headerless;
        this.separator = separator;
        this.before = before;
        this.charset = charset;
        openNext();
    }

    /** How the file was read where that is not the usual way. */
    List<String> oddities() {
        List<String> odd = new ArrayList<>();
        if (before > 0) {
            odd.add("left out: lines before the names of the columns: " + before);
        }
        if (!charset.equals(StandardCharsets.UTF_8)) {
            odd.add("not UTF-8, so read as " + charset.name());
        }
        return odd;
    }

    /** What stands between the fields of these rows; a blank where nothing does. */
    static char separatorOf(Rows rows) {
        return rows instanceof CsvRows text ? text.separator : ' ';
    }

    private void openNext() {
        Path file = files.get(nextFile++);
        try {
            var decoder = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);
            reader = CsvReader.builder()
                    .fieldSeparator(separator)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .allowUnclosedQuote(false)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .ofCsvRecord(new InputStreamReader(SourceFiles.open(file), decoder));
        } catch (IOException e) {
            throw SourceFiles.explain(file, e);
        }
        current = null;
        records = reader.iterator();
        if (headerless.isEmpty()) {
            readHeader(file);
        }
    }

    private void readHeader(Path file) {
        // Spreadsheets write sep=; before the names.
        boolean more = advance();
        while (more
                && (record().getStartingLineNumber() <= before
                        || saysSeparator(record().getFields().get(0)))) {
            more = advance();
        }
        if (!more) {
            throw TraceException.of(file, "the file is empty; expected a line of column names");
        }
        List<String> names = List.copyOf(record().getFields());
        if (nextFile > 1 && !names.equals(header)) {
            throw TraceException.of(
                    file, "its columns " + names + " differ from those of " + files.get(0) + ": " + header);
        }
        header = names;
    }

    /** The mark itself is in the first field where that is in quotes. */
    private boolean saysSeparator(String first) {
        return Separator.said(first + separator) != null || Separator.said(first) != null;
    }

    @Override
    public List<String> header() {
        return header;
    }

    @Override
    public boolean next() {
        while (true) {
            if (advance()) {
                boolean repeatsNames = record().getStartingLineNumber() == 1
                        && record().getFields().equals(headerless);
                if (!repeatsNames) {
                    return true;
                }
            } else if (nextFile < files.size()) {
                close();
                openNext();
            } else {
                return false;
            }
        }
    }

    private boolean advance() {
        Path file = files.get(nextFile - 1);
        try {
            if (records == null || !records.hasNext()) {
                return false;
            }
            current = records.next();
            return true;
        } catch (UncheckedIOException e) {
            throw near(file, SourceFiles.explain(file, e));
        } catch (CsvParseException e) {
            if (e.getCause() instanceof IOException) {
                throw near(file, SourceFiles.explain(file, e));
            }
            throw near(file, TraceException.of(file, "not readable as CSV: " + e.getMessage(), e));
        }
    }

    private TraceException near(Path file, TraceException e) {
        String problem =
                String.valueOf(e.getMessage()).substring(file.toString().length() + 2);
        String after = current == null ? "at the first lines" : "after line " + current.getStartingLineNumber();
        return TraceException.of(file, after + ": " + problem, e);
    }

    private CsvRecord record() {
        if (current == null) {
            throw new IllegalStateException("no current row; call next() first");
        }
        return current;
    }

    @Override
    public int fieldCount() {
        return record().getFieldCount();
    }

    @Override
    public String field(int column) {
        return record().getField(column);
    }

    @Override
    public String file() {
        return files.get(nextFile - 1).toString();
    }

    @Override
    public long line() {
        return current == null ? 1 : current.getStartingLineNumber();
    }

    @Override
    public void close() {
        try {
            if (reader != null) {
                reader.close();
            }
        } catch (IOException e) {
            throw SourceFiles.explain(files.get(nextFile - 1), e);
        }
    }
}
