package dev.stowage.sim.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The character between the fields of a line. */
enum Separator {
    COMMA(','),
    SEMICOLON(';'),
    TAB('\t'),
    PIPE('|'),
    SPACE(' ');

    /** The names of all separators. */
    static final String NAMES = Arrays.stream(values()).map(Separator::key).collect(Collectors.joining(", "));

    private static final int LOOKED_AT = 20;

    private final char character;

    Separator(char character) {
        this.character = character;
    }

    char character() {
        return character;
    }

    private String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The separator with this name, or of this character. */
    static Optional<Separator> named(String text) {
        return Arrays.stream(values())
                .filter(each -> each.key().equals(text) || text.equals(String.valueOf(each.character)))
                .findFirst();
    }

    /** The one that a first line {@code sep=;} says; null if this is none. */
    static @Nullable Separator said(String line) {
        return line.matches("(?i)\"?sep=(.)\"?")
                ? named(line.replace("\"", "").substring(4)).orElse(null)
                : null;
    }

    /**
     * The one that the first line says, or that splits the first lines into equally many fields, as many as possible; a
     * comma if none does.
     */
    static Separator guess(List<String> lines) {
        Separator said = lines.isEmpty() ? null : said(lines.get(0));
        if (said != null) {
            return said;
        }
        List<String> first = lines.subList(0, Math.min(LOOKED_AT, lines.size()));
        Separator best = COMMA;
        int most = 1;
        for (Separator each : values()) {
            List<Integer> counts = first.stream()
                    .filter(line -> !line.isBlank())
                    .map(line -> each.split(line).size())
                    .toList();
            int fields = counts.isEmpty() ? 0 : counts.get(0);
            long alike = counts.stream().filter(count -> count == fields).count();
            if (fields > most && 4 * alike >= 3L * counts.size()) {
                best = each;
                most = fields;
            }
        }
        return best;
    }

    /** Fields of a line, which may be in quotes; the whole line if it cannot be split. */
    List<String> split(String line) {
        try {
            return CsvReader.builder().fieldSeparator(character).ofCsvRecord(line).stream()
                    .findFirst()
                    .map(record -> List.copyOf(record.getFields()))
                    .orElse(List.of());
        } catch (CsvParseException e) {
            return List.of(line);
        }
    }
}
