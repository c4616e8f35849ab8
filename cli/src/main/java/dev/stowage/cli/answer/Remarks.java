package dev.stowage.cli.answer;

import dev.stowage.cli.text.Console;
import dev.stowage.sim.result.Remark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What the console says after an answer of how it was found, in few lines; a page has all of it. */
public final class Remarks {
    private static final int MOST_LINES = 12;
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(\\.\\d+)?");
    /** What an answer depends on, or what is to be copied. */
    private static final Set<Remark.Kind> NEEDED = EnumSet.of(
            Remark.Kind.WARNING, Remark.Kind.UNSEEN, Remark.Kind.GUESSED, Remark.Kind.OPTION, Remark.Kind.ALIKE);
    /** What is left out first: what an answer depends on least, then what the option to copy says, too. */
    private static final List<Remark.Kind> LEAST = List.of(Remark.Kind.DETAIL, Remark.Kind.COLUMNS);

    private Remarks() {}

    /** Each with the names of those it is of, for a page. */
    public static List<Remark> named(Map<Remark, List<String>> notes, int all) {
        List<Remark> named = new ArrayList<>();
        notes.forEach((note, names) -> named.add(about(note, names, all, "Each")));
        return named;
    }

    private static Remark about(Remark note, List<String> names, int all, String each) {
        String whose = names.size() == all ? each : String.join(", ", names);
        return all == 1 ? note : note.about(whose + (note.of().isEmpty() ? "" : ": " + note.of()));
    }

    /** For the console: warnings begin with their mark; others that differ in numbers alone are said of the first. */
    public static List<Remark> alike(Map<Remark, List<String>> notes, int all) {
        Map<Remark, Remark> first = new LinkedHashMap<>();
        Map<Remark, List<String>> names = new LinkedHashMap<>();
        Map<Remark, List<String>> others = new LinkedHashMap<>();
        notes.forEach((note, its) -> {
            Remark kind = NEEDED.contains(note.kind())
                    ? note
                    : new Remark(
                            note.kind(),
                            NUMBER.matcher(note.of()).replaceAll("0"),
                            NUMBER.matcher(note.text()).replaceAll("0"),
                            0);
            Remark one = first.computeIfAbsent(kind, any -> note);
            (one.equals(note) ? names : others)
                    .computeIfAbsent(one, any -> new ArrayList<>())
                    .addAll(its);
        });
        List<Remark> named = new ArrayList<>();
        names.forEach((note, its) -> {
            List<String> more = others.getOrDefault(note, List.of());
            Remark said = about(note, its, all, "each");
            named.add(
                    !more.isEmpty()
                            ? said.saying(said.text() + " (with other numbers: " + String.join(", ", more) + ")")
                            : note.warns() && note.of().isEmpty() ? note.saying(said.unmarked()) : said);
        });
        return named;
    }

    /**
     * Prints them, in at most twelve lines as far as warnings and what is to be copied leave room.
     *
     * @param page whether a page is written, too
     */
    public static void print(Console console, Collection<Remark> notes, boolean page) {
        List<Remark> shown = new ArrayList<>(notes);
        int most = MOST_LINES;
        for (Optional<Remark> least = least(shown); lines(shown) > most && least.isPresent(); least = least(shown)) {
            shown.remove(least.get());
            most = MOST_LINES - 1;
        }
        shown.forEach(console::note);
        int rest = notes.size() - shown.size();
        if (rest > 0) {
            console.note("and " + rest + (rest == 1 ? " more note" : " more notes") + " of how this was read: "
                    + (page ? "on the page" : "--report FILE.html has all"));
        }
    }

    private static Optional<Remark> least(List<Remark> shown) {
        return LEAST.stream()
                .flatMap(kind -> shown.stream().filter(note -> note.kind() == kind))
                .findFirst()
                .or(() -> shown.stream()
                        .filter(note -> !NEEDED.contains(note.kind()))
                        .reduce((one, next) -> next));
    }

    private static int lines(List<Remark> notes) {
        return (int)
                notes.stream().flatMap(note -> Console.broken("", note).lines()).count();
    }
}
