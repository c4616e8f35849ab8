package dev.stowage.policies.reservation;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.learn.ServiceTimes;
import java.util.Arrays;

/**
 * The offered load of each type, arrival rate times mean service time, rejected requests included (the closing remark
 * of Psychas and Ghaderi 2020, section 5). The rate is the number of past arrivals, each weighing exp(-age / tau),
 * divided by tau, which is a few mean service times. The part exp(-T / tau) of the weights that lies before the start,
 * T ago, is replaced by the requests present; while no mean service time is known, the whole estimate is.
 *
 * <p>Never less than the requests present: a mean that is learnt from ended requests is far too small as long as the
 * long ones still run, and slots for fewer requests than are present would reject all new ones.
 */
final class EstimatedWorkload extends PresentWorkload {
    private final double memory;
    private final ServiceTimes services;
    /** Weight of the arrivals of a type at {@link #since}. */
    private final double[] weight;

    private final long[] since;
    private long start;

    /**
     * An estimate for the types of a view.
     *
     * @param memory tau in mean service times
     * @param present requests present per type, kept by the owner
     */
    EstimatedWorkload(View view, double memory, long[] present) {
        super(present);
        this.memory = memory;
        services = new ServiceTimes(view);
        weight = new double[view.types()];
        since = new long[view.types()];
        start = view.now();
        Arrays.fill(since, start);
    }

    @Override
    long of(int type, View view) {
        double mean = services.meanNanos(type, 0);
        if (!(mean > 0)) {
            return super.of(type, view);
        }
        double tau = memory * mean;
        double offered = weight[type] * decay(view.now() - since[type], tau) / memory;
        long present = super.of(type, view);
        double unseen = decay(view.now() - start, tau) * present;
        return Math.max(present, (long) StrictMath.ceil(offered + unseen));
    }

    /** The longest of the mean service times that are known, nanoseconds; 0 if none is. */
    double longestMeanNanos() {
        double longest = 0;
        for (int type = 0; type < weight.length; type++) {
            longest = Math.max(longest, services.meanNanos(type, 0));
        }
        return longest;
    }

    private static double decay(long nanos, double tau) {
        return StrictMath.exp(-nanos / tau);
    }

    @Override
    void arrived(int type, View view) {
        double mean = services.meanNanos(type, 0);
        // Without a mean there is no tau yet, and the past counts in full.
        double kept = mean > 0 ? decay(view.now() - since[type], memory * mean) : 1;
        weight[type] = weight[type] * kept + 1;
        since[type] = view.now();
    }

    @Override
    void started(int job, View view) {
        services.started(view, job);
    }

    @Override
    void ended(int job, View view) {
        services.ended(view, job);
    }

    @Override
    void displaced(int job) {
        services.displaced(job);
    }

    @Override
    void save(StateWriter out) {
        services.save(out);
        out.putLong(start);
        out.putLongs(since, since.length);
        for (double each : weight) {
            out.putDouble(each);
        }
    }

    @Override
    void restore(StateReader in) {
        services.restore(in);
        start = in.getLong();
        System.arraycopy(in.getLongs(), 0, since, 0, since.length);
        for (int type = 0; type < weight.length; type++) {
            weight[type] = in.getDouble();
        }
    }
}
