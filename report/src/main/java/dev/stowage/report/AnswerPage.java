package dev.stowage.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * An answer as one file of HTML that loads nothing, light and dark, for wide and narrow screens: a sentence, and below
 * it sentences, tables and pictures.
 *
 * @param title title
 * @param answer the answer in one sentence
 * @param parts what is below it, in order
 * @param facts how it was found: sentences by name
 */
public record AnswerPage(String title, String answer, List<Part> parts, Map<String, List<String>> facts) {
    private static final int HOURS = 24;
    private static final int FULL = 100;
    /** Characters between two columns of names. */
    private static final int GAP_OF_NAMES = 2;

    /** Something below the sentence. */
    public sealed interface Part {}

    /** A heading. */
    public record Heading(String text) implements Part {}

    /** A sentence, or some. */
    public record Sentence(String text) implements Part {}

    /** What must be known beside the answer, in a box; nothing if it is empty. */
    public record Note(String text) implements Part {}

    /**
     * Links to other pages, after some words.
     *
     * @param files by name, relative to this page
     */
    public record Links(String text, Map<String, String> files) implements Part {}

    /** A list of sentences. */
    public record Points(List<String> sentences) implements Part {}

    /**
     * A table.
     *
     * @param columns headings; the first names the row
     * @param rows cells
     */
    public record CellRows(List<String> columns, List<List<String>> rows) implements Part {
        private static final Pattern NUMBER = Pattern.compile("[-+]?[\\d.,]+(e[-+]\\d+)?( ?%)?|–|-|");
        private static final Pattern LEADING = Pattern.compile("(?:x )?([-+]?\\d[\\d,]*(?:\\.\\d+)?).*");

        /** As aligned text, every line ended by a newline. */
        public String text(TextStyle style) {
            return TextTable.write(table(), style);
        }

        private Table table() {
            return new Table(
                    columns,
                    1,
                    rows.stream()
                            .map(row -> row.stream().map(CellRows::cell).toList())
                            .toList());
        }

        /** Sorted by the number that it begins with. */
        private static Table.Cell cell(String text) {
            Matcher leading = LEADING.matcher(text);
            double sort =
                    leading.matches() ? Double.parseDouble(leading.group(1).replace(",", "")) : Double.NaN;
            return new Table.Cell(
                    text, sort, Table.Tone.PLAIN, NUMBER.matcher(text).matches());
        }
    }

    /** Names to copy, a line each, in as many columns as there is room for. */
    public record ToCopy(List<String> lines) implements Part {}

    /** Something that is shown when its summary is pressed. */
    public record Folded(String summary, Part part) implements Part {}

    /** A picture. */
    public sealed interface Drawn extends Part {}

    /**
     * Lines over two axes.
     *
     * @param fromZero whether the upright axis begins at 0 however little the values differ, as for totals
     */
    public record Chart(
            String title, String caption, String xTitle, String yTitle, List<Picture.Curve> curves, boolean fromZero)
            implements Drawn {
        /** Of values whose differences matter. */
        public Chart(String title, String caption, String xTitle, String yTitle, List<Picture.Curve> curves) {
            this(title, caption, xTitle, yTitle, curves, false);
        }

        /** As a file of its own. */
        public String svg(String name) {
            return FigureRenderer.file(FigureRenderer.svg(figure(name)));
        }

        private LineFigure figure(String name) {
            return Picture.lines(name, this);
        }
    }

    /**
     * Shades by day and hour.
     *
     * @param rows names of the days
     * @param part by row and hour of the day
     * @param of what it is a part of
     */
    public record Heat(String title, String caption, List<String> rows, double[][] part, String of) implements Drawn {}

    /** A picture that was drawn elsewhere, as an SVG element. */
    public record Drawing(String caption, String svg) implements Drawn {}

    /**
     * The servers of a cluster as bars, now and after a plan.
     *
     * @param resources names of the resources of the bars, at most three
     */
    public record BarsOfServers(List<String> resources, List<Bar> bars) implements Part {}

    /**
     * A server.
     *
     * @param before fraction of each resource that is in use now, from 0
     * @param after the same after the plan
     * @param freed whether the plan empties it
     * @param tip text that is shown under the pointer
     */
    public record Bar(String name, List<Double> before, List<Double> after, boolean freed, String tip) {}

    /** The page. */
    public String html() {
        StringBuilder out = new StringBuilder(Html.head(title, title));
        out.append(Html.paragraph("answer", answer));
        boolean pictures = false;
        for (int i = 0; i < parts.size(); i++) {
            boolean drawn = parts.get(i) instanceof Drawn;
            out.append(drawn == pictures ? "" : drawn ? "<div class=\"figures\">\n" : "</div>\n");
            pictures = drawn;
            part(out, parts.get(i), i);
        }
        out.append(pictures ? "</div>\n" : "").append("<h2>How it was found</h2>\n<dl>\n");
        facts.forEach((name, value) -> out.append(Html.fact(name, value)));
        out.append("</dl>\n");
        return out.append(Html.foot(parts.stream().anyMatch(Chart.class::isInstance)))
                .toString();
    }

    private static void part(StringBuilder out, Part part, int number) {
        if (part instanceof Heading its) {
            out.append("<h2>").append(Html.escape(its.text())).append("</h2>\n");
        } else if (part instanceof Sentence its) {
            out.append(Html.paragraph("said", its.text()));
        } else if (part instanceof Note its) {
            out.append(Html.paragraph("note", its.text()));
        } else if (part instanceof Links its) {
            out.append(its.files().entrySet().stream()
                    .map(each ->
                            "<a href=\"" + Html.escape(each.getValue()) + "\">" + Html.escape(each.getKey()) + "</a>")
                    .collect(Collectors.joining(", ", "<p class=\"said\">" + Html.prose(its.text()) + " ", "</p>\n")));
        } else if (part instanceof Points its) {
            out.append("<ul>\n");
            its.sentences()
                    .forEach(each -> out.append("<li>").append(Html.prose(each)).append("</li>\n"));
            out.append("</ul>\n");
        } else if (part instanceof Folded its) {
            out.append("<details><summary>").append(Html.escape(its.summary())).append("</summary>\n");
            part(out, its.part(), number);
            out.append("</details>\n");
        } else if (part instanceof CellRows its) {
            out.append(Html.table(its.table()));
        } else if (part instanceof ToCopy its) {
            out.append("<pre style=\"max-height:none;columns:")
                    .append(its.lines().stream().mapToInt(String::length).max().orElse(0) + GAP_OF_NAMES)
                    .append("ch\">")
                    .append(Html.escape(String.join("\n", its.lines())))
                    .append("</pre>\n");
        } else if (part instanceof BarsOfServers its) {
            servers(out, its);
        } else if (part instanceof Chart its) {
            out.append(Html.figure(its.figure("chart-" + number)));
        } else if (part instanceof Heat its) {
            out.append(Html.figure(heat("heat-" + number, its)));
        } else if (part instanceof Drawing its) {
            out.append(Html.figure("<div class=\"picture\">" + its.svg() + "</div>", its.caption()));
        }
    }

    private static HeatFigure heat(String name, Heat its) {
        return new HeatFigure(
                name,
                its.title(),
                its.caption(),
                its.rows(),
                its.part(),
                DoubleStream.iterate(0, hour -> hour + 1).limit(HOURS + 1).toArray(),
                new Axis("hour of the day, from the start of the run", false, 0, HOURS, Numbers::plain),
                1,
                its.of(),
                "",
                new double[0]);
    }

    private static void servers(StringBuilder out, BarsOfServers its) {
        out.append("<div class=\"key\">");
        for (int r = 0; r < its.resources().size(); r++) {
            out.append("<span><span class=\"bar r")
                    .append(r)
                    .append("\"><u style=\"width:60%\"></u></span>")
                    .append(Html.escape(its.resources().get(r)))
                    .append("</span>");
        }
        out.append(
                "<span><span class=\"bar r0\"><i style=\"width:90%\"></i><u style=\"width:45%\"></u></span>"
                        + "full color: in use after the plan; pale: in use now</span>"
                        + "<span><s>name</s> to be switched off: emptied by the plan, or empty already</span></div>\n<div class=\"nodes\">\n");
        its.bars().forEach(bar -> bar(out, bar));
        out.append("</div>\n");
    }

    private static void bar(StringBuilder out, Bar bar) {
        out.append(bar.freed() ? "<div class=\"node freed\" title=\"" : "<div class=\"node\" title=\"")
                .append(Html.escape(bar.tip()))
                .append("\"><b>")
                .append(Html.escape(bar.name()))
                .append("</b>");
        for (int r = 0; r < bar.before().size(); r++) {
            out.append("<div class=\"bar r")
                    .append(r)
                    .append(bar.after().get(r) > 1 ? " full" : "")
                    .append("\"><i style=\"width:")
                    .append(width(bar.before().get(r)))
                    .append("\"></i><u style=\"width:")
                    .append(width(bar.after().get(r)))
                    .append("\"></u></div>");
        }
        out.append("</div>\n");
    }

    private static String width(double part) {
        return String.format(Locale.ROOT, "%.1f%%", FULL * Math.max(0, Math.min(1, part)));
    }
}
