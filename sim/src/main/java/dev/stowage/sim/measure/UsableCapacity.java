package dev.stowage.sim.measure;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of the free capacity requests of one size could use: the amount that the servers could hold of such
 * requests. For this size, the rest is lost to fragmentation. Sizes are the largest, the median and the smallest
 * request so far, by the greatest share of a server that they demand in any resource.
 *
 * <p>Sampled once per interval of the grid, in O(servers x resources), not at every event. The median is that of a
 * systematic sample of the arrivals, at most 1024 of them.
 */
final class UsableCapacity {
    static final List<String> SIZES = List.of("largest", "median", "smallest");

    private static final int MOST_SAMPLED = 1024;

    private final View view;
    private final int resources;
    /** By size and resource. */
    private final Trajectory[][] usable;

    private final List<Sized> sample = new ArrayList<>();
    /** The median of the sample; null after the sample has changed. */
    private @Nullable Sized median;

    private long arrivals;
    private long stride = 1;
    private @Nullable Sized largest;
    private @Nullable Sized smallest;
    private long looked = Long.MIN_VALUE;

    /** A demand, and its greatest share of a server when it came. */
    private record Sized(double share, long[] demand) {}

    UsableCapacity(TimeGrid grid, View view) {
        this.view = view;
        resources = view.resources();
        usable = new Trajectory[SIZES.size()][resources];
        for (Trajectory[] row : usable) {
            Arrays.setAll(row, r -> new Trajectory(grid, 0));
        }
    }

    /** Amounts over time that requests of a size could use, by size and resource. */
    Trajectory[][] amounts() {
        return usable;
    }

    void arrived(int job) {
        boolean sampled = arrivals++ % stride == 0;
        double share = share(job);
        boolean more = largest == null || share > largest.share();
        boolean less = smallest == null || share < smallest.share();
        if (!sampled && !more && !less) {
            return;
        }
        long[] demand = new long[resources];
        Arrays.setAll(demand, r -> view.demand(job, r));
        Sized sized = new Sized(share, demand);
        largest = more ? sized : largest;
        smallest = less ? sized : smallest;
        if (sampled) {
            sample.add(sized);
            median = null;
            if (sample.size() == MOST_SAMPLED) {
                List<Sized> every = new ArrayList<>(sample);
                sample.clear();
                for (int i = 0; i < every.size(); i += 2) {
                    sample.add(every.get(i));
                }
                stride *= 2;
            }
        }
    }

    private double share(int job) {
        double share = 0;
        for (int r = 0; r < resources && view.servers() > 0; r++) {
            share = Math.max(share, (double) view.demand(job, r) / Math.max(1, view.capacity(0, r)));
        }
        return share;
    }

    /** Takes a sample if the last one is an interval ago. */
    void look(long now, long intervalNanos) {
        if (largest == null || smallest == null || (looked != Long.MIN_VALUE && now - looked < intervalNanos)) {
            return;
        }
        looked = now;
        if (median == null) {
            List<Sized> sorted = new ArrayList<>(sample);
            sorted.sort(Comparator.comparingDouble(Sized::share));
            median = sorted.isEmpty() ? largest : sorted.get(sorted.size() / 2);
        }
        set(now, 0, largest.demand());
        set(now, 1, median.demand());
        set(now, 2, smallest.demand());
    }

    private void set(long now, int size, long[] demand) {
        long fit = 0;
        for (int server = 0; server < view.servers(); server++) {
            fit += view.status(server) == ServerStatus.UP ? room(server, demand) : 0;
        }
        for (int r = 0; r < resources; r++) {
            usable[size][r].set(now, fit * demand[r]);
        }
    }

    /** How many such requests a server has room for; 0 if they demand nothing. */
    private long room(int server, long[] demand) {
        long room = Long.MAX_VALUE;
        for (int r = 0; r < resources; r++) {
            if (demand[r] > 0) {
                room = Math.min(room, Math.max(0, view.free(server, r)) / demand[r]);
            }
        }
        return room == Long.MAX_VALUE ? 0 : room;
    }

    void advance(long endNanos) {
        for (Trajectory[] row : usable) {
            for (Trajectory each : row) {
                each.advance(endNanos);
            }
        }
    }
}
