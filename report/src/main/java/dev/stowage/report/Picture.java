package dev.stowage.report;

import dev.stowage.sim.result.MetricName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One picture of results, drawn.
 *
 * @param name file name without its ending
 * @param caption one sentence: what to see, and what was left out
 * @param svg the text of an SVG file
 */
public record Picture(String name, String caption, String svg) {

    /**
     * A metric against the axis of a sweep, a line per policy with confidence intervals; empty without a sweep.
     *
     * @param metric name as in {@link dev.stowage.sim.result.SummaryRow#metrics}, e.g. {@code wait_mean_s}
     */
    public static List<Picture> sweep(Results results, String metric) {
        return draw(SweepFigures.of(results, new FigureNames(), List.of(MetricName.parse(metric))));
    }

    /**
     * A metric of policies whose labels begin with a word that many share, e.g. {@code SLF GSA}: the first words side
     * by side, a line per rest of the label, with confidence intervals.
     *
     * @param heading what the first words are
     * @param bound metric of every policy that is drawn as one more line
     */
    public static List<Picture> byFirstWord(Results results, String heading, String metric, String bound) {
        return sweep(ByFirstWord.of(results, heading, metric, bound), metric);
    }

    /** The number of waiting requests over time in the first replication, one picture per sweep point. */
    public static List<Picture> queueOverTime(Results results) {
        List<Figure> figures = new ArrayList<>();
        FigureNames names = new FigureNames();
        for (Map<String, String> point : results.points()) {
            figures.addAll(new TimeFigures(results, new LinkedHashMap<>(point), names).queue());
        }
        return draw(figures);
    }

    /** The reward over time in the first replication and its bound for any policy, one picture per sweep point. */
    public static List<Picture> rewardOverTime(Results results) {
        List<Figure> figures = new ArrayList<>();
        FigureNames names = new FigureNames();
        for (Map<String, String> point : results.points()) {
            figures.addAll(new TimeFigures(results, new LinkedHashMap<>(point), names).reward());
        }
        return draw(figures);
    }

    /**
     * The fraction of each site's servers in use over time in the first replication, one picture per policy.
     *
     * @param optimum hours after the warm-up from which an optimum holds, and the optimum
     */
    public static List<Picture> serversBySite(Results results, double[][] optimum) {
        return draw(new TimeFigures(results, Map.of(), new FigureNames()).serversBySite(optimum));
    }

    /**
     * A line over two axes.
     *
     * @param label for the legend
     * @param x ascending
     * @param y as long
     * @param low lower end of each error bar, or null without
     * @param high upper end of each error bar, or null without
     * @param dashed a bound, or what should be
     */
    public record Curve(
            String label, double[] x, double[] y, double @Nullable [] low, double @Nullable [] high, boolean dashed) {
        /** Without error bars. */
        public Curve(String label, double[] x, double[] y, boolean dashed) {
            this(label, x, y, null, null, dashed);
        }
    }

    static LineFigure lines(String name, AnswerPage.Chart chart) {
        List<Curve> curves = chart.curves();
        List<Line> lines = new ArrayList<>();
        DoubleSummaryStatistics x = new DoubleSummaryStatistics();
        DoubleSummaryStatistics y = new DoubleSummaryStatistics();
        for (Curve curve : curves) {
            Arrays.stream(curve.x()).forEach(x);
            Arrays.stream(curve.y()).forEach(y);
            lines.add(new Line(
                    curve.label(), lines.size(), curve.x(), curve.y(), curve.low(), curve.high(), curve.dashed()));
        }
        Axis across = Axis.showing(chart.xTitle(), x.getMin(), x.getMax(), Numbers::plain)
                .ofWhole(curves.stream().flatMapToDouble(curve -> Arrays.stream(curve.x())));
        Axis up = Axis.showing(chart.yTitle(), chart.fromZero() ? 0 : y.getMin(), y.getMax(), Numbers::plain)
                .ofWhole(curves.stream().flatMapToDouble(curve -> Arrays.stream(curve.y())));
        return new LineFigure(name, chart.title(), chart.caption(), across, up, lines, List.of(), true);
    }

    private static List<Picture> draw(List<Figure> figures) {
        return figures.stream()
                .map(figure ->
                        new Picture(figure.name(), figure.caption(), FigureRenderer.file(FigureRenderer.svg(figure))))
                .toList();
    }
}
