package dev.stowage.kube.schedule;

import dev.stowage.core.metrics.PrometheusText;
import dev.stowage.kube.metrics.Histogram;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a scheduler, for its metrics; used by any thread. */
public final class SchedulerFigures {
    /** Pods bound. */
    public final LongAdder bound = new LongAdder();
    /** Bindings that were refused and taken back. */
    public final LongAdder refused = new LongAdder();
    /** Decisions that a pod waits. */
    public final LongAdder unschedulable = new LongAdder();
    /** Seconds from when a waiting pod was first seen until it was bound. */
    public final Histogram scheduling = Histogram.doubling(.01, 15);
    /** How often a bound pod had been given a node. */
    public final Histogram attemptsPerPod = Histogram.doubling(1, 5);
    /** Seconds of a binding call that was accepted. */
    public final Histogram binding = Histogram.doubling(.001, 15);
    /** Pods evicted at once for another. */
    public final Histogram victims = Histogram.doubling(1, 7);
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

    /**
     * The text that Prometheus reads. A metric that means the same as in kube-scheduler has the same name.
     *
     * @param profile name of the scheduler
     */
    public String exposition(String profile) {
        String attempts = "scheduler_schedule_attempts_total";
        String of = "profile=\"" + profile + "\",result=";
        PrometheusText text = new PrometheusText()
                .head(attempts, "counter", "Decisions on a pod: bound, found no room, or the binding was refused.")
                .sample(attempts, of + "\"scheduled\"", bound.sum())
                .sample(attempts, of + "\"unschedulable\"", unschedulable.sum())
                .sample(attempts, of + "\"error\"", refused.sum())
                .histogram(
                        "scheduler_pod_scheduling_duration_seconds",
                        "Time from when this replica first saw a waiting pod until it was bound.",
                        scheduling.values())
                .histogram(
                        "scheduler_pod_scheduling_attempts",
                        "How many times a pod was given a node until it was bound, refused bindings included.",
                        attemptsPerPod.values())
                .histogram(
                        "scheduler_binding_duration_seconds",
                        "Time of a binding call that the API server accepted.",
                        binding.values())
                .histogram(
                        "scheduler_preemption_victims",
                        "Pods evicted together for one of higher priority.",
                        victims.values())
                .counter(
                        "stowage_kube_bindings_asked_for_total",
                        "Bindings whose outcome had to be read from the API server.",
                        asked.sum())
                .counter(
                        "stowage_kube_bindings_fenced_total",
                        "Bindings not sent because this replica did not hold the lease.",
                        fenced.sum())
                .counter(
                        "stowage_kube_pods_evicted_total",
                        "Pods evicted because their group was bound in part.",
                        evicted.sum())
                .counter(
                        "stowage_kube_pods_preempted_total",
                        "Pods evicted for others of higher priority.",
                        preempted.sum())
                .counter(
                        "stowage_kube_evictions_refused_total",
                        "Evictions for others that were refused, and nominations that could not be written.",
                        evictionsRefused.sum())
                .counter("stowage_kube_events_written_total", "Events written.", events.sum())
                .counter(
                        "stowage_kube_events_dropped_total",
                        "Events not written because too many waited or the API server refused them.",
                        eventsDropped.sum())
                .counter(
                        "stowage_kube_deciding_seconds_total",
                        "Processor time of the thread that decides.",
                        decidingNanos.sum() / 1e9)
                .gauge("stowage_kube_leading", "1 if this replica decides, else 0.", ready ? 1 : 0)
                .gauge("stowage_kube_nodes", "Nodes known.", nodes)
                .head("stowage_kube_pods", "gauge", "Pods known, by state.");
        pods.forEach((state, count) -> text.sample("stowage_kube_pods", "state=\"" + state + "\"", count));
        return text.toString();
    }
}
