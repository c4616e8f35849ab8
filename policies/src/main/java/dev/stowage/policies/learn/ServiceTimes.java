package dev.stowage.policies.learn;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * The mean service time of each type: the declared one ({@link View#typeMeanService}), else the mean over the requests
 * of the type whose start and end were seen. Requests that ran when the policy took over do not count, because their
 * start is unknown.
 *
 * <p>With a gain theta, the estimate follows the observed times even if a mean is declared: it starts from the declared
 * mean, else from the first observed time, and each observed time T makes it theta T + (1 - theta) times itself (Guo,
 * Stolyar and Walid 2013, section VI).
 */
public final class ServiceTimes {
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final long[] declared;
    private final double theta;
    private final double[] sumNanos;
    private final double[] smoothed;
    private final long[] seen;
    /** Ends seen of types that declare no mean. */
    private long undeclaredSeen;

    private long[] startedAt = {};

    /** Estimates for the types of a view, without gain. */
    public ServiceTimes(View view) {
        this(view, 0);
    }

    /**
     * Estimates for the types of a view.
     *
     * @param theta gain, 0 to 1; with 0 declared means are taken as they are
     */
    public ServiceTimes(View view, double theta) {
        this.theta = theta;
        declared = new long[view.types()];
        Arrays.setAll(declared, view::typeMeanService);
        smoothed = new double[declared.length];
        Arrays.setAll(smoothed, type -> declared[type]);
        sumNanos = new double[declared.length];
        seen = new long[declared.length];
    }

    /** Mean service time of a type, nanoseconds; {@code otherwise} if it is neither declared nor observed. */
    public double meanNanos(int type, double otherwise) {
        if (theta > 0 && smoothed[type] > 0) {
            return smoothed[type];
        }
        if (declared[type] > 0) {
            return declared[type];
        }
        return seen[type] > 0 ? sumNanos[type] / seen[type] : otherwise;
    }

    /** Mean of the declared means, nanoseconds; {@code otherwise} if no type declares one. */
    public double declaredMeanNanos(double otherwise) {
        return Arrays.stream(declared).filter(nanos -> nanos > 0).average().orElse(otherwise);
    }

    /** Mean of the means that are declared or seen, nanoseconds; {@code otherwise} if there is none. */
    public double knownMeanNanos(double otherwise) {
        double sum = 0;
        int known = 0;
        for (int type = 0; type < declared.length; type++) {
            double mean = meanNanos(type, 0);
            sum += mean;
            known += mean > 0 ? 1 : 0;
        }
        return known > 0 ? sum / known : otherwise;
    }

    /**
     * How well undeclared means are known: grows with the first observed end of service of a type without a declared
     * mean, and whenever the number of these ends doubles; stays 0 if all types declare one.
     */
    public int stage() {
        return Long.SIZE - Long.numberOfLeadingZeros(undeclaredSeen);
    }

    /** A request has started. */
    public void started(View view, int job) {
        if (job >= startedAt.length) {
            int before = startedAt.length;
            startedAt = Arrays.copyOf(startedAt, job + 1 + before / 2);
            Arrays.fill(startedAt, before, startedAt.length, UNKNOWN);
        }
        startedAt[job] = view.now();
    }

    /** A request has ended its service. */
    public void ended(View view, int job) {
        int type = view.type(job);
        if (job < startedAt.length && startedAt[job] != UNKNOWN) {
            double nanos = view.now() - startedAt[job];
            sumNanos[type] += nanos;
            smoothed[type] = smoothed[type] == 0 ? nanos : theta * nanos + (1 - theta) * smoothed[type];
            seen[type]++;
            undeclaredSeen += declared[type] > 0 ? 0 : 1;
            startedAt[job] = UNKNOWN;
        }
    }

    /** A running request has lost its server: its service did not end. */
    public void displaced(int job) {
        if (job < startedAt.length) {
            startedAt[job] = UNKNOWN;
        }
    }

    /** Writes what was seen. */
    public void save(StateWriter out) {
        for (int type = 0; type < seen.length; type++) {
            out.putDouble(sumNanos[type]);
            out.putDouble(smoothed[type]);
        }
        out.putLongs(seen, seen.length);
        int known = startedAt.length;
        while (known > 0 && startedAt[known - 1] == UNKNOWN) {
            known--;
        }
        out.putLongs(startedAt, known);
    }

    /** Reads what was seen. */
    public void restore(StateReader in) {
        for (int type = 0; type < seen.length; type++) {
            sumNanos[type] = in.getDouble();
            smoothed[type] = in.getDouble();
        }
        System.arraycopy(in.getLongs(), 0, seen, 0, seen.length);
        undeclaredSeen = 0;
        for (int type = 0; type < seen.length; type++) {
            undeclaredSeen += declared[type] > 0 ? 0 : seen[type];
        }
        startedAt = in.getLongs();
    }
}
