package dev.stowage.kube.schedule;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a scheduler, for its metrics; used by any thread. */
public final class SchedulerFigures {
    /** Pods bound. */
    public final LongAdder bound = new LongAdder();
    /** Bindings that were refused and taken back. */
    public final LongAdder refused = new LongAdder();
    /** Bindings whose outcome had to be read from the API server. */
    public final LongAdder asked = new LongAdder();
    /** Bindings not sent because the lease did not hold. */
    public final LongAdder fenced = new LongAdder();
    /** Pods evicted for others of higher priority. */
    public final LongAdder preempted = new LongAdder();
    /** Evictions for others that were refused. */
    public final LongAdder evictionsRefused = new LongAdder();
    /** Pods evicted because their group was bound in part. */
    public final LongAdder evicted = new LongAdder();
    /** Events written. */
    public final LongAdder events = new LongAdder();
    /** Events not written because too many were waiting, or the API server refused them. */
    public final LongAdder eventsDropped = new LongAdder();
    /** Processor time of the thread that decides, nanoseconds. */
    public final LongAdder decidingNanos = new LongAdder();

    private final Map<String, Integer> pods = new ConcurrentSkipListMap<>();
    private volatile boolean ready;
    private volatile int nodes;

    void pods(Map<PodState, Integer> counts, int nodeCount) {
        for (PodState state : PodState.values()) {
            pods.put(name(state), counts.getOrDefault(state, 0));
        }
        nodes = nodeCount;
    }

    private static String name(PodState state) {
        return state.name().toLowerCase(java.util.Locale.ROOT);
    }

    void ready(boolean isReady) {
        ready = isReady;
    }

    /** Whether it has listed the cluster and decides. */
    public boolean isReady() {
        return ready;
    }

    /** Pods by state. */
    public Map<String, Integer> pods() {
        return new TreeMap<>(pods);
    }

    /** The text that Prometheus reads. */
    public String exposition() {
        StringBuilder text = new StringBuilder();
        metric(text, "pods_bound_total", "counter", bound.sum());
        metric(text, "bindings_refused_total", "counter", refused.sum());
        metric(text, "bindings_asked_for_total", "counter", asked.sum());
        metric(text, "bindings_fenced_total", "counter", fenced.sum());
        metric(text, "pods_evicted_total", "counter", evicted.sum());
        metric(text, "pods_preempted_total", "counter", preempted.sum());
        metric(text, "evictions_refused_total", "counter", evictionsRefused.sum());
        metric(text, "events_written_total", "counter", events.sum());
        metric(text, "events_dropped_total", "counter", eventsDropped.sum());
        metric(text, "deciding_seconds_total", "counter", decidingNanos.sum() / 1e9);
        metric(text, "leading", "gauge", ready ? 1 : 0);
        metric(text, "nodes", "gauge", nodes);
        text.append("# TYPE stowage_kube_pods gauge\n");
        pods.forEach((state, count) -> text.append("stowage_kube_pods{state=\"")
                .append(state)
                .append("\"} ")
                .append(count)
                .append('\n'));
        return text.toString();
    }

    private static void metric(StringBuilder text, String name, String type, Number value) {
        text.append("# TYPE stowage_kube_")
                .append(name)
                .append(' ')
                .append(type)
                .append('\n');
        text.append("stowage_kube_").append(name).append(' ').append(value).append('\n');
    }
}
