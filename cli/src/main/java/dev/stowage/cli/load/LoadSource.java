package dev.stowage.cli.load;

import dev.stowage.cli.text.Console;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests in order of arrival, for a live service. */
abstract class LoadSource {
    private static final double SECOND = 1e9;

    /**
     * A request.
     *
     * @param dueNanos when it arrives, from the start
     * @param demand amount by resource
     * @param holdNanos how long it runs
     */
    record Item(long dueNanos, Map<String, Long> demand, long holdNanos) {}

    /** The request with a number, or null when there is none; asked for in order. */
    abstract @org.jspecify.annotations.Nullable Item next();

    /** Requests from the generator: the mix of docs/performance.md. */
    static LoadSource generated(double rate, long holdNanos, long seed) {
        return new Generated(rate, holdNanos, seed);
    }

    /** A trace at this rate: its clock is made faster or slower. */
    static LoadSource trace(List<Path> files, double rate, Console console) {
        var loaded = TraceReader.read(files, ReadOptions.defaults());
        loaded.report().all().forEach(console::note);
        return new FromTrace(loaded.trace(), rate);
    }

    private static final class Generated extends LoadSource {
        private static final int[] CORES = {1, 2, 4, 8, 16};
        private static final double[] CORES_UP_TO = {0.4, 0.7, 0.85, 0.95};
        private static final int[] MIB_PER_CORE = {1792, 3584, 7168};
        private static final double[] MIB_UP_TO = {0.5, 0.9};

        private final double meanGap;
        private final double meanHold;
        private final long seed;
        private final KeyedRandom random = new KeyedRandom();
        private double now;
        private long number;

        Generated(double rate, long holdNanos, long seed) {
            meanGap = SECOND / rate;
            meanHold = holdNanos;
            this.seed = seed;
        }

        @Override
        Item next() {
            random.key(seed, 0, number++);
            now += random.nextExponential() * meanGap;
            int cores = CORES[pick(CORES_UP_TO)];
            long memory = (long) cores * MIB_PER_CORE[pick(MIB_UP_TO)];
            long hold = Math.max(1, (long) (random.nextExponential() * meanHold));
            return new Item((long) now, Map.of("cpu_milli", 1000L * cores, "mem_mib", memory), hold);
        }

        private int pick(double[] upTo) {
            double drawn = random.nextDouble();
            int at = 0;
            while (at < upTo.length && drawn >= upTo[at]) {
                at++;
            }
            return at;
        }
    }

    private static final class FromTrace extends LoadSource {
        private final Trace trace;
        private final double faster;
        private int number;

        FromTrace(Trace trace, double rate) {
            this.trace = trace;
            double span = trace.arrivalNanos(trace.size() - 1) - trace.arrivalNanos(0);
            faster = Math.max(1, span) / SECOND * rate / trace.size();
        }

        @Override
        @org.jspecify.annotations.Nullable
        Item next() {
            if (number == trace.size()) {
                return null;
            }
            int request = number++;
            Map<String, Long> demand = new TreeMap<>();
            for (int r = 0; r < trace.resources().size(); r++) {
                demand.put(trace.resources().get(r), trace.typeDemand(trace.type(request), r));
            }
            long due = (long) ((trace.arrivalNanos(request) - trace.arrivalNanos(0)) / faster);
            long duration = trace.durationNanos(request);
            return new Item(due, demand, duration < 0 ? Long.MAX_VALUE : (long) (duration / faster));
        }
    }
}
