package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A metric against a swept axis, a line per policy, with confidence intervals as error bars. The horizontal axis is the
 * numeric axis with the most values; every combination of the other axes has figures of its own. If the queue is
 * unstable, wait and mean queue length are left out and named in the caption. A dashed line marks where the load equals
 * its bound.
 */
final class SweepFigures {
    /** On a linear axis, curves that span more than this factor hide their lower part. */
    private static final double LOGARITHMIC_FROM = 50;
    /** What is smaller than that part of the largest value is drawn like 0. */
    private static final double MOST_DECADES = 1e6;

    private static final String BLANKS = " \u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a";

    /** Interrupts a curve where the queue is unstable, because nothing was measured between the neighbouring points. */
    private static final Point NOT_DRAWN = new Point(Double.NaN, Double.NaN, Double.NaN);

    /** A value and the ends of its error bar. */
    private record Point(double y, double low, double high) {
        static Point of(PolicyOutcome outcome, MetricName metric, Estimate estimate) {
            double[] bar = outcome.bar(metric, estimate);
            return new Point(estimate.mean(), bar[0], bar[1]);
        }
    }

    private final Results results;
    private final FigureNames names;
    private final List<PolicyOutcome> outcomes;
    private final String along;
    private final List<String> values;
    private final boolean numeric;

    private SweepFigures(Results results, FigureNames names, String along) {
        this.results = results;
        this.names = names;
        this.along = along;
        outcomes = results.outcomes();
        List<String> found = valuesOf(results, along);
        numeric = found.stream().allMatch(Numbers::isNumber);
        values = numeric
                ? found.stream()
                        .sorted(Comparator.comparingDouble(Double::parseDouble))
                        .toList()
                : found;
    }

    static List<Figure> of(Results results, FigureNames names) {
        return of(results, names, SummaryTable.of(results).columns());
    }

    /** Figures of these metrics. */
    static List<Figure> of(Results results, FigureNames names, List<MetricName> metrics) {
        Set<String> axes = new LinkedHashSet<>();
        results.points().forEach(point -> axes.addAll(point.keySet()));
        return axes.stream()
                .filter(axis -> valuesOf(results, axis).size() > 1)
                .max(Comparator.comparingInt((String axis) -> numericAxis(results, axis) ? 1 : 0)
                        .thenComparingInt(axis -> valuesOf(results, axis).size()))
                .map(axis -> new SweepFigures(results, names, axis).all(metrics))
                .orElse(List.of());
    }

    private static List<String> valuesOf(Results results, String axis) {
        return results.points().stream()
                .filter(point -> point.containsKey(axis))
                .map(point -> point.getOrDefault(axis, ""))
                .distinct()
                .toList();
    }

    private static boolean numericAxis(Results results, String axis) {
        return valuesOf(results, axis).stream().allMatch(Numbers::isNumber);
    }

    private List<Figure> all(List<MetricName> metrics) {
        Set<Map<String, String>> others = new LinkedHashSet<>();
        results.points().forEach(point -> others.add(without(point)));
        List<Figure> figures = new ArrayList<>();
        for (Map<String, String> other : others) {
            for (MetricName metric : metrics) {
                List<Line> lines = lines(metric, other);
                if (!lines.isEmpty() && most(lines) > 0) {
                    figures.add(figure(metric, other, lines));
                }
            }
        }
        return figures;
    }

    private Map<String, String> without(Map<String, String> point) {
        Map<String, String> rest = new LinkedHashMap<>(point);
        rest.remove(along);
        return rest;
    }

    private List<Line> lines(MetricName metric, Map<String, String> other) {
        List<Line> lines = new ArrayList<>();
        for (String policy : results.policies()) {
            Map<Double, Point> curve = new TreeMap<>();
            for (PolicyOutcome outcome : outcomes) {
                Estimate estimate = outcome.trusted(metric);
                if (outcome.policy().equals(policy) && without(outcome.point()).equals(other)) {
                    if (estimate != null) {
                        curve.put(position(outcome), Point.of(outcome, metric, estimate));
                    } else if (outcome.voided(metric)) {
                        curve.put(position(outcome), NOT_DRAWN);
                    }
                }
            }
            if (curve.values().stream().anyMatch(each -> Double.isFinite(each.y()))) {
                lines.add(line(policy, curve));
            }
        }
        return lines;
    }

    private Line line(String policy, Map<Double, Point> curve) {
        double[] x = curve.keySet().stream().mapToDouble(Double::doubleValue).toArray();
        double[] y = curve.values().stream().mapToDouble(Point::y).toArray();
        double[] low = curve.values().stream().mapToDouble(Point::low).toArray();
        double[] high = curve.values().stream().mapToDouble(Point::high).toArray();
        return new Line(policy, results.policies().indexOf(policy), x, y, low, high);
    }

    /** The value itself, or its place in the list if the axis has names: 1, 2, ... */
    private double position(PolicyOutcome outcome) {
        String value = outcome.point().getOrDefault(along, "");
        return numeric ? Double.parseDouble(value) : values.indexOf(value) + 1;
    }

    private @Nullable BoundMark bound(Map<String, String> other) {
        return BoundMark.of(
                outcomes.stream().filter(o -> without(o.point()).equals(other)).toList(), this::position);
    }

    private Axis axis(@Nullable BoundMark bound) {
        if (!numeric) {
            return new Axis(along, false, 0, values.size() + 1, this::nameAt, true);
        }
        double first = Double.parseDouble(values.get(0));
        double last = Double.parseDouble(values.get(values.size() - 1));
        Double mark = bound == null ? null : bound.at();
        double least = mark == null ? first : Math.min(first, mark);
        double most = mark == null ? last : Math.max(last, mark);
        double middle = Double.parseDouble(values.get(values.size() / 2));
        // Decades apart, the small values would share one place on a linear axis.
        if (least > 0 && most / least >= LOGARITHMIC_FROM && middle < (first + last) / 4) {
            return new Axis(along, true, least / 1.2, most * 1.2, Numbers::plain);
        }
        double margin = (last - first) * 0.04;
        return new Axis(along, false, least - margin, most + margin, Numbers::plain);
    }

    /**
     * The name at a whole number from 1; other ticks are blank, each a different number of blanks, as XChart needs
     * distinct labels.
     */
    private String nameAt(double position) {
        int index = (int) Math.rint(position) - 1;
        boolean named = Math.abs(position - index - 1) < 1e-6 && index >= 0 && index < values.size();
        int blank = Math.floorMod((int) Math.rint(position * 2), BLANKS.length());
        return named ? values.get(index) : BLANKS.substring(blank, blank + 1);
    }

    /** The point of the other axes in words; one experiment of several is shown by its name alone. */
    private static String at(Map<String, String> other) {
        String experiment = other.get("experiment");
        return experiment != null && other.size() == 1
                ? ", " + experiment
                : other.isEmpty() ? "" : " at " + PolicyOutcome.describe(other);
    }

    private Figure figure(MetricName metric, Map<String, String> other, List<Line> inSeconds) {
        Metric about = Metric.of(metric);
        BoundMark bound = numeric ? bound(other) : null;
        Double mark = bound == null ? null : bound.at();
        String at = at(other);
        TimeAxis time = TimeAxis.covering(most(inSeconds));
        boolean isTime = about.quantity() == Quantity.TIME;
        List<Line> lines = isTime ? inSeconds.stream().map(l -> scaled(l, time)).toList() : inSeconds;
        Axis y = vertical(isTime ? about.title() + " (" + time.unit() + ")" : about.title(), about, lines);
        Axis x = axis(bound);
        String caption = TimeFigures.capital(about.title()) + " at each " + along
                + (lines.stream().anyMatch(SweepFigures::hasBars)
                        ? ", bars are each policy's own confidence interval"
                        : "")
                + ranges(metric, other)
                + logarithmic(x, y)
                + (y.logarithmic() && hasZero(lines) ? ", 0 is at its lower edge." : ".")
                + y.note()
                + (bound == null ? "" : bound.text(along))
                + unstable(metric, other);
        return new LineFigure(
                names.of("sweep " + metric + at),
                TimeFigures.capital(about.title()) + " against " + along + at,
                caption,
                x,
                y,
                lines.stream().map(line -> clamp(line, y)).toList(),
                mark == null ? List.of() : List.of(mark),
                true);
    }

    private static String logarithmic(Axis x, Axis y) {
        return x.logarithmic()
                ? "; the horizontal axis is logarithmic" + (y.logarithmic() ? ", and the vertical axis" : "")
                : y.logarithmic() ? "; the vertical axis is logarithmic" : "";
    }

    /** Whether any interval has a width; the figures of one trace are exact. */
    private static boolean hasBars(Line line) {
        double[] low = line.low();
        double[] high = line.high();
        return low != null && high != null && IntStream.range(0, low.length).anyMatch(i -> low[i] < high[i]);
    }

    private static boolean hasZero(List<Line> lines) {
        return lines.stream().flatMapToDouble(line -> Arrays.stream(line.y())).anyMatch(value -> value == 0);
    }

    private static Axis vertical(String title, Metric about, List<Line> lines) {
        double most = most(lines);
        double least = least(lines.stream().map(Line::y));
        DoubleFunction<String> label = about.quantity() == Quantity.FRACTION ? Axis::percent : Numbers::plain;
        // Waits are often 0 at small loads. The axis is for the other values; 0 is drawn at its lower edge.
        double positive = leastPositive(lines);
        if (least >= 0 && positive > 0 && most / positive > LOGARITHMIC_FROM) {
            return new Axis(title, true, Math.max(positive / 1.5, most / MOST_DECADES), most * 1.5, label)
                    .within(about);
        }
        return (least < 0
                        ? new Axis(title, false, least * 1.05, most > 0 ? most * 1.05 : 1, label)
                        : Axis.showing(title, Math.max(0, least(lines.stream().map(SweepFigures::lows))), most, label))
                .within(about);
    }

    private static double least(Stream<double[]> values) {
        return values.flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .min()
                .orElse(0);
    }

    private static double leastPositive(List<Line> lines) {
        return lines.stream()
                .flatMapToDouble(line -> Arrays.stream(line.y()))
                .filter(value -> value > 0 && Double.isFinite(value))
                .min()
                .orElse(0);
    }

    private static double most(List<Line> lines) {
        return lines.stream()
                .flatMapToDouble(line -> Arrays.stream(highs(line)))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    private static Line scaled(Line line, TimeAxis time) {
        return new Line(
                line.label(),
                line.colour(),
                line.x(),
                scaled(line.y(), time),
                scaledIfAny(line.low(), time),
                scaledIfAny(line.high(), time));
    }

    private static double @Nullable [] scaledIfAny(double @Nullable [] seconds, TimeAxis time) {
        return seconds == null ? null : scaled(seconds, time);
    }

    private static double[] scaled(double[] seconds, TimeAxis time) {
        return Arrays.stream(seconds).map(s -> s / time.secondsPerUnit()).toArray();
    }

    private static double[] highs(Line line) {
        double[] high = line.high();
        return high == null ? line.y() : high;
    }

    private static double[] lows(Line line) {
        double[] low = line.low();
        return low == null ? line.y() : low;
    }

    /** Error bars that leave the axis end at its edge. */
    private static Line clamp(Line line, Axis y) {
        double[] low = line.low();
        if (low == null) {
            return line;
        }
        double[] clamped = Arrays.stream(low).map(v -> Math.max(v, y.min())).toArray();
        return new Line(line.label(), line.colour(), line.x(), line.y(), clamped, line.high());
    }

    /** Which bars are no intervals. */
    private String ranges(MetricName metric, Map<String, String> other) {
        List<PolicyOutcome> ranges = outcomes.stream()
                .filter(o -> without(o.point()).equals(other) && o.skewed(metric))
                .toList();
        return ranges.isEmpty()
                ? ""
                : ", except where "
                        + (ranges.stream().allMatch(PolicyOutcome::isPair)
                                ? "2 runs are too few for one and the bar goes from one to the other"
                                : "runs differ too much for one and the bar goes from the least to the greatest")
                        + " (in parentheses in the table)";
    }

    private String unstable(MetricName metric, Map<String, String> other) {
        List<String> omitted = outcomes.stream()
                .filter(o -> without(o.point()).equals(other) && o.voided(metric))
                .map(o -> o.policy() + " at " + o.point().get(along) + " (" + o.growth() + ")")
                .toList();
        return omitted.isEmpty()
                ? ""
                : " Not drawn, because the queue is unstable: " + String.join(", ", omitted) + ".";
    }
}
