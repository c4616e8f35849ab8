package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes {@link TraceStats}: exact counts and quantiles, n log n in the number of requests. */
public final class TraceStatistics {
    /** How many shapes and demands are listed by default. */
    public static final int DEFAULT_TOP = 10;

    /** How many points the courses over time have by default. */
    public static final int DEFAULT_POINTS = 400;

    private static final double SECOND = 1e9;
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final int HOURS_OF_DAY = 24;

    private final Trace trace;
    private final int top;

    private TraceStatistics(Trace trace, int top) {
        this.trace = trace;
        this.top = top;
    }

    /** Statistics with the default lengths of lists and courses. */
    public static TraceStats of(Trace trace) {
        return of(trace, DEFAULT_TOP, DEFAULT_POINTS);
    }

    /**
     * Statistics of a trace.
     *
     * @param top how many shapes, and demands of each resource, are listed; at least 0
     * @param points how many spans of time the courses have at most; at least 1
     */
    public static TraceStats of(Trace trace, int top, int points) {
        if (top < 0 || points < 1) {
            throw new IllegalArgumentException("top " + top + " must be at least 0, points " + points + " at least 1");
        }
        return new TraceStatistics(trace, top).all(points);
    }

    private TraceStats all(int points) {
        int[] typeCounts = typeCounts();
        return new TraceStats(
                trace.size(),
                trace.firstArrivalNanos() / SECOND,
                trace.lastArrivalNanos() / SECOND,
                arrivals(),
                trace.types().size(),
                shapes(typeCounts),
                IntStream.range(0, trace.resources().size())
                        .mapToObj(r -> demands(r, typeCounts))
                        .toList(),
                durations(i -> true),
                new DemandSweep(trace, points).run(),
                groups(batchSizes()),
                groups(sizes(trace.size(), trace::arrivalNanos)));
    }

    private int[] typeCounts() {
        int[] counts = new int[trace.types().size()];
        for (int i = 0; i < trace.size(); i++) {
            counts[trace.type(i)]++;
        }
        return counts;
    }

    private TraceStats.ArrivalStats arrivals() {
        int lastHour = Math.toIntExact(trace.lastArrivalNanos() / HOUR_NANOS);
        long[] perHour = new long[lastHour + 1];
        for (int i = 0; i < trace.size(); i++) {
            perHour[(int) (trace.arrivalNanos(i) / HOUR_NANOS)]++;
        }
        double hours = (trace.lastArrivalNanos() - trace.firstArrivalNanos()) / (double) HOUR_NANOS;
        // An hour of which only a part was observed says nothing of a whole one.
        double gap = hours / Math.max(1, trace.size() - 1);
        int from = (int) Math.ceil(Math.max(0, trace.firstArrivalNanos() / (double) HOUR_NANOS - gap));
        int to = (int) Math.min(perHour.length, trace.lastArrivalNanos() / (double) HOUR_NANOS + gap);
        return new TraceStats.ArrivalStats(
                trace.size() / Math.max(1, hours),
                Arrays.stream(perHour).boxed().toList(),
                hourOfDay(perHour, from, to),
                dispersion(perHour, from, to));
    }

    private static List<@Nullable Double> hourOfDay(long[] perHour, int from, int to) {
        long[] sum = new long[HOURS_OF_DAY];
        int[] hours = new int[HOURS_OF_DAY];
        for (int h = from; h < to; h++) {
            sum[h % HOURS_OF_DAY] += perHour[h];
            hours[h % HOURS_OF_DAY]++;
        }
        List<@Nullable Double> means = new ArrayList<>();
        for (int k = 0; k < HOURS_OF_DAY; k++) {
            means.add(hours[k] == 0 ? null : (Double) (sum[k] / (double) hours[k]));
        }
        return means;
    }

    private static @Nullable Double dispersion(long[] perHour, int from, int to) {
        int hours = to - from;
        if (hours < 2) {
            return null;
        }
        double mean = Arrays.stream(perHour, from, to).sum() / (double) hours;
        double squares = 0;
        for (int h = from; h < to; h++) {
            squares += (perHour[h] - mean) * (perHour[h] - mean);
        }
        return mean == 0 ? null : (Double) (squares / (hours - 1) / mean);
    }

    private List<TraceStats.ShapeStats> shapes(int[] typeCounts) {
        return IntStream.range(0, typeCounts.length)
                .boxed()
                .sorted(Comparator.comparing((Integer t) -> -typeCounts[t]).thenComparing(t -> t))
                .limit(top)
                .map(t -> shape(t, typeCounts[t]))
                .toList();
    }

    private TraceStats.ShapeStats shape(int type, int count) {
        List<Long> demand = IntStream.range(0, trace.resources().size())
                .mapToObj(r -> trace.typeDemand(type, r))
                .toList();
        return new TraceStats.ShapeStats(
                trace.types().get(type),
                demand,
                count,
                count / (double) trace.size(),
                durations(i -> trace.type(i) == type));
    }

    private TraceStats.ResourceDemands demands(int resource, int[] typeCounts) {
        TreeMap<Long, Long> counts = new TreeMap<>();
        double sum = 0;
        for (int t = 0; t < typeCounts.length; t++) {
            counts.merge(trace.typeDemand(t, resource), (long) typeCounts[t], Long::sum);
            sum += (double) trace.typeDemand(t, resource) * typeCounts[t];
        }
        List<TraceStats.DemandCount> frequent = counts.entrySet().stream()
                .sorted(Map.Entry.<Long, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(top)
                .map(e -> new TraceStats.DemandCount(e.getKey(), e.getValue(), e.getValue() / (double) trace.size()))
                .toList();
        return new TraceStats.ResourceDemands(
                trace.resources().get(resource), counts.size(), sum / trace.size(), counts.lastKey(), frequent);
    }

    private interface RequestFilter {
        boolean holds(int request);
    }

    private TraceStats.Durations durations(RequestFilter filter) {
        LongColumn known = new LongColumn(ColumnSpace.usual());
        long unknown = 0;
        for (int i = 0; i < trace.size(); i++) {
            if (!filter.holds(i)) {
                continue;
            }
            if (trace.durationNanos(i) == Trace.UNKNOWN) {
                unknown++;
            } else {
                known.add(trace.durationNanos(i));
            }
        }
        int size = known.size();
        return new TraceStats.Durations(size, unknown, size == 0 ? null : quantiles(known.sorted()));
    }

    private static TraceStats.DurationQuantiles quantiles(LongColumn sorted) {
        double sum = 0;
        for (int i = 0; i < sorted.size(); i++) {
            sum += sorted.get(i) / SECOND;
        }
        return new TraceStats.DurationQuantiles(
                sum / sorted.size(),
                sorted.get(0) / SECOND,
                quantileS(sorted, 10),
                quantileS(sorted, 25),
                quantileS(sorted, 50),
                quantileS(sorted, 75),
                quantileS(sorted, 90),
                quantileS(sorted, 95),
                quantileS(sorted, 99),
                sorted.get(sorted.size() - 1) / SECOND);
    }

    private static double quantileS(LongColumn sorted, int percent) {
        long rank = (sorted.size() * (long) percent + 99) / 100;
        return sorted.get((int) Math.max(0, rank - 1)) / SECOND;
    }

    /** How many batches have each size. */
    private SortedMap<Long, Long> batchSizes() {
        LongColumn batches = new LongColumn(ColumnSpace.usual());
        for (int i = 0; i < trace.size(); i++) {
            if (trace.batch(i) != Trace.NO_BATCH) {
                batches.add(trace.batch(i));
            }
        }
        LongColumn sorted = batches.sorted();
        return sizes(sorted.size(), sorted::get);
    }

    /** Of numbers in order, how many groups of equal ones have each size. */
    private static SortedMap<Long, Long> sizes(int count, IntToLongFunction numbers) {
        TreeMap<Long, Long> sizes = new TreeMap<>();
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || numbers.applyAsLong(i) != numbers.applyAsLong(start)) {
                sizes.merge((long) i - start, 1L, Long::sum);
                start = i;
            }
        }
        return sizes;
    }

    private static TraceStats.GroupStats groups(SortedMap<Long, Long> counts) {
        long groups = 0;
        long requests = 0;
        for (var each : counts.entrySet()) {
            groups += each.getValue();
            requests += each.getKey() * each.getValue();
        }
        return new TraceStats.GroupStats(
                requests,
                groups,
                groups == 0 ? 0 : requests / (double) groups,
                counts.isEmpty() ? 0 : counts.lastKey(),
                counts.entrySet().stream()
                        .map(e -> new TraceStats.SizeCount(e.getKey(), e.getValue()))
                        .toList());
    }
}
