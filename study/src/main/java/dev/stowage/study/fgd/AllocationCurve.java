package dev.stowage.study.fgd;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The per cent of GPUs allocated at each whole per cent of GPUs asked for, as the authors' analysis makes it: each
 * arrival counts at the nearest per cent asked for, its allocation has two digits, and a point is the mean of its
 * arrivals, or of its neighbours' where it has none, with two digits. The mean is that of Python's numpy to the
 * bit. Where there are none either, the point before holds on.
 */
final class AllocationCurve {
    /** Points, from 0 to 130 % asked for. */
    static final int POINTS = 131;

    private static final int IN_A_ROW = 8;
    private static final int IN_A_BLOCK = 128;

    private final double gpus;
    private final List<List<Double>> arrivals = new ArrayList<>();

    AllocationCurve(double gpus) {
        this.gpus = gpus;
        for (int i = 0; i <= POINTS; i++) {
            arrivals.add(new ArrayList<>());
        }
    }

    /** After an arrival: thousandths of GPUs asked for and allocated so far. */
    void add(long askedMilli, long allocatedMilli) {
        int point = (int) Math.rint(askedMilli / gpus / 10);
        arrivals.get(Math.min(point, POINTS)).add(twoDigits(allocatedMilli / gpus / 10));
    }

    private static double twoDigits(double value) {
        return new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).doubleValue();
    }

    /** The points. */
    double[] points() {
        double[] points = new double[POINTS];
        for (int i = 0; i < POINTS; i++) {
            List<Double> here = new ArrayList<>(arrivals.get(i));
            if (here.isEmpty()) {
                here.addAll(i > 0 ? arrivals.get(i - 1) : List.of());
                here.addAll(arrivals.get(i + 1));
            }
            double[] values = here.stream().mapToDouble(each -> each).toArray();
            points[i] = values.length == 0
                    ? points[Math.max(0, i - 1)]
                    : Math.rint(sum(values, 0, values.length) / values.length * 100) / 100;
        }
        return points;
    }

    /** The sum in numpy's order: eight running sums for up to 128 values, halves for more. */
    private static double sum(double[] values, int from, int count) {
        if (count > IN_A_BLOCK) {
            int half = count / 2 - count / 2 % IN_A_ROW;
            return sum(values, from, half) + sum(values, from + half, count - half);
        }
        int inRows = count < IN_A_ROW ? 0 : count - count % IN_A_ROW;
        double total = 0;
        if (inRows > 0) {
            double[] sums = new double[IN_A_ROW];
            for (int i = 0; i < inRows; i++) {
                sums[i % IN_A_ROW] += values[from + i];
            }
            total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
        }
        for (int i = inRows; i < count; i++) {
            total += values[from + i];
        }
        return total;
    }
}
