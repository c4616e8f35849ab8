package dev.stowage.sim.trace;

import dev.stowage.core.model.Efficiency;
import dev.stowage.core.policy.Declared;
import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace whose requests are tasks of jobs. What they declare ({@link Declared}) is added to their demands: the load,
 * which is their duration unless the trace has it, the job, which is their batch, and their kind, the place of their
 * type's own name in a list. Power and budgets are columns of the trace.
 */
public final class TaskWorkload extends ForwardingWorkload {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Trace trace;
    private final List<String> kinds;
    private final Efficiency efficiency;
    private final List<String> resources;

    /**
     * The tasks of a trace.
     *
     * @param kinds own names of types, by number of the kind from 1 on; empty if efficiencies are of no kind
     * @param efficiency of servers
     */
    public TaskWorkload(Trace trace, List<String> kinds, Efficiency efficiency) {
        super(new TraceWorkload(trace));
        this.trace = trace;
        this.kinds = List.copyOf(kinds);
        this.efficiency = efficiency;
        this.resources = new ArrayList<>(trace.resources());
        if (!resources.contains(Declared.LOAD)) {
            resources.add(Declared.LOAD);
        }
        if (trace.hasBatches()) {
            resources.add(Declared.JOB);
        }
        if (!kinds.isEmpty()) {
            resources.add(Declared.KIND);
        }
    }

    /** The load of a task by its duration, milliseconds, rounded up and at least 1; 1 if the duration is unknown. */
    static long load(long durationNanos) {
        return Math.max(1, durationNanos / NANOS_PER_MILLI + (durationNanos % NANOS_PER_MILLI > 0 ? 1 : 0));
    }

    @Override
    public List<String> resources() {
        return List.copyOf(resources);
    }

    @Override
    public Efficiency efficiency() {
        return efficiency;
    }

    /** None: a type says nothing of loads. */
    @Override
    public long typeDemand(int type, int resource) {
        return 0;
    }

    @Override
    public boolean isInventory() {
        return false;
    }

    @Override
    public long startNanos() {
        return NO_DATE;
    }

    @Override
    public long endNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    public RequestStream open(long seed) {
        return new Tasks(super.open(seed));
    }

    private final class Tasks extends Stream {
        private int request = -1;

        Tasks(RequestStream requests) {
            super(requests);
        }

        @Override
        public boolean next() {
            request++;
            return super.next();
        }

        @Override
        public long demand(int resource) {
            if (resource < trace.resources().size()) {
                return super.demand(resource);
            }
            return switch (resources.get(resource)) {
                case Declared.LOAD -> load(trace.durationNanos(request));
                case Declared.JOB -> trace.batch(request) + 1;
                default -> kinds.indexOf(trace.ownTypeName(trace.type(request))) + 1;
            };
        }
    }
}
