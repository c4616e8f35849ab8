package dev.stowage.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.awt.Color;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LineFigure} for uPlot, which draws it in the browser: the picture shows values under the pointer, hides a
 * line at a click on the legend and zooms by dragging.
 */
final class InteractivePlot {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final MathContext DIGITS = new MathContext(6);
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(-?[\\d,.]+)(\\D*)");
    private static final String WEBJAR = "/META-INF/resources/webjars/uplot/";
    /** Lines that are closer than this fraction of the axis cover each other. */
    private static final double COVERED = 0.004;

    private InteractivePlot() {}

    /** The place of the picture, and the figure as JSON for the script. */
    static String element(LineFigure figure) {
        ObjectNode plot = JSON.createObjectNode();
        plot.put("title", figure.title());
        plot.set("x", axis(figure.x()));
        plot.set("y", axis(figure.y()));
        plot.put("points", figure.points());
        ArrayNode marks = plot.putArray("marks");
        figure.marks().forEach(mark -> marks.add(number(mark)));
        ArrayNode lines = plot.putArray("lines");
        List<Line> shown = figure.lines();
        for (int i = 0; i < shown.size(); i++) {
            Line line = shown.get(i);
            int above = i;
            ObjectNode node = lines.addObject();
            node.put("label", line.label());
            Color colour = Theme.line(line.colour());
            // Black is inverted on dark paper.
            node.put(
                    "colour",
                    colour.equals(Theme.BLACK) ? "" : String.format(Locale.ROOT, "#%06x", colour.getRGB() & 0xffffff));
            node.put("dashed", line.dashed());
            ArrayNode dashes = node.putArray("dashes");
            Theme.dashes(line.colour()).forEach(dashes::add);
            node.put("covers", shown.subList(0, above).stream().anyMatch(other -> coincide(other, line, figure)));
            if (i == 0 || !Arrays.equals(line.x(), shown.get(0).x())) {
                node.set("x", numbers(line.x()));
            }
            node.set("y", numbers(line.y()));
            set(node, "low", line.low());
            set(node, "high", line.high());
        }
        try {
            String title = Html.escape(figure.title());
            return "<div class=\"live\" role=\"img\" aria-label=\"" + title + "\"><noscript>" + title
                    + " is drawn by JavaScript, which is off here.</noscript></div>"
                    + "<script type=\"application/json\" class=\"plot\">"
                    + JSON.writeValueAsString(plot).replace("<", "\\u003c") + "</script>";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void set(ObjectNode node, String name, double @Nullable [] values) {
        if (values != null) {
            node.set(name, numbers(values));
        }
    }

    private static ObjectNode axis(Axis axis) {
        ObjectNode node = JSON.createObjectNode();
        node.put("title", axis.title());
        node.put("log", axis.logarithmic());
        node.put("min", axis.min());
        node.put("max", axis.max());
        if (axis.whole()) {
            ArrayNode names = node.putArray("names");
            for (int i = 0; i <= Math.ceil(axis.max()); i++) {
                names.add(axis.label().apply(i));
            }
            return node;
        }
        Optional<Matcher> one = unit(axis, 1);
        Optional<Matcher> two = unit(axis, 2);
        Optional<Matcher> many = unit(axis, 1000);
        if (one.isPresent()
                && two.isPresent()
                && many.isPresent()
                && one.get().group(2).equals(two.get().group(2))
                && one.get().group(2).equals(many.get().group(2))) {
            node.put("factor", Double.parseDouble(one.get().group(1).replace(",", "")));
            node.put("suffix", one.get().group(2));
        } else {
            // Seconds, in the unit that fits.
            node.put("time", true);
        }
        return node;
    }

    private static Optional<Matcher> unit(Axis axis, double value) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(axis.label().apply(value));
        return matcher.matches() ? Optional.of(matcher) : Optional.empty();
    }

    private static ArrayNode numbers(double[] values) {
        ArrayNode array = JSON.createArrayNode();
        for (double value : values) {
            if (Double.isFinite(value)) {
                array.add(number(value));
            } else {
                array.addNull();
            }
        }
        return array;
    }

    private static BigDecimal number(double value) {
        return BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros();
    }

    /** {@code first-fit and best-fit coincide.}, after a blank; empty if every line can be seen. */
    static String coinciding(Figure figure) {
        if (!(figure instanceof LineFigure lines)) {
            return "";
        }
        List<String> pairs = new ArrayList<>();
        List<Line> named =
                lines.lines().stream().filter(line -> !line.label().isEmpty()).toList();
        List<Line> told = new ArrayList<>();
        for (Line line : named) {
            if (told.contains(line)) {
                continue;
            }
            List<Line> same =
                    named.stream().filter(other -> coincide(line, other, lines)).toList();
            if (same.size() > 1) {
                told.addAll(same);
                List<String> labels = same.stream().map(Line::label).toList();
                int last = labels.size() - 1;
                pairs.add(String.join(", ", labels.subList(0, last)) + " and " + labels.get(last));
            }
        }
        return pairs.isEmpty() ? "" : " Coinciding lines: " + String.join("; ", pairs) + ".";
    }

    private static boolean coincide(Line a, Line b, LineFigure figure) {
        if (a.y().length != b.y().length || a.y().length == 0) {
            return false;
        }
        for (int i = 0; i < a.y().length; i++) {
            boolean bothMissing = Double.isNaN(a.y()[i]) && Double.isNaN(b.y()[i]);
            if (!bothMissing
                    && !(apart(figure.y(), a.y()[i], b.y()[i]) + apart(figure.x(), a.x()[i], b.x()[i]) <= COVERED)) {
                return false;
            }
        }
        return true;
    }

    /** Distance of two values, as a fraction of the axis. */
    private static double apart(Axis axis, double a, double b) {
        return axis.logarithmic()
                ? Math.abs(Math.log(axis.shown(a) / axis.shown(b))) / Math.log(axis.max() / axis.min())
                : Math.abs(a - b) / (axis.max() - axis.min());
    }

    /** uPlot's style sheet. */
    static String style() {
        return library("uPlot.min.css");
    }

    /** uPlot, and the script that makes plots of the elements. */
    static String script() {
        // Its licence notice contains an address, which is removed: a report has no references to the outside.
        return library("uPlot.iife.min.js").replace("https://github.com", "github.com") + "\n"
                + HtmlReport.resource("plots.js");
    }

    private static String library(String file) {
        return text(WEBJAR + version() + "/dist/" + file);
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in =
                InteractivePlot.class.getResourceAsStream("/META-INF/maven/org.webjars.npm/uplot/pom.properties")) {
            properties.load(Objects.requireNonNull(in, "uPlot is not on the class path"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    private static String text(String resource) {
        try (InputStream in = InteractivePlot.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
