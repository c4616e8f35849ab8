package dev.stowage.report;

import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/**
 * One axis of a {@link Figure}.
 *
 * @param title what is shown and its unit
 * @param logarithmic whether the axis is logarithmic; then {@code min} is positive
 * @param min left or lower end
 * @param max right or upper end, greater than {@code min}
 * @param label text of a tick
 * @param whole whether every whole number has a tick and nothing else, as on an axis of names or of a few servers
 */
record Axis(String title, boolean logarithmic, double min, double max, DoubleFunction<String> label, boolean whole) {

    /** Steps are drawn as lines that are nearly upright. */
    private static final double HAIR = 1e-3;
    /** Of more whole numbers there is no room for a half between two. */
    private static final int MOST_WHOLE = 10;
    /** Pages name every whole number from 0 to the end of the axis. */
    private static final int MOST_NAMED = 1000;

    Axis {
        if (!(min < max) || (logarithmic && min <= 0)) {
            throw new IllegalArgumentException("axis '" + title + "' from " + min + " to " + max
                    + (logarithmic ? "; a logarithmic axis needs 0 < min < max" : "; needs min < max"));
        }
    }

    /** An axis with as many ticks as there is room for. */
    Axis(String title, boolean logarithmic, double min, double max, DoubleFunction<String> label) {
        this(title, logarithmic, min, max, label, false);
    }

    /** A linear axis from 0 to a little above {@code largest}, or to 1 if nothing is above 0. */
    static Axis fromZero(String title, double largest, DoubleFunction<String> label) {
        return new Axis(title, false, 0, largest > 0 ? largest * 1.05 : 1, label);
    }

    /**
     * A linear axis that shows differences: from 0, or from a little below the least value if that is above half of the
     * greatest; {@link #note} says so.
     */
    static Axis showing(String title, double least, double most, DoubleFunction<String> label) {
        double span = most - least;
        return least > most / 2 && span > 0
                ? new Axis(title, false, least - span / 10, most + span / 10, label)
                : fromZero(title, most, label);
    }

    /** The same with ticks at whole numbers alone, where all values are whole and there are few numbers. */
    Axis ofWhole(DoubleStream values) {
        return max - min <= MOST_WHOLE
                        && max <= MOST_NAMED
                        && values.allMatch(each -> Math.abs(each - Math.rint(each)) < HAIR)
                ? new Axis(title, logarithmic, min, max, label, true)
                : this;
    }

    /** A note for captions about where the axis begins, if not at 0; starts with a blank. */
    String note() {
        return !logarithmic && min > 0 ? " The axis begins at " + label.apply(min) + " to show the differences." : "";
    }

    /** The same, ending at 100 % where the metric cannot be more. */
    Axis within(Metric metric) {
        return metric.has(Metric.Trait.SHARE) && max > 1 && min < 1
                ? new Axis(title, logarithmic, min, 1, label, whole)
                : this;
    }

    /** A linear axis of shares, 0 to 100 %. */
    static Axis share(String title) {
        return new Axis(title, false, 0, 1, Axis::percent);
    }

    static String percent(double share) {
        return Numbers.plain(share * 100) + " %";
    }

    /** Where a value is drawn: a logarithmic axis has no place for 0, which is at its lower edge. */
    double shown(double value) {
        return logarithmic && value < min ? min : value;
    }
}
