package dev.stowage.cli.answer;

import dev.stowage.cli.text.Console;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the console says after an answer of how it was found, in few lines; a page has all of it. */
public final class Remarks {
    private static final int MOST_LINES = 12;
    private static final String WARNING = "warning: ";
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(\\.\\d+)?");
    /** What an answer depends on, or what is to be copied. */
    private static final Pattern NEEDED =
            Pattern.compile("(.*?: )?((warning|as an option): |servers that are alike ).*", Pattern.DOTALL);
    /** What is left out first: what an answer depends on least, then what the option to copy says, too. */
    private static final List<Pattern> LEAST =
            List.of(Pattern.compile("(.*?: )?(columns not used|rounding): .*"), Pattern.compile("(.*?: )?read as: .*"));

    private Remarks() {}

    /**
     * Each with the names of those it is of.
     *
     * @param each before what is said of all
     */
    public static List<String> named(Map<String, List<String>> notes, int all, String each) {
        List<String> lines = new ArrayList<>();
        notes.forEach((note, names) -> {
            boolean warns = note.startsWith(WARNING);
            lines.add((warns ? WARNING : "")
                    + (all == 1 ? "" : names.size() == all ? each + ": " : String.join(", ", names) + ": ")
                    + (warns ? note.substring(WARNING.length()) : note));
        });
        return lines;
    }

    /** The same for the console: but for warnings, what differs in numbers alone is said of the first. */
    public static List<String> alike(Map<String, List<String>> notes, int all) {
        Map<String, String> first = new LinkedHashMap<>();
        Map<String, List<String>> names = new LinkedHashMap<>();
        Map<String, List<String>> others = new LinkedHashMap<>();
        notes.forEach((note, its) -> {
            String kind =
                    NEEDED.matcher(note).matches() ? note : NUMBER.matcher(note).replaceAll("0");
            String one = first.computeIfAbsent(kind, any -> note);
            (one.equals(note) ? names : others)
                    .computeIfAbsent(one, any -> new ArrayList<>())
                    .addAll(its);
        });
        Map<String, List<String>> said = new LinkedHashMap<>();
        names.forEach((note, its) -> said.put(
                note
                        + (others.containsKey(note)
                                ? " (with other numbers: " + String.join(", ", others.get(note)) + ")"
                                : ""),
                its));
        return named(said, all, "each");
    }

    /**
     * Prints them, in at most twelve lines as far as warnings and what is to be copied leave room.
     *
     * @param page whether a page is written, too
     */
    public static void print(Console console, Collection<String> notes, boolean page) {
        List<String> shown = new ArrayList<>(notes);
        int most = MOST_LINES;
        while (lines(shown) > most) {
            if (!shown.remove(least(shown))) {
                break;
            }
            most = MOST_LINES - 1;
        }
        shown.forEach(console::note);
        int rest = notes.size() - shown.size();
        if (rest > 0) {
            console.note("and " + rest + (rest == 1 ? " more note" : " more notes") + " of how this was read: "
                    + (page ? "on the page" : "--report FILE.html has all"));
        }
    }

    private static String least(List<String> shown) {
        return LEAST.stream()
                .flatMap(
                        kind -> shown.stream().filter(note -> kind.matcher(note).matches()))
                .findFirst()
                .orElseGet(() -> shown.stream()
                        .filter(note -> !NEEDED.matcher(note).matches())
                        .reduce((one, next) -> next)
                        .orElse(""));
    }

    private static int lines(List<String> notes) {
        return (int)
                notes.stream().flatMap(note -> Console.broken(note).lines()).count();
    }
}
