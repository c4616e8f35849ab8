package dev.stowage.report;

import org.jspecify.annotations.Nullable;

/** How values of one kind are written for people. */
enum Quantity {
    /** Seconds, written in the unit that fits. */
    TIME {
        @Override
        Unit unit(double size) {
            if (size < 1e-3) {
                return size == 0 ? new Unit(1, " s") : new Unit(1e6, " µs");
            }
            if (size < 1) {
                return new Unit(1e3, " ms");
            }
            if (size < 60) {
                return new Unit(1, " s");
            }
            if (size < 3600) {
                return new Unit(1 / 60.0, " min");
            }
            return size < 48 * 3600 ? new Unit(1 / 3600.0, " h") : new Unit(1 / 86400.0, " d");
        }
    },
    /** A share between 0 and 1, written in percent. */
    FRACTION {
        @Override
        Unit unit(double size) {
            return new Unit(100, " %");
        }
    },
    /** Anything counted; the unit is in the column's title. */
    COUNT {
        @Override
        Unit unit(double size) {
            return new Unit(1, "");
        }
    };

    /** An interval smaller than this part of the mean is rounding error of adding equal numbers. */
    private static final double ROUNDING = 1e-12;

    /** Factor of the value, and the text after it. */
    record Unit(double factor, String suffix) {}

    abstract Unit unit(double size);

    /**
     * {@code 3.42 ± 0.08 h}: the interval to two significant digits, the mean to the same decimals; without interval,
     * or with one of width 0 up to rounding, three digits.
     */
    String format(double mean, @Nullable Double halfWidth) {
        if (!Double.isFinite(mean)) {
            return "–";
        }
        double half = halfWidth == null || !Double.isFinite(halfWidth) ? 0 : halfWidth;
        half = half < ROUNDING * Math.abs(mean) ? 0 : half;
        Unit unit = unit(Math.max(Math.abs(mean), half));
        double scaledMean = mean * unit.factor();
        double scaledHalf = half * unit.factor();
        int decimals = scaledHalf > 0 ? Numbers.decimalsFor(scaledHalf, 2) : Numbers.decimalsFor(scaledMean, 3);
        if (scaledHalf == 0 && scaledMean == Math.rint(scaledMean)) {
            decimals = 0;
        }
        // 1.1 ± 1.1 would hide on which side of 0 the interval ends.
        int most = decimals + 2;
        while (decimals < most
                && scaledHalf != Math.abs(scaledMean)
                && Numbers.fixed(Math.abs(scaledMean), decimals).equals(Numbers.fixed(scaledHalf, decimals))) {
            decimals++;
        }
        String text = Numbers.fixed(scaledMean, decimals);
        return (scaledHalf == 0 ? text : text + " ± " + Numbers.fixed(scaledHalf, decimals)) + unit.suffix();
    }

    /** {@code 5.9 (0 to 22) min}: a value of some runs, and the least and the greatest of them. */
    String formatRange(double mean, double least, double most) {
        Unit unit = unit(Math.max(Math.abs(mean), Math.abs(most)));
        return Numbers.plain(mean * unit.factor()) + " (" + Numbers.plain(least * unit.factor()) + " to "
                + Numbers.plain(most * unit.factor()) + ")" + unit.suffix();
    }

    /** {@code 10 (at most 25) s}: a value, and an upper limit of what it estimates. */
    String formatMost(double mean, double most) {
        Unit unit = unit(Math.abs(most));
        return Numbers.plain(mean * unit.factor()) + " (at most " + Numbers.plain(most * unit.factor()) + ")"
                + unit.suffix();
    }

    /** {@code 79 (at least 45) %}: a value, and a lower limit of what it estimates. */
    String formatLeast(double mean, double least) {
        Unit unit = unit(Math.abs(mean));
        return Numbers.plain(mean * unit.factor()) + " (at least " + Numbers.plain(least * unit.factor()) + ")"
                + unit.suffix();
    }

    /** {@code 189 to 258}. */
    String formatRange(double least, double most) {
        Unit unit = unit(Math.abs(most));
        return Numbers.plain(least * unit.factor()) + " to " + Numbers.plain(most * unit.factor()) + unit.suffix();
    }

    /** As {@link #format}; the difference of two shares is in percentage points. */
    String formatDifference(double mean, @Nullable Double halfWidth) {
        String text = format(mean, halfWidth);
        return this == FRACTION ? text.replace(" %", " percentage points") : text;
    }

    /** A given value such as a horizon: {@code 5.7 d}, without zeros at the end. */
    String plain(double value) {
        Unit unit = unit(Math.abs(value));
        return Numbers.plain(value * unit.factor()) + unit.suffix();
    }
}
