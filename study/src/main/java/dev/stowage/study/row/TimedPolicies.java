package dev.stowage.study.row;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.study.CpuTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Policies whose processor time is measured, callback by callback. Their decisions are the same. The times differ from
 * run to run and from machine to machine, so they go into summaries only: the rows of single runs stay the same bytes.
 */
public final class TimedPolicies implements PolicyFactory, RowAddition {
    public static final String METRIC = "scheduler_cpu_s";
    private static final double NANOS = 1e9;
    private static final double CONFIDENCE = 0.99;

    private final PolicyFactory policies;
    private final Map<String, List<Timed>> made = new ConcurrentHashMap<>();

    public TimedPolicies(PolicyFactory policies) {
        this.policies = policies;
    }

    @Override
    public Policy create(PolicySpec spec) {
        Timed timed = new Timed(policies.create(spec));
        made.computeIfAbsent(key(spec.parameters()), unused -> new CopyOnWriteArrayList<>())
                .add(timed);
        return timed;
    }

    /** Summaries with the time of their policies per run. */
    @Override
    public List<ResultRow> with(Experiment point, List<ResultRow> rows) {
        return RowAdditions.summaries(rows, this::summary);
    }

    private SummaryRow summary(SummaryRow summary) {
        List<Timed> timed = made.getOrDefault(key(summary.origin().parameters()), List.of());
        double[] seconds = timed.stream()
                .filter(each -> each.nanos > 0)
                .mapToDouble(each -> each.nanos / NANOS)
                .toArray();
        return seconds.length == 0
                ? summary
                : RowAdditions.with(summary, Map.of(METRIC, Intervals.replications(seconds, CONFIDENCE)));
    }

    private static String key(Map<String, ?> parameters) {
        List<String> texts = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, value) -> texts.add(name + "=" + value));
        return texts.toString();
    }

    @Override
    public List<String> names() {
        return policies.names();
    }

    /** A policy and its time. Saving and restoring are not decisions, and are not measured. */
    private static final class Timed extends ForwardingPolicy {
        private final Policy policy;
        private volatile long nanos;

        Timed(Policy policy) {
            this.policy = policy;
        }

        @Override
        protected Policy policy() {
            return policy;
        }

        private void time(Runnable callback) {
            long start = CpuTime.nanos();
            callback.run();
            // One thread writes; the volatile field makes the sum visible to the thread that reads it at the end.
            long sum = nanos + CpuTime.nanos() - start;
            nanos = sum;
        }

        @Override
        public void started(View view, Actions actions) {
            time(() -> super.started(view, actions));
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            time(() -> super.arrived(job, view, actions));
        }

        @Override
        public void left(int job, int server, View view, Actions actions) {
            time(() -> super.left(job, server, view, actions));
        }

        @Override
        public void displaced(int job, int server, View view, Actions actions) {
            time(() -> super.displaced(job, server, view, actions));
        }

        @Override
        public void dummyEnded(int dummy, int server, View view, Actions actions) {
            time(() -> super.dummyEnded(dummy, server, view, actions));
        }

        @Override
        public void timer(long tag, View view, Actions actions) {
            time(() -> super.timer(tag, view, actions));
        }

        @Override
        public void serverChanged(int server, View view, Actions actions) {
            time(() -> super.serverChanged(server, view, actions));
        }

        @Override
        public void round(View view, Actions actions) {
            time(() -> super.round(view, actions));
        }
    }
}
