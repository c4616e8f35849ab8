package dev.stowage.cli.answer;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.report.AnswerPage;
import dev.stowage.sim.trace.LoadReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** An answer, put together once: text for the console, and the parts of a page. */
public final class AnswerParts {
    private final Console console;
    private final StringBuilder text = new StringBuilder();
    private final List<AnswerPage.Part> parts = new ArrayList<>();
    private String first = "";

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

    /** Begins with what must be known of how the input was read, if anything must. */
    public void reading(List<String> warnings) {
        String lead = LoadReport.lead(warnings);
        if (!lead.isEmpty()) {
            first(lead);
            gap();
        }
    }

    /** Adds what must be known beside it, at its end. */
    public void warnings(List<String> warnings) {
        onConsole(console.warnings(warnings));
        if (!warnings.isEmpty()) {
            onPage(new AnswerPage.Points(warnings));
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

    AnswerPage page(String title, Map<String, String> facts) {
        return new AnswerPage(title, first, parts, facts);
    }
}
