package dev.stowage.policies.reservation;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * The workload reference of {@link Dra} as in the paper, the requests present, which also watches what part of the
 * greatest reward the accepted requests pay. With a_j the part of the arrivals of type j that were accepted since it
 * looked last, rho_j the learned load and u_j the reward, they pay sum_j u_j rho_j a_j in the long run. The greatest is
 * at most that of requests which may be divided, in whichever single resource allows the least: the fractional knapsack
 * of Dantzig (Discrete-Variable Extremum Problems, 1957).
 */
final class ReserveWatch extends PresentWorkload {
    /** Arrivals per server before it looks again, at least. */
    static final long ARRIVALS = 16;

    private final double memory;
    private final EstimatedWorkload load;
    private final long[] came;
    private final long[] accepted;
    private long since;
    private long lookedAt;

    /**
     * Begins to watch.
     *
     * @param memory of the load that is learned, in mean service times
     * @param present requests present per type, kept by the owner
     */
    ReserveWatch(View view, double memory, long[] present) {
        super(present);
        this.memory = memory;
        load = new EstimatedWorkload(view, memory, present);
        came = new long[present.length];
        accepted = new long[present.length];
        lookedAt = view.now();
    }

    @Override
    void arrived(int type, View view) {
        load.arrived(type, view);
        came[type]++;
        since++;
    }

    @Override
    void started(int job, View view) {
        load.started(job, view);
        accepted[view.type(job)]++;
    }

    @Override
    void ended(int job, View view) {
        load.ended(job, view);
    }

    @Override
    void displaced(int job) {
        load.displaced(job);
    }

    /** Whether enough requests have come since it looked last, in as long as the load is remembered. */
    boolean isDue(View view) {
        return since >= ARRIVALS * view.servers() && view.now() - lookedAt >= memory * load.longestMeanNanos();
    }

    /** Looks: the part of the greatest reward that what was accepted pays, at least. */
    double part(View view) {
        double[] offered = new double[came.length];
        double pays = 0;
        for (int type = 0; type < offered.length; type++) {
            offered[type] = view.typeReward(type) * (double) load.of(type, view);
            pays += came[type] == 0 ? offered[type] : offered[type] * Math.min(1, accepted[type] / (double) came[type]);
        }
        Arrays.fill(came, 0);
        Arrays.fill(accepted, 0);
        since = 0;
        lookedAt = view.now();
        double greatest = Double.POSITIVE_INFINITY;
        for (int r = 0; r < view.resources(); r++) {
            greatest = Math.min(greatest, greatest(offered, r, view));
        }
        return greatest > 0 ? pays / greatest : 1;
    }

    /** The most that requests pay which need only one resource and may be divided. */
    private double greatest(double[] offered, int resource, View view) {
        double left = 0;
        for (int server = 0; server < view.servers(); server++) {
            left += view.status(server) == ServerStatus.UP ? view.capacity(server, resource) : 0;
        }
        boolean[] done = new boolean[offered.length];
        double pays = 0;
        for (int k = 0; k < offered.length; k++) {
            int best = View.NONE;
            for (int type = 0; type < offered.length; type++) {
                if (!done[type]
                        && (best == View.NONE || density(type, resource, view) > density(best, resource, view))) {
                    best = type;
                }
            }
            done[best] = true;
            double needs = view.typeDemand(best, resource) * (double) load.of(best, view);
            double part = needs <= left ? 1 : left / needs;
            pays += part * offered[best];
            left -= part * needs;
        }
        return pays;
    }

    /** What a type pays for a unit of a resource; infinite if it needs none. */
    private static double density(int type, int resource, View view) {
        return view.typeReward(type) / (double) view.typeDemand(type, resource);
    }

    @Override
    void save(StateWriter out) {
        load.save(out);
        out.putLongs(came, came.length);
        out.putLongs(accepted, accepted.length);
        out.putLong(since);
        out.putLong(lookedAt);
    }

    @Override
    void restore(StateReader in) {
        load.restore(in);
        System.arraycopy(in.getLongs(), 0, came, 0, came.length);
        System.arraycopy(in.getLongs(), 0, accepted, 0, accepted.length);
        since = in.getLong();
        lookedAt = in.getLong();
    }
}
