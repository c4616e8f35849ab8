package dev.stowage.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Text inside HTML. */
final class Html {
    /** A text of more characters may break into lines. */
    private static final int LONG = 32;

    private static final Pattern UNIT =
            Pattern.compile("(?<=\\d) (?=[%±]|(?:ms|s|min|h|d|y|vCPU|cores?|GiB|MiB)\\b)|(?<=±|\\d x) (?=\\d)");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");
    private static final Pattern BLANK_OF_NUMBER = Pattern.compile("(?<!,) (?![(+])");

    private Html() {}

    /** Escapes text for element content and for quoted attributes; control characters become a visible sign. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(Character.isISOControl(c) && c != '\n' && c != '\t' ? '\ufffd' : c);
            }
        }
        return out.toString();
    }

    /** The same for running text: a number stays on the line of its unit. */
    static String prose(String text) {
        return options(UNIT.matcher(text).replaceAll("\u00a0"));
    }

    /** The same for text with options, which are not broken at their dashes. */
    private static String options(String text) {
        return OPTION.matcher(escape(text)).replaceAll("<span class=\"option\">$0</span>");
    }

    /** The beginning of a page, down to its heading. */
    static String head(String title, String heading) {
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + escape(title)
                + "</title>\n<style>\n" + InteractivePlot.style()
                + HtmlReport.resource("report.css").replace("@DARK@", HtmlReport.darkFigures())
                + "</style>\n</head>\n<body>\n<h1>" + escape(heading) + "</h1>\n";
    }

    /** Its end; interactive if it has lines over two axes. */
    static String foot(boolean interactive) {
        return "<script>\n" + HtmlReport.resource("report.js") + "</script>\n"
                + (interactive ? "<script>\n" + InteractivePlot.script() + "</script>\n" : "") + "</body>\n</html>\n";
    }

    /** A paragraph; nothing for an empty text. */
    static String paragraph(String style, String text) {
        return text.isEmpty() ? "" : "<p class=\"" + style + "\">" + prose(text) + "</p>\n";
    }

    /** A figure and its caption: lines as data for the script, all else drawn. */
    static String figure(Figure figure) {
        String caption = figure.caption() + InteractivePlot.coinciding(figure);
        return figure(figure instanceof LineFigure lines ? InteractivePlot.element(lines) : still(figure), caption);
    }

    /** A picture that is an element of HTML, and its caption. */
    static String figure(String picture, String caption) {
        return "<figure>" + picture + "\n<figcaption>" + prose(caption) + "</figcaption></figure>\n";
    }

    /** The picture as SVG, or why there is none. */
    private static String still(Figure figure) {
        String problem = FigureRenderer.problem();
        return problem == null
                ? "<div class=\"picture\">" + FigureRenderer.svg(figure) + "</div>"
                : paragraph("note", problem);
    }

    /** A name in a {@code <dl>} and what is said of it, a line each; a command is left as it is typed. */
    static String fact(String name, List<String> said) {
        return said.stream()
                .map(each -> "<dd>" + (name.equals("Again") ? options(each) : prose(each)) + "</dd>")
                .collect(Collectors.joining("", "<dt>" + escape(name) + "</dt>", "\n"));
    }

    /** The table; cells keep their number for the sorting script. */
    static String table(Table table) {
        StringBuilder out = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
        for (int i = 0; i < table.columns().size(); i++) {
            out.append(table.isOfNumbers(i) ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">")
                    .append(escape(table.columns().get(i)))
                    .append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        table.rows().forEach(row -> {
            out.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                out.append(cell(row.get(i), i < table.keys(), table.isOfNumbers(i)));
            }
            out.append("</tr>\n");
        });
        return out.append("</tbody></table></div>\n").toString();
    }

    private static String cell(Table.Cell cell, boolean key, boolean number) {
        String tone = switch (cell.tone()) {
            case PLAIN -> "";
            case BEST -> " best";
            case BAD -> " bad";
        };
        String kind = number ? "n" : key ? "k" : cell.text().length() > LONG ? "l" : "t";
        String attributes =
                " class=\"" + kind + tone + "\"" + (Double.isNaN(cell.sort()) ? "" : " data-v=\"" + cell.sort() + "\"");
        boolean amount = cell.text().length() <= LONG && cell.text().chars().anyMatch(Character::isDigit);
        String text = escape(amount ? BLANK_OF_NUMBER.matcher(cell.text()).replaceAll("\u00a0") : cell.text());
        return key
                ? "<th scope=\"row\"" + attributes + ">" + text + "</th>"
                : "<td" + attributes + ">" + text + "</td>";
    }
}
