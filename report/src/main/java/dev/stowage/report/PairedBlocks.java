package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.TimeBlocks;
import dev.stowage.sim.statistics.Intervals;
import java.util.Arrays;
import java.util.Optional;

/** A metric of two policies in the same blocks of time. */
public record PairedBlocks(
        double[] numerators, double[] denominators, double[] otherNumerators, double[] otherDenominators) {

    /** Both converted to the longer of the two block lengths, and cut to the shorter run. */
    static PairedBlocks of(TimeBlocks a, TimeBlocks b) {
        TimeBlocks first = a;
        TimeBlocks second = b;
        while (first.widthSeconds() < 0.75 * second.widthSeconds()) {
            first = merged(first);
        }
        while (second.widthSeconds() < 0.75 * first.widthSeconds()) {
            second = merged(second);
        }
        int length = Math.min(first.numerators().length, second.numerators().length);
        return new PairedBlocks(
                Arrays.copyOf(first.numerators(), length),
                denominators(first, length),
                Arrays.copyOf(second.numerators(), length),
                denominators(second, length));
    }

    /**
     * The metric of one policy minus that of another on the same requests, with the interval that it would have on
     * other requests like these; empty if the runs have no blocks of it.
     */
    public static Optional<Estimate> difference(RunRow one, RunRow other, String metric, double confidence) {
        TimeBlocks a = one.blocks().get(metric);
        TimeBlocks b = other.blocks().get(metric);
        PairedBlocks paired = a == null || b == null ? null : of(a, b);
        return paired == null || paired.length() == 0
                ? Optional.empty()
                : Optional.of(Intervals.batchDifference(
                        paired.numerators,
                        paired.denominators,
                        paired.otherNumerators,
                        paired.otherDenominators,
                        confidence));
    }

    int length() {
        return numerators.length;
    }

    private static double[] denominators(TimeBlocks blocks, int length) {
        double[] denominators = Arrays.copyOf(blocks.denominators(), length);
        if (blocks.denominators().length == 0) {
            Arrays.fill(denominators, 1);
        }
        return denominators;
    }

    private static TimeBlocks merged(TimeBlocks blocks) {
        double weight = blocks.denominators().length == 0 ? 0.5 : 1;
        return new TimeBlocks(
                2 * blocks.widthSeconds(), pairs(blocks.numerators(), weight), pairs(blocks.denominators(), 1));
    }

    private static double[] pairs(double[] values, double weight) {
        double[] pairs = new double[values.length / 2];
        Arrays.setAll(pairs, i -> weight * (values[2 * i] + values[2 * i + 1]));
        return pairs;
    }
}
