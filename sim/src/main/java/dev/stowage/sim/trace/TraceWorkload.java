package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Spread;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A trace as a workload: the same requests whatever the seed. A request of unknown duration is
 * {@link RequestStream#ENDLESS}; a duration of 0 (shorter than the source's resolution) is served as 1 ns.
 */
public final class TraceWorkload implements Workload {
    private final Trace trace;
    /** An inventory has no last arrival to measure until. */
    private static final long INVENTORY_NANOS = 3_600 * 1_000_000_000L;

    private final boolean knowsLabels;
    private final boolean inventory;

    public TraceWorkload(Trace trace) {
        this(trace, true);
    }

    /** The same, and unless {@code knowsLabels} of the constraints only that requests are on servers of their own. */
    public TraceWorkload(Trace trace, boolean knowsLabels) {
        this.trace = trace;
        this.knowsLabels = knowsLabels;
        inventory = trace.lastArrivalNanos() == 0
                && IntStream.range(0, trace.size()).allMatch(i -> trace.durationNanos(i) == Trace.UNKNOWN);
    }

    /** The trace behind this workload. */
    public Trace trace() {
        return trace;
    }

    @Override
    public List<String> resources() {
        return trace.resources();
    }

    @Override
    public List<String> types() {
        return trace.types();
    }

    @Override
    public long typeDemand(int type, int resource) {
        return trace.typeDemand(type, resource);
    }

    @Override
    public RequestTraits typeTraits(int type) {
        return trace.typeTraits(type);
    }

    @Override
    public ConstraintWords typeConstraints(int type) {
        ConstraintWords words = trace.typeConstraints(type);
        return knowsLabels
                ? words
                : new ConstraintWords(
                        List.of(),
                        List.of(),
                        words.spread().stream()
                                .filter(text -> Spread.parse(text).perServer())
                                .toList());
    }

    @Override
    public boolean isGiven() {
        return true;
    }

    @Override
    public String contents() {
        return trace.contents();
    }

    @Override
    public boolean isInventory() {
        return inventory;
    }

    @Override
    public long startNanos() {
        return trace.startNanos();
    }

    @Override
    public long endNanos() {
        return inventory ? INVENTORY_NANOS : trace.lastArrivalNanos();
    }

    @Override
    public RequestStream open(long seed) {
        return new Cursor(trace);
    }

    private static final class Cursor implements RequestStream {
        private final Trace trace;
        private int request = -1;

        Cursor(Trace trace) {
            this.trace = trace;
        }

        @Override
        public boolean next() {
            if (request + 1 >= trace.size()) {
                return false;
            }
            request++;
            return true;
        }

        @Override
        public long arrivalNanos() {
            return trace.arrivalNanos(request);
        }

        @Override
        public int type() {
            return trace.type(request);
        }

        @Override
        public long demand(int resource) {
            return trace.demand(request, resource);
        }

        @Override
        public long workNanos() {
            long duration = trace.durationNanos(request);
            return duration == Trace.UNKNOWN ? ENDLESS : Math.max(1, duration);
        }

        @Override
        public String id() {
            return Objects.requireNonNullElse(trace.id(request), "");
        }

        @Override
        public long expectedNanos() {
            return trace.expectedNanos(request);
        }
    }
}
