package dev.stowage.sim.measure;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

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

    private final List<long[]> sample = new ArrayList<>();
    private long arrivals;
    private long stride = 1;
    private long[] largest = {};
    private long[] smallest = {};
    private long looked = Long.MIN_VALUE;

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
        boolean first = largest.length == 0;
        boolean more = first || share > share(largest);
        boolean less = first || share < share(smallest);
        if (!sampled && !more && !less) {
            return;
        }
        long[] demand = new long[resources];
        Arrays.setAll(demand, r -> view.demand(job, r));
        largest = more ? demand : largest;
        smallest = less ? demand : smallest;
        if (sampled) {
            sample.add(demand);
            if (sample.size() == MOST_SAMPLED) {
                List<long[]> every = new ArrayList<>(sample);
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

    private double share(long[] demand) {
        double share = 0;
        for (int r = 0; r < resources && view.servers() > 0; r++) {
            share = Math.max(share, (double) demand[r] / Math.max(1, view.capacity(0, r)));
        }
        return share;
    }

    /** Takes a sample if the last one is an interval ago. */
    void look(long now, long intervalNanos) {
        if (largest.length == 0 || (looked != Long.MIN_VALUE && now - looked < intervalNanos)) {
            return;
        }
        looked = now;
        List<long[]> sorted = new ArrayList<>(sample);
        sorted.sort(Comparator.comparingDouble(this::share));
        long[] median = sorted.isEmpty() ? largest : sorted.get(sorted.size() / 2);
        set(now, 0, largest);
        set(now, 1, median);
        set(now, 2, smallest);
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
