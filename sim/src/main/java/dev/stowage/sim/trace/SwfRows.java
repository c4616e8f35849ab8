package dev.stowage.sim.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lines of fields between blanks; lines that begin with ';' are comments. Comments may hold any Latin-1 byte. */
final class SwfRows implements Rows {
    private static final Pattern BLANKS = Pattern.compile("[ \\t]+");

    private final List<Path> files;
    private int nextFile;
    private @Nullable BufferedReader reader;
    private String[] fields = {};
    private long line;

    SwfRows(List<Path> files) {
        this.files = files;
        openNext();
    }

    private void openNext() {
        Path file = files.get(nextFile++);
        try {
            var decoder = StandardCharsets.ISO_8859_1.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
            reader = new BufferedReader(new InputStreamReader(SourceFiles.open(file), decoder));
            line = 0;
        } catch (IOException e) {
            throw SourceFiles.explain(file, e);
        }
    }

    @Override
    public List<String> header() {
        return List.of();
    }

    @Override
    public boolean next() {
        while (true) {
            String text = readLine();
            if (text == null) {
                if (nextFile == files.size()) {
                    return false;
                }
                close();
                openNext();
            } else if (!text.isBlank() && !text.stripLeading().startsWith(";")) {
                fields = BLANKS.split(text.strip(), -1);
                return true;
            }
        }
    }

    private @Nullable String readLine() {
        try {
            line++;
            return reader == null ? null : reader.readLine();
        } catch (IOException e) {
            throw SourceFiles.explain(files.get(nextFile - 1), e);
        }
    }

    @Override
    public int fieldCount() {
        return fields.length;
    }

    @Override
    public String field(int column) {
        return fields[column];
    }

    @Override
    public String file() {
        return files.get(nextFile - 1).toString();
    }

    @Override
    public long line() {
        return line;
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
