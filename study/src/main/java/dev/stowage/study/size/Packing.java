package dev.stowage.study.size;

import dev.stowage.optimize.bound.CheapestServers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The least cost of servers for what is present at one moment, by the program of {@link CheapestServers}. */
final class Packing {
    /** Each program begins anew, whatever was solved before. */
    static final Packing ANEW = new Packing(null);

    /**
     * If there are more kinds of requests they are merged for the program, each with the least amounts of those that it
     * replaces.
     */
    private static final int MOST_KINDS = 48;
    /** Cells of kinds grow by this factor until they are few enough. */
    private static final double COARSER = 1.1;

    private static final double TOLERANCE = 1e-4;
    private static final int ROUNDS = 300;

    /** By a server and the types of requests: configurations found so far. Null if none are kept. */
    private final @Nullable Map<List<List<Long>>, List<int[]>> found;

    private final Map<Program, PackedCost> solved = new HashMap<>();

    private Packing(@Nullable Map<List<List<Long>>, List<int[]>> found) {
        this.found = found;
    }

    /** Each program begins with the configurations that were found before; the same one is solved once. */
    static Packing remembering() {
        return new Packing(new HashMap<>());
    }

    /** Each replication; at the same time only where no answer depends on what was asked before. */
    IntStream replications(int number) {
        IntStream all = IntStream.range(0, number);
        return found == null ? all.parallel() : all;
    }

    /** All that an answer depends on. */
    private record Program(
            List<List<Long>> kinds, List<Double> price, List<List<Long>> demands, List<Double> numbers, long leftOut) {}

    /**
     * The requests that are present at a moment.
     *
     * @param nanos when
     * @param count by kind of request
     */
    record PeakMoment(long nanos, long[] count) {}

    /**
     * The least cost with the types of its program.
     *
     * @param demands of a type, the least amounts of the requests that it stands for
     */
    record PackedCost(List<long[]> demands, CheapestServers.LeastCost cost) {}

    /** The moments at which some resource is at its greatest, each once, in order of time. */
    static List<PeakMoment> peaks(Supplier<Sweep> sweeps) {
        Sweep sweep = sweeps.get();
        long[] peak = new long[sweep.resources()];
        long[] peakAt = new long[peak.length];
        while (sweep.next()) {
            for (int r = 0; r < peak.length; r++) {
                if (sweep.sum(r) > peak[r]) {
                    peak[r] = sweep.sum(r);
                    peakAt[r] = sweep.now();
                }
            }
        }
        long[] moments = Arrays.stream(peakAt).sorted().distinct().toArray();
        List<PeakMoment> peaks = new ArrayList<>();
        Sweep again = sweeps.get();
        while (again.next()) {
            if (Arrays.binarySearch(moments, again.now()) >= 0) {
                // The last request of a moment completes it.
                if (!peaks.isEmpty() && peaks.get(peaks.size() - 1).nanos() == again.now()) {
                    peaks.remove(peaks.size() - 1);
                }
                peaks.add(new PeakMoment(again.now(), again.counts()));
            }
        }
        return peaks;
    }

    /** The prices of the program for the fewest servers of the kinds that grow. */
    Evidence evidence(RequestList requests, PeakMoment at, ServerFleet fleet, long leftOut) {
        double[] one = new double[fleet.kinds().length];
        Arrays.fill(one, 1);
        return Evidence.packing(at.nanos(), least(requests, at, fleet.kinds(), one, leftOut));
    }

    /**
     * The least cost.
     *
     * @param capacity of each kind of server
     * @param price of each
     * @param leftOut number of requests that may be left out
     */
    PackedCost least(RequestList requests, PeakMoment at, long[][] capacity, double[] price, long leftOut) {
        List<long[]> demands = new ArrayList<>();
        List<Double> numbers = new ArrayList<>();
        for (long[] cell : grouped(requests, at.count())) {
            long[] demand = Arrays.copyOf(cell, cell.length - 1);
            if (demandsSomething(demand)) {
                demands.add(demand);
                numbers.add((double) cell[cell.length - 1]);
            }
        }
        if (demands.isEmpty()) {
            return new PackedCost(List.of(), CheapestServers.LeastCost.nothing(price.length));
        }
        return found == null
                ? solved(
                        new CheapestServers(capacity, price, demands.toArray(long[][]::new)), demands, numbers, leftOut)
                : remembered(found, capacity, price, demands, numbers, leftOut);
    }

    private static PackedCost solved(
            CheapestServers servers, List<long[]> demands, List<Double> numbers, long leftOut) {
        double[] number = numbers.stream().mapToDouble(Double::doubleValue).toArray();
        return new PackedCost(demands, servers.solve(number, (double) leftOut, TOLERANCE, ROUNDS));
    }

    private synchronized PackedCost remembered(
            Map<List<List<Long>>, List<int[]>> known,
            long[][] capacity,
            double[] price,
            List<long[]> demands,
            List<Double> numbers,
            long leftOut) {
        List<List<Long>> kinds = Arrays.stream(capacity).map(Packing::list).toList();
        List<List<Long>> types = demands.stream().map(Packing::list).toList();
        Program program = new Program(kinds, Arrays.stream(price).boxed().toList(), types, numbers, leftOut);
        PackedCost before = solved.get(program);
        if (before != null) {
            return before;
        }
        CheapestServers servers = new CheapestServers(capacity, price, demands.toArray(long[][]::new));
        for (int l = 0; l < capacity.length; l++) {
            servers.startWith(l, known.getOrDefault(key(kinds.get(l), types), List.of()));
        }
        PackedCost cost = solved(servers, demands, numbers, leftOut);
        for (int l = 0; l < capacity.length; l++) {
            known.put(key(kinds.get(l), types), servers.found(l));
        }
        solved.put(program, cost);
        return cost;
    }

    private static List<List<Long>> key(List<Long> server, List<List<Long>> types) {
        List<List<Long>> key = new ArrayList<>(types);
        key.add(server);
        return key;
    }

    private static List<Long> list(long[] amounts) {
        return Arrays.stream(amounts).boxed().toList();
    }

    private static boolean demandsSomething(long[] demand) {
        return Arrays.stream(demand).anyMatch(amount -> amount > 0);
    }

    /**
     * The kinds in cells of a grid that becomes coarser until they are few enough: least amounts, followed by the
     * count.
     */
    private static List<long[]> grouped(RequestList requests, long[] count) {
        for (double step = 1; ; step *= COARSER) {
            TreeMap<List<Long>, long[]> cells = new TreeMap<>(Packing::compare);
            for (int k = 0; k < count.length; k++) {
                if (count[k] > 0) {
                    long[] demand = requests.demands()[k];
                    long[] held = cells.computeIfAbsent(cell(demand, step), key -> empty(demand));
                    for (int r = 0; r < demand.length; r++) {
                        held[r] = Math.min(held[r], demand[r]);
                    }
                    held[demand.length] += count[k];
                }
            }
            if (cells.size() <= MOST_KINDS) {
                return List.copyOf(cells.values());
            }
        }
    }

    private static int compare(List<Long> a, List<Long> b) {
        for (int i = 0; i < a.size(); i++) {
            int order = Long.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static long[] empty(long[] demand) {
        long[] held = Arrays.copyOf(demand, demand.length + 1);
        held[demand.length] = 0;
        return held;
    }

    /** The demand itself for a step of 1; else for each resource the greatest power of the step that it reaches. */
    private static List<Long> cell(long[] demand, double step) {
        List<Long> cell = new ArrayList<>();
        for (long amount : demand) {
            long power = 0;
            for (double reached = 1; step > 1 && amount > 0 && reached <= amount; reached *= step) {
                power++;
            }
            cell.add(step == 1 ? amount : power);
        }
        return cell;
    }
}
