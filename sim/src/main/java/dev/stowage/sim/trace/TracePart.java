package dev.stowage.sim.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a trace is used, and how it is changed, in this order: window, sample, time 0, traffic scaling, single
 * resource. Time begins with the first arrival that is left, unless {@code from} says where: a log that was cut from
 * the middle of a longer one has nothing before it.
 *
 * @param from on the trace's own clock, nanoseconds: becomes time 0; null: the first arrival does
 * @param to only requests that arrive before, on the same clock; null: all
 * @param keepRunning whether those that run at {@code from} are kept, for what is left of them
 * @param sample part of the batches that is kept, above 0 and at most 1
 * @param sampleSeed which ones
 * @param scaling arrival times are divided by it
 * @param single capacities for {@link TraceTransforms#singleResource}; empty: no change
 */
public record TracePart(
        @Nullable Long from,
        @Nullable Long to,
        boolean keepRunning,
        double sample,
        long sampleSeed,
        double scaling,
        List<Long> single) {
    /** The whole trace. */
    public static final TracePart ALL = new TracePart(null, null, false, 1, 1, 1, List.of());

    /** Takes a copy. */
    public TracePart {
        single = List.copyOf(single);
    }

    /**
     * That part of a trace.
     *
     * @throws TraceException if no request is left, or something is out of range
     */
    public Trace of(Trace whole) {
        Trace trace = whole;
        if (from != null || to != null) {
            trace = TraceTransforms.window(
                    trace, from == null ? 0 : from, to == null ? Long.MAX_VALUE : to, keepRunning);
        }
        trace = sample == 1 ? trace : TraceTransforms.sampleBatches(trace, sample, sampleSeed);
        trace = from != null || trace.firstArrivalNanos() == 0 ? trace : TraceTransforms.rebase(trace);
        trace = scaling == 1 ? trace : TraceTransforms.scaleTraffic(trace, scaling);
        return single.isEmpty()
                ? trace
                : TraceTransforms.singleResource(
                        trace, single.stream().mapToLong(Long::longValue).toArray());
    }
}
