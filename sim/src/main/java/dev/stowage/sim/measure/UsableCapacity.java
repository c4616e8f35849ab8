package dev.stowage.sim.measure;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of the free capacity requests of one size could use: the amount that the servers could hold of such
 * requests. For this size, the rest is lost to fragmentation. Sizes are the largest, the median and the smallest
 * request so far, by the greatest share of a server that they demand in any resource; where a resource comes in
 * devices, also the latest request of each type, if types are few. A part of a device must fit on one of them.
 *
 * <p>Sampled once per interval of the grid, in one pass over the servers, not at every event: at a placement, after all
 * that is placed at the same instant; also where one of few servers comes or goes. The median is that of a
 * systematic sample of the arrivals, at most 1024 of them.
 */
final class UsableCapacity {
    static final List<String> SIZES = List.of("largest", "median", "smallest");

    /** Row of the amounts that the median request could use. */
    static final int MEDIAN = 1;

    private static final int MOST_SAMPLED = 1024;
    /** Of more servers a single one that comes or goes is a small part, and looking at all takes long. */
    private static final int FEW = 100;

    /** With more types there are only sizes. */
    private static final int MOST_TYPES = 8;

    private final View view;
    private final int resources;
    /** By size, then by type, and resource. The last is what is free. */
    private final Trajectory[][] usable;

    /** What the latest request of each type demanded; null before it. */
    private final long[] @Nullable [] ofType;

    private final List<Sized> sample = new ArrayList<>();
    /** The sample by share; of equal shares, in the order in which they came. */
    private final List<Sized> sorted = new ArrayList<>();

    private long arrivals;
    private long stride = 1;
    private @Nullable Sized largest;
    private @Nullable Sized smallest;
    private long looked = Long.MIN_VALUE;
    /** Whether something came or was placed at the instant of the last sample, after it. */
    private boolean stale;

    /** A demand, and its greatest share of a server when it came. */
    private record Sized(double share, long[] demand) {}

    /** Whose use of what is free is looked at, as labels of names, in the order of {@link #amounts}. */
    static List<String> requests(List<String> types) {
        List<String> requests = new ArrayList<>();
        SIZES.forEach(size -> requests.add("request=" + size));
        if (types.size() <= MOST_TYPES) {
            types.forEach(type -> requests.add("type=" + type));
        }
        return requests;
    }

    /** @param types how many types of requests are told apart */
    UsableCapacity(TimeGrid grid, View view, int types) {
        this.view = view;
        resources = view.resources();
        boolean devices = view.deviceResource() != View.NONE;
        ofType = new long[devices && types <= MOST_TYPES ? types : 0][];
        usable = new Trajectory[SIZES.size() + ofType.length + 1][resources];
        for (Trajectory[] row : usable) {
            Arrays.setAll(row, r -> new Trajectory(grid, 0));
        }
    }

    /**
     * Amounts over time by resource: what requests of each size could use; where a resource comes in devices, also what
     * those of each type could use; at last what was free.
     */
    Trajectory[][] amounts() {
        return usable;
    }

    void arrived(long now, int job) {
        settle(now);
        stale |= now == looked;
        int type = view.type(job);
        if (type >= 0 && type < ofType.length) {
            ofType[type] = demand(job);
        }
        boolean sampled = arrivals++ % stride == 0;
        double share = share(job);
        boolean more = largest == null || share > largest.share();
        boolean less = smallest == null || share < smallest.share();
        if (!sampled && !more && !less) {
            return;
        }
        Sized sized = new Sized(share, demand(job));
        largest = more ? sized : largest;
        smallest = less ? sized : smallest;
        if (sampled) {
            sample.add(sized);
            insert(sized);
            if (sample.size() == MOST_SAMPLED) {
                List<Sized> every = new ArrayList<>(sample);
                sample.clear();
                sorted.clear();
                for (int i = 0; i < every.size(); i += 2) {
                    sample.add(every.get(i));
                    insert(every.get(i));
                }
                stride *= 2;
            }
        }
    }

    private void insert(Sized sized) {
        int low = 0;
        for (int high = sorted.size(); low < high; ) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).share() <= sized.share()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        sorted.add(low, sized);
    }

    private long[] demand(int job) {
        long[] demand = new long[resources];
        Arrays.setAll(demand, r -> view.demand(job, r));
        return demand;
    }

    private double share(int job) {
        double share = 0;
        for (int r = 0; r < resources && view.servers() > 0; r++) {
            share = Math.max(share, (double) view.demand(job, r) / Math.max(1, view.capacity(0, r)));
        }
        return share;
    }

    /** Takes a sample if the last one is an interval ago. To be called at a placement. */
    void look(long now, long intervalNanos) {
        settle(now);
        if (looked != Long.MIN_VALUE && now - looked < intervalNanos) {
            stale |= now == looked;
        } else {
            looked = now;
            sample(now);
        }
    }

    /** Takes the last sample again if its instant is over and it lacks a part of it. To be called as time moves on. */
    void settle(long now) {
        if (stale && now > looked) {
            stale = false;
            sample(looked);
        }
    }

    /** A server came or went: of few a sample, so that what is free is on servers that are there. */
    void changed(long now) {
        if (view.servers() > FEW) {
            return;
        }
        stale = false;
        sample(now);
    }

    private void sample(long now) {
        if (largest == null || smallest == null) {
            return;
        }
        long[] @Nullable [] demands = new long[usable.length - 1][];
        demands[0] = largest.demand();
        demands[MEDIAN] = sorted.get(sorted.size() / 2).demand();
        demands[2] = smallest.demand();
        System.arraycopy(ofType, 0, demands, SIZES.size(), ofType.length);
        long[] fit = new long[demands.length];
        long[] free = new long[resources];
        long[] here = new long[resources];
        Arrays.fill(here, -1);
        long[] rooms = new long[demands.length];
        boolean devices = view.deviceResource() != View.NONE;
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP) {
                // Many servers in a row have the same free, such as all.
                boolean other = devices;
                for (int r = 0; r < resources; r++) {
                    long amount = Math.max(0, view.free(server, r));
                    other |= amount != here[r];
                    here[r] = amount;
                    free[r] += amount;
                }
                for (int k = 0; k < demands.length; k++) {
                    long[] demand = demands[k];
                    if (other && demand != null) {
                        rooms[k] = room(server, here, demand);
                    }
                    fit[k] += rooms[k];
                }
            }
        }
        for (int r = 0; r < resources; r++) {
            for (int k = 0; k < demands.length; k++) {
                long[] demand = demands[k];
                // Of a type of which none has come, all that is free counts as usable.
                usable[k][r].set(now, demand == null ? free[r] : fit[k] * demand[r]);
            }
            usable[demands.length][r].set(now, free[r]);
        }
    }

    /** How many such requests a server with so much free has room for; 0 if they demand nothing. */
    private long room(int server, long[] free, long[] demand) {
        long room = Long.MAX_VALUE;
        for (int r = 0; r < resources; r++) {
            if (demand[r] > 0) {
                long its = r == view.deviceResource() ? ofDevices(server, demand[r]) : free[r] / demand[r];
                room = Math.min(room, Math.max(0, its));
            }
        }
        return room == Long.MAX_VALUE ? 0 : room;
    }

    /** Whole devices, or parts that each fit on one. */
    private long ofDevices(int server, long demand) {
        if (demand >= view.deviceAmount()) {
            return view.room(server, view.deviceResource()) / demand;
        }
        long parts = 0;
        for (long rest = view.devicesOf(server); rest != 0; rest &= rest - 1) {
            parts += Math.max(0, view.deviceFree(server, Long.numberOfTrailingZeros(rest))) / demand;
        }
        return parts;
    }

    void advance(long endNanos) {
        settle(endNanos);
        for (Trajectory[] row : usable) {
            for (Trajectory each : row) {
                each.advance(endNanos);
            }
        }
    }
}
