package dev.stowage.sim.trace;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.stowage.sim.result.Remark;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
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
    private @Nullable CsvReader<Row> reader;
    private @Nullable Iterator<Row> rows;
    private Row current = new Row();
    /** Where the current row begins; 0 before the first of a file. */
    private long line;

    /** The characters of one row; a text is made of a field only where somebody asks for one. */
    private static final class Row extends AbstractBaseCsvCallbackHandler<Row> {
        private static final int MOST_CHARACTERS = 1 << 26;

        private final DecimalParser numbers = new DecimalParser();
        private char[] text = new char[256];
        /** Where each field ends; the next begins there. */
        private int[] ends = new int[16];

        private int fields;

        @Override
        protected void handleBegin(long startingLineNumber) {
            fields = 0;
        }

        @Override
        protected void handleField(int field, char[] buffer, int offset, int length, boolean quoted) {
            int from = from(field);
            if (length > MOST_CHARACTERS - from) {
                throw new CsvParseException("a row of more than " + MOST_CHARACTERS + " characters");
            }
            if (from + length > text.length) {
                text = Arrays.copyOf(text, 2 * (from + length));
            }
            if (field == ends.length) {
                ends = Arrays.copyOf(ends, 2 * field);
            }
            System.arraycopy(buffer, offset, text, from, length);
            ends[field] = from + length;
            fields = field + 1;
        }

        @Override
        protected Row buildRecord() {
            return this;
        }

        private int from(int field) {
            return field == 0 ? 0 : ends[field - 1];
        }

        private int end(int field) {
            return ends[Objects.checkIndex(field, fields)];
        }

        String field(int field) {
            int from = from(field);
            return new String(text, from, end(field) - from);
        }

        boolean isBlank(int field) {
            int at = from(field);
            int end = end(field);
            while (at < end && Character.isWhitespace(text[at])) {
                at++;
            }
            return at == end;
        }

        int decimals(int field) {
            return numbers.decimals(text, from(field), end(field));
        }

        List<String> all() {
            return IntStream.range(0, fields).mapToObj(this::field).toList();
        }

        /** Where it begins in the file. */
        long begins() {
            return getStartingLineNumber();
        }
    }

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
    List<Remark> oddities() {
        List<Remark> odd = new ArrayList<>();
        if (before > 0) {
            odd.add(new Remark(Remark.Kind.LEFT_OUT, "left out: lines before the names of the columns: " + before));
        }
        if (!charset.equals(StandardCharsets.UTF_8)) {
            odd.add(Remark.plain("not UTF-8, so read as " + charset.name()));
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
            // One is not to be used by two readers.
            current = new Row();
            reader = CsvReader.builder()
                    .fieldSeparator(separator)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .allowUnclosedQuote(false)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .build(current, new InputStreamReader(SourceFiles.open(file), decoder));
        } catch (IOException e) {
            throw SourceFiles.explain(file, e);
        }
        line = 0;
        rows = reader.iterator();
        if (headerless.isEmpty()) {
            readHeader(file);
        }
    }

    private void readHeader(Path file) {
        // Spreadsheets write sep=; before the names.
        boolean more = advance();
        while (more && (line <= before || saysSeparator(current.field(0)))) {
            more = advance();
        }
        if (!more) {
            throw TraceException.of(file, "the file is empty; expected a line of column names");
        }
        List<String> names = current.all();
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
                boolean repeatsNames = line == 1 && current.all().equals(headerless);
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
            if (rows == null || !rows.hasNext()) {
                return false;
            }
            line = rows.next().begins();
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
        String after = line == 0 ? "at the first lines" : "after line " + line;
        return TraceException.of(file, after + ": " + problem, e);
    }

    @Override
    public int fieldCount() {
        return current.fields;
    }

    @Override
    public String field(int column) {
        return current.field(column);
    }

    @Override
    public boolean blank(int column) {
        return current.isBlank(column);
    }

    @Override
    public int decimals(int column) {
        return current.decimals(column);
    }

    @Override
    public long digits() {
        return current.numbers.digits();
    }

    @Override
    public String file() {
        return files.get(nextFile - 1).toString();
    }

    @Override
    public long line() {
        return Math.max(1, line);
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
