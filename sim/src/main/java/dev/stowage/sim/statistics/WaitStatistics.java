package dev.stowage.sim.statistics;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import org.jspecify.annotations.Nullable;

/**
 * Mean, maximum, count and quantiles of waits.
 *
 * <p>Count, sum and maximum are exact. A quantile is exact below 256 ns and otherwise within 0.4 % of the wait at that
 * rank: the middle of a cell of relative width 2^-7. Waits may be as long as a long can hold. Merging gives the same
 * bits in any order. An observation costs O(1); memory grows with the number of different magnitudes seen (24 to 48
 * bytes each), not with observations, and a request that does not wait touches two counters. Not thread-safe.
 */
public final class WaitStatistics {
    private final Int128 sum = new Int128();
    private long count;
    private long max;
    private long zeros;
    private @Nullable LogHistogram positive;

    /**
     * One request waited {@code waitNanos}.
     *
     * @throws IllegalArgumentException if negative
     */
    public void add(long waitNanos) {
        if (waitNanos < 0) {
            throw new IllegalArgumentException("wait of " + waitNanos + " ns, must be at least 0");
        }
        count++;
        if (waitNanos == 0) {
            zeros++;
            return;
        }
        sum.add(waitNanos);
        max = Math.max(max, waitNanos);
        histogram().add(waitNanos);
    }

    /** Adds all observations of {@code other}, which stays as it is. */
    public void add(WaitStatistics other) {
        count += other.count;
        zeros += other.zeros;
        sum.add(other.sum);
        max = Math.max(max, other.max);
        if (other.positive != null) {
            histogram().add(other.positive);
        }
    }

    void write(StateWriter out) {
        out.putNumber(count);
        out.putNumber(zeros);
        if (positive != null) {
            sum.write(out);
            out.putNumber(max);
            positive.write(out);
        }
    }

    static WaitStatistics read(StateReader in) {
        WaitStatistics statistics = new WaitStatistics();
        statistics.count = in.getNumber();
        statistics.zeros = in.getNumber();
        if (statistics.count > statistics.zeros) {
            statistics.sum.read(in);
            statistics.max = in.getNumber();
            statistics.positive = LogHistogram.read(in);
        }
        return statistics;
    }

    /** Number of observations. */
    public long count() {
        return count;
    }

    /** Number of requests that waited. */
    public long positiveCount() {
        return count - zeros;
    }

    /** Sum of all waits, rounded once. */
    public double sumNanos() {
        return sum.toDouble();
    }

    /** Mean wait; NaN without observations. */
    public double meanNanos() {
        return sum.toDouble() / count;
    }

    /** Longest wait; 0 without observations. */
    public long maxNanos() {
        return max;
    }

    /**
     * The smallest wait that at least the fraction {@code probability} of the requests did not exceed (the observation
     * of rank ceil(probability * count)); NaN without observations.
     *
     * @param probability 0 to 1; 0 gives the smallest wait
     */
    public double quantileNanos(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability " + probability + ", must be 0 to 1");
        }
        if (count == 0) {
            return Double.NaN;
        }
        long rank = rank(probability);
        if (positive == null || rank <= zeros) {
            return 0;
        }
        return Math.min((double) max, positive.valueAtRank(rank - zeros));
    }

    /** One ulp less than the product, so that 0.07 * 100 = 7.000000000000001 means rank 7. */
    private long rank(double probability) {
        long rank = (long) Math.ceil(Math.nextDown(probability * count));
        return Math.max(1, Math.min(count, rank));
    }

    private LogHistogram histogram() {
        if (positive == null) {
            positive = new LogHistogram();
        }
        return positive;
    }
}
