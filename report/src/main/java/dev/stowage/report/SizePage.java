package dev.stowage.report;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How many servers are needed, as one file of HTML that loads nothing: sentences, tables, what is achieved against the
 * number of servers, and how full they are over the week.
 *
 * @param title title
 * @param answer the answer in one sentence
 * @param lead what was asked of which servers, a sentence each
 * @param tables tables
 * @param charts lines
 * @param heats shades by day and hour
 * @param facts what is to be known of how it was found, by name
 */
public record SizePage(
        String title,
        String answer,
        List<String> lead,
        List<Part> tables,
        List<Chart> charts,
        List<Heat> heats,
        Map<String, String> facts) {
    private static final int HOURS = 24;

    /**
     * A table.
     *
     * @param columns headings; the first names the row
     * @param rows cells
     */
    public record Part(String title, String text, List<String> columns, List<List<String>> rows) {}

    /** Lines over two axes. */
    public record Chart(String title, String caption, String xTitle, String yTitle, List<Picture.Curve> curves) {}

    /**
     * Shades by day and hour.
     *
     * @param rows names of the days
     * @param part by row and hour of the day
     * @param of what it is a part of
     */
    public record Heat(String title, String caption, List<String> rows, double[][] part, String of) {}

    /** The page. */
    public String html() {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
                + Html.escape(title)
                + "</title>\n<style>\n" + InteractivePlot.style()
                + HtmlReport.resource("report.css").replace("@DARK@", HtmlReport.darkFigures())
                + "</style>\n</head>\n<body>\n<h1>" + Html.escape(title) + "</h1>\n");
        lead.forEach(sentence -> paragraph(out, "lead", sentence));
        paragraph(out, "answer", answer);
        for (Part each : tables) {
            out.append("<h2>")
                    .append(Html.escape(each.title()))
                    .append("</h2>\n")
                    .append(Html.table(table(each)));
            paragraph(out, "hint", each.text());
        }
        out.append("<h2>Pictures</h2>\n<div class=\"figures\">\n");
        for (int i = 0; i < charts.size(); i++) {
            Chart each = charts.get(i);
            LineFigure figure = Picture.lines(
                    "size-" + i, each.title(), each.caption(), each.xTitle(), each.yTitle(), each.curves());
            figure(out, figure, InteractivePlot.element(figure) + "\n");
        }
        for (int i = 0; i < heats.size(); i++) {
            figure(out, heat("week-" + i, heats.get(i)), "");
        }
        out.append("</div>\n<h2>How it was found</h2>\n<dl>\n");
        facts.forEach((name, value) -> out.append("<dt>")
                .append(Html.escape(name))
                .append("</dt><dd>")
                .append(Html.escape(value))
                .append("</dd>\n"));
        return out.append("</dl>\n<script>\n")
                .append(HtmlReport.resource("report.js"))
                .append("</script>\n<script>\n")
                .append(InteractivePlot.script())
                .append("</script>\n</body>\n</html>\n")
                .toString();
    }

    private static void paragraph(StringBuilder out, String style, String text) {
        if (!text.isEmpty()) {
            out.append("<p class=\"")
                    .append(style)
                    .append("\">")
                    .append(Html.escape(text))
                    .append("</p>\n");
        }
    }

    private static Table table(Part part) {
        return new Table(
                part.columns(),
                1,
                part.rows().stream()
                        .map(row -> IntStream.range(0, row.size())
                                .mapToObj(i -> i == 0 ? Table.Cell.name(row.get(i)) : number(row.get(i)))
                                .toList())
                        .toList());
    }

    /** Sorted by the number that it begins with. */
    private static Table.Cell number(String text) {
        String plain = text.replace(",", "").replaceAll("[^-\\d.].*$", "");
        return plain.matches("-?\\d+(\\.\\d+)?")
                ? Table.Cell.number(text, Double.parseDouble(plain))
                : new Table.Cell(text, Double.NaN, Table.Tone.PLAIN);
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
                its.of(),
                "",
                new double[0]);
    }

    private static void figure(StringBuilder out, Figure figure, String live) {
        out.append("<figure><div class=\"picture\">")
                .append(FigureRenderer.svg(figure))
                .append("</div>")
                .append(live)
                .append("<figcaption>")
                .append(Html.escape(figure.caption() + InteractivePlot.coinciding(figure)))
                .append("</figcaption></figure>\n");
    }
}
