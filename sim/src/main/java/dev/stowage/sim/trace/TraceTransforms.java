package dev.stowage.sim.trace;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.workload.Workload;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Traces made from traces. Every method returns a new trace and leaves its argument as it is. */
public final class TraceTransforms {
    private static final long BATCH_SAMPLING = Streams.of("trace-sampling-batches");
    private static final long SINGLE_SAMPLING = Streams.of("trace-sampling-singles");

    private TraceTransforms() {}

    /**
     * More or less traffic: arrival times divided by {@code scaling}, durations unchanged (Psychas and Ghaderi,
     * Scheduling Jobs with Random Resource Requirements, section VII-B: "traffic scaling" 1/beta).
     *
     * @param scaling finite and positive; 1.6 means 1.6 times as many requests per hour
     */
    public static Trace scaleTraffic(Trace trace, double scaling) {
        if (!(scaling > 0) || Double.isInfinite(scaling)) {
            throw new TraceException("traffic scaling " + scaling + " must be a finite number above 0");
        }
        if (trace.lastArrivalNanos() / scaling >= Long.MAX_VALUE) {
            throw new TraceException("traffic scaling " + scaling + " puts the last arrival beyond 292 years");
        }
        TraceBuilder result = new TraceBuilder(trace.resources());
        for (int i = 0; i < trace.size(); i++) {
            long arrival = (long) Math.floor(trace.arrivalNanos(i) / scaling);
            copy(trace, i, arrival, trace.durationNanos(i), result);
        }
        return result.build();
    }

    /**
     * The requests that arrive from {@code fromNanos} (included) to {@code toNanos} (excluded), with {@code fromNanos}
     * as the new time 0.
     *
     * @param keepRunning whether requests that arrived before {@code fromNanos} and had not ended then are kept too:
     *     they arrive at 0 with the time they have left
     */
    public static Trace window(Trace trace, long fromNanos, long toNanos, boolean keepRunning) {
        if (fromNanos < 0 || toNanos <= fromNanos) {
            throw new TraceException("window from " + Seconds.words(fromNanos) + " to " + Seconds.words(toNanos)
                    + ": from must be at least 0 and less than to");
        }
        TraceBuilder result = new TraceBuilder(trace.resources());
        for (int i = 0; i < trace.size() && trace.arrivalNanos(i) < toNanos; i++) {
            long arrival = trace.arrivalNanos(i);
            long duration = trace.durationNanos(i);
            if (arrival >= fromNanos) {
                copy(trace, i, arrival - fromNanos, duration, result);
            } else if (keepRunning && (duration == Trace.UNKNOWN || duration > fromNanos - arrival)) {
                long ran = fromNanos - arrival;
                copy(trace, i, 0, duration == Trace.UNKNOWN ? duration : duration - ran, result);
                result.expecting(expectedLeft(trace.expectedNanos(i), ran));
            }
        }
        long start = trace.startNanos();
        return built(
                        result,
                        trace,
                        "the window from " + Seconds.words(fromNanos) + until(toNanos) + " holds no request")
                .startingAt(start == Workload.NO_DATE ? start : start + fromNanos);
    }

    /** A request that has outlived its expectation is expected to run as long again as it ran. */
    private static long expectedLeft(long expected, long ran) {
        return expected == 0 ? 0 : expected > ran ? expected - ran : ran;
    }

    /** The trace with its first arrival as time 0. */
    public static Trace rebase(Trace trace) {
        return trace.earlier(trace.firstArrivalNanos());
    }

    /**
     * About a part of the trace: whole batches are kept or dropped, requests without batch one by one. A hash of the
     * seed and the batch (or the request's number) decides, so the choice does not depend on anything else in the
     * trace.
     *
     * @param part above 0, at most 1
     */
    public static Trace sampleBatches(Trace trace, double part, long seed) {
        if (!(part > 0 && part <= 1)) {
            throw new TraceException("sampled part " + part + " must be above 0 and at most 1");
        }
        KeyedRandom random = new KeyedRandom();
        TraceBuilder result = new TraceBuilder(trace.resources());
        for (int i = 0; i < trace.size(); i++) {
            long batch = trace.batch(i);
            boolean alone = batch == Trace.NO_BATCH;
            random.key(seed, alone ? SINGLE_SAMPLING : BATCH_SAMPLING, alone ? i : batch);
            if (random.nextDouble() < part) {
                copy(trace, i, trace.arrivalNanos(i), trace.durationNanos(i), result);
            }
        }
        return built(
                        result,
                        trace,
                        "sampling " + part + " with seed " + seed + " leaves no request; take a larger part")
                .startingAt(trace.startNanos());
    }

    /**
     * One resource {@code size_ppm}: the largest, over the resources, of demand divided by a server's capacity, in
     * millionths, rounded up. So what fits by size fits in every resource.
     *
     * @param capacity capacity of one server by resource, at least 0; 0 only where nothing is demanded
     */
    public static Trace singleResource(Trace trace, long... capacity) {
        if (capacity.length != trace.resources().size()
                || Arrays.stream(capacity).anyMatch(c -> c < 0)) {
            throw new TraceException("capacity " + Arrays.toString(capacity)
                    + " must give a value of at least 0 for each of " + trace.resources());
        }
        long[] sizeOfType = new long[trace.types().size()];
        for (int t = 0; t < sizeOfType.length; t++) {
            for (int r = 0; r < capacity.length; r++) {
                sizeOfType[t] = Math.max(sizeOfType[t], ppm(trace, t, r, capacity[r]));
            }
        }
        TraceBuilder result = new TraceBuilder(List.of("size_ppm"));
        long[] demand = new long[1];
        for (int i = 0; i < trace.size(); i++) {
            demand[0] = sizeOfType[trace.type(i)];
            result.add(
                            trace.arrivalNanos(i),
                            trace.durationNanos(i),
                            demand,
                            trace.batch(i),
                            trace.ownTypeName(trace.type(i)),
                            trace.id(i),
                            trace.typeConstraints(trace.type(i)),
                            trace.typeTraits(trace.type(i)))
                    .expecting(trace.expectedNanos(i));
        }
        return result.build().startingAt(trace.startNanos());
    }

    /** The same requests with other expected lifetimes, by number of the request, nanoseconds; 0 for none. */
    public static Trace expecting(Trace trace, IntToLongFunction expected) {
        TraceBuilder result = new TraceBuilder(trace.resources());
        for (int i = 0; i < trace.size(); i++) {
            add(trace, i, trace.arrivalNanos(i), trace.durationNanos(i), result);
            result.expecting(expected.applyAsLong(i));
        }
        return result.build().startingAt(trace.startNanos());
    }

    /**
     * The requests of an inventory in an order that does not depend on that of its rows: the largest first, and among
     * those of about one size the shapes in turn, in the ratio of their numbers. So what needs much of one resource
     * comes beside what needs much of another. A request is as large as its largest share, over the resources, of the
     * capacity; of about one size are those above 1/2, those above 1/4 and so on. Where shapes tie, the larger one is
     * first, then the one with the larger sum of its shares. Requests of one shape are in order of type, name and row.
     * O(n log n).
     *
     * @param capacity of the server that shares are of, by resource of the trace; a resource of which it has 0 is left
     *     out of the shares
     */
    public static Trace largestFirst(Trace trace, long... capacity) {
        int types = trace.types().size();
        double[] largest = new double[types];
        double[] sum = new double[types];
        for (int type = 0; type < types; type++) {
            for (int r = 0; r < capacity.length; r++) {
                double share = capacity[r] == 0 ? 0 : (double) trace.typeDemand(type, r) / capacity[r];
                largest[type] = Math.max(largest[type], share);
                sum[type] += share;
            }
        }
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, trace.size()).boxed().toList());
        order.sort(Comparator.comparingDouble((Integer i) -> -largest[trace.type(i)])
                .thenComparingDouble(i -> -sum[trace.type(i)])
                .thenComparing(i -> trace.typeDemandOf(trace.type(i)), (a, b) -> Arrays.compare(b, a))
                .thenComparing(i -> trace.types().get(trace.type(i)))
                .thenComparing(i -> Objects.requireNonNullElse(trace.id(i), "")));
        double[] turn = new double[trace.size()];
        int from = 0;
        for (int to = 1; to <= turn.length; to++) {
            if (to == turn.length || !Arrays.equals(demand(trace, order.get(to)), demand(trace, order.get(from)))) {
                for (int i = from; i < to; i++) {
                    turn[order.get(i)] = (i - from + 0.5) / (to - from);
                }
                from = to;
            }
        }
        order.sort(Comparator.comparingInt((Integer i) -> -Math.getExponent(largest[trace.type(i)]))
                .thenComparingDouble(i -> turn[i]));
        TraceBuilder result = new TraceBuilder(trace.resources());
        for (int i : order) {
            copy(trace, i, trace.arrivalNanos(i), trace.durationNanos(i), result);
        }
        return result.build().startingAt(trace.startNanos());
    }

    private static long[] demand(Trace trace, int request) {
        return trace.typeDemandOf(trace.type(request));
    }

    private static long ppm(Trace trace, int type, int resource, long capacity) {
        long demand = trace.typeDemand(type, resource);
        if (demand == 0) {
            return 0;
        }
        String what = trace.types().get(type) + " demands " + demand + " of "
                + trace.resources().get(resource);
        if (capacity == 0) {
            throw new TraceException(what + ", but the capacity given for it is 0; give a larger one");
        }
        BigInteger[] parts = BigInteger.valueOf(demand)
                .multiply(BigInteger.valueOf(GoogleDemand.PPM))
                .divideAndRemainder(BigInteger.valueOf(capacity));
        BigInteger rounded = parts[0].add(BigInteger.valueOf(parts[1].signum()));
        if (rounded.bitLength() > Long.SIZE - 1) {
            throw new TraceException(what + ", far beyond the capacity " + capacity + "; give a larger one");
        }
        return rounded.longValue();
    }

    private static void copy(Trace trace, int i, long arrival, long duration, TraceBuilder to) {
        add(trace, i, arrival, duration, to);
        to.expecting(trace.expectedNanos(i));
    }

    private static void add(Trace trace, int i, long arrival, long duration, TraceBuilder to) {
        int type = trace.type(i);
        to.add(
                arrival,
                duration,
                trace.typeDemandOf(type),
                trace.batch(i),
                trace.ownTypeName(type),
                trace.id(i),
                trace.typeConstraints(type),
                trace.typeTraits(type));
    }

    private static Trace built(TraceBuilder result, Trace trace, String problem) {
        if (result.size() == 0) {
            throw new TraceException(problem + "; the trace has " + trace.size() + " requests, arriving from "
                    + Seconds.words(trace.firstArrivalNanos()) + " to " + Seconds.words(trace.lastArrivalNanos()));
        }
        return result.build();
    }

    private static String until(long nanos) {
        return nanos == Long.MAX_VALUE ? " on" : " to " + Seconds.words(nanos);
    }
}
