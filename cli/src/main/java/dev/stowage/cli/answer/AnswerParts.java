package dev.stowage.cli.answer;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.report.AnswerPage;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An answer, put together once: text for the console, and the parts of a page. */
public final class AnswerParts {
    /** The name under which a page says how servers on offer were read. */
    public static final String ON_OFFER = "Servers on offer";

    private final Console console;
    private final StringBuilder text = new StringBuilder();
    private final List<AnswerPage.Part> parts = new ArrayList<>();
    private final Map<String, List<Remark>> reading = new TreeMap<>();
    private final Map<String, List<Remark>> facts = new LinkedHashMap<>();
    private final List<String> ofAll = new ArrayList<>();
    private final Map<String, Summed> summary = new LinkedHashMap<>();
    private List<String> stops = List.of();
    private OptionalDouble firstNeeded = OptionalDouble.empty();
    private String order = "";
    private List<Remark> leading = List.of();
    private String first = "";
    /** Of the page: what its answer depends on, in a box after it. */
    private String doubts = "";

    public AnswerParts(Console console) {
        this.console = console;
    }

    /** Adds the sentence that answers. The page begins with it. */
    public void first(String sentence) {
        text.append(console.wrapped("", sentence));
        firstOfPage(sentence);
    }

    /** The same, where the table of the console says it. */
    public void firstOfPage(String sentence) {
        first = (first + " " + sentence).strip();
    }

    /**
     * What an answer gives for a table of several.
     *
     * @param number to be added up; NaN if it is not known, or is several; null for words
     * @param kinds what the number is made of, to be added up by kind; empty where it is of one
     * @param cost of it, to be added up; null where none is said
     */
    public record Summed(
            String text,
            @Nullable Double number,
            Map<String, Long> kinds,
            @Nullable Double cost) {}

    /** Adds words by their name, for a table of several answers. */
    public void sum(String name, String text) {
        summary.put(name, new Summed(text, null, Map.of(), null));
    }

    /** Adds a number by its name, for a table of several answers; NaN if it is not known, or is several. */
    public void sum(String name, String text, double number) {
        sum(name, new Summed(text, number, Map.of(), null));
    }

    /** The same with what it is made of, or what it costs. */
    public void sum(String name, Summed figure) {
        summary.put(name, figure);
    }

    /** For the page of several answers: how many requests stop if none, one, two and more servers fail. */
    public void stopsOfAll(List<String> numbers) {
        stops = List.copyOf(numbers);
    }

    /** As given; empty if nothing was. */
    public List<String> stopsOfAll() {
        return stops;
    }

    /** When the first servers must be bought, in years from now; empty if none must. */
    public void firstNeeded(OptionalDouble years) {
        firstNeeded = years;
    }

    /** When these must be ordered, for the sentence of several answers; empty if that is not known. */
    public void order(String words) {
        order = words;
    }

    /** As given; empty if nothing was. */
    public String order() {
        return order;
    }

    /** As given; empty if nothing was. */
    public OptionalDouble firstNeeded() {
        return firstNeeded;
    }

    /** What was added, in order. */
    public Map<String, Summed> summary() {
        return summary;
    }

    /** Adds a sentence, if there is one, that the page of several answers has, too. */
    public void sayOfAll(String sentence) {
        say(sentence);
        ofAll(sentence);
    }

    /** Adds a sentence, if there is one, for the page of several answers alone. */
    public void ofAll(String sentence) {
        if (!sentence.isEmpty()) {
            ofAll.add(sentence);
        }
    }

    /** The sentences for the page of several answers, in order. */
    public List<String> ofAll() {
        return ofAll;
    }

    /** Adds a heading. */
    public void heading(String title) {
        gap();
        onConsole(title + "\n");
        onPage(new AnswerPage.Heading(title));
    }

    /** Adds sentences, if there are any. */
    public void say(String sentences) {
        if (!sentences.isEmpty()) {
            text.append(console.wrapped("", sentences));
            onPage(new AnswerPage.Sentence(sentences));
        }
    }

    /** Adds a list, of which the console shows the first. */
    public void points(List<String> sentences, int most) {
        sentences.stream().limit(most).forEach(each -> text.append(console.wrapped("- ", each)));
        more(sentences.size() - most);
        if (!sentences.isEmpty()) {
            onPage(new AnswerPage.Points(sentences));
        }
    }

    /** Adds a table. */
    public void table(Columns table) {
        table(table, table.size());
    }

    /** Adds a table, of which the console shows the first rows. */
    public void table(Columns table, int most) {
        onConsole(table.part(most).text(console.style()));
        more(table.size() - most);
        onPage(table.part(table.size()));
    }

    private void more(int rest) {
        onConsole(rest > 0 ? "... and " + rest + " more (--format json)\n" : "");
    }

    /**
     * Begins with what must be known of how the input was read, if anything must. The page has it after its answer, but
     * for a resource that is not counted, and ends with all of it.
     */
    public void reading(ReadExperiment read) {
        reading(read, List.of());
    }

    /**
     * The same with more.
     *
     * @param others what else is said of how it was read
     */
    public void reading(ReadExperiment read, Collection<Remark> others) {
        List<Remark> warnings = read.warnings();
        leading = LoadReport.lead(warnings);
        leading.forEach(each -> {
            onConsole(console.wrapped("", each.toString()));
            if (each.kind() == Remark.Kind.UNSEEN) {
                firstOfPage(sentence(each.toString()));
            } else {
                warnOnPage(each.sentence());
            }
        });
        gap();
        Stream.of(read.notes(), others, warnings)
                .flatMap(Collection::stream)
                .distinct()
                .filter(note -> note.kind() != Remark.Kind.OPTION)
                .forEach(note -> add(
                        reading.computeIfAbsent(
                                note.of().isEmpty()
                                        ? "Reading"
                                        : read.notes().contains(note) || warnings.contains(note) ? "Servers" : ON_OFFER,
                                any -> new ArrayList<>()),
                        note.about("")));
    }

    /** How it was found, by name: what a page says of it, then what was used of the input, and what was not. */
    public Map<String, List<Remark>> facts() {
        return facts;
    }

    /** Begins with these, before how the input was read. */
    void facts(Map<String, List<String>> others) {
        others.forEach((name, said) -> facts.put(
                name,
                said.stream().map(text -> new Remark(Remark.Kind.NAMED, text)).toList()));
        facts.putAll(reading);
    }

    /** One more; an example belongs to the one above. */
    private static void add(List<Remark> notes, Remark note) {
        if (note.kind() == Remark.Kind.EXAMPLE && !notes.isEmpty()) {
            Remark above = notes.get(notes.size() - 1);
            notes.set(
                    notes.size() - 1,
                    above.saying(above.text() + "; " + note.text().strip()));
        } else {
            notes.add(note);
        }
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    /** Adds to the box after the answer of the page. */
    public void warnOnPage(String warning) {
        doubts = (doubts + " " + sentence(warning)).strip();
    }

    /** Adds what must be known beside it, at its end, without what it begins with. */
    public void warnings(List<Remark> warnings) {
        List<Remark> below = new ArrayList<>(warnings);
        below.removeAll(leading);
        onConsole(console.warnings(below));
        if (!below.isEmpty()) {
            onPage(new AnswerPage.Points(below.stream().map(Remark::toString).toList()));
        }
    }

    /** Adds an empty line of the console. */
    public void gap() {
        onConsole(text.isEmpty() ? "" : "\n");
    }

    /** Adds what only the console shows, each line ended. */
    public void onConsole(String lines) {
        text.append(lines);
    }

    /** Adds what only the page shows. */
    public void onPage(AnswerPage.Part part) {
        parts.add(part);
    }

    /** Prints it, or what machines read of it. */
    public void print(OutputFormat format, Supplier<String> json, Supplier<String> csv) {
        console.out()
                .print(
                        switch (format) {
                            case TABLE -> text;
                            case JSON -> json.get();
                            case CSV -> csv.get();
                        });
    }

    /** For the console. */
    public String text() {
        return text.toString();
    }

    Console console() {
        return console;
    }

    AnswerPage page(String title, Map<String, List<String>> facts) {
        return new AnswerPage(
                title,
                first,
                Stream.concat(Stream.of(new AnswerPage.Note(doubts)), parts.stream())
                        .toList(),
                facts);
    }
}
