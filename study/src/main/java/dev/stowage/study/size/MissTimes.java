package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.View;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.TypeChoice;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The arrivals, by minute and type, of requests that a run turned away or started later than a requirement allows. */
final class MissTimes implements Effects {
    private static final long MINUTE = 60_000_000_000L;

    private final SizeRequirement its;
    private final TypeChoice types;
    private final Map<Long, Map<Integer, Integer>> misses = new TreeMap<>();
    private @Nullable View view;

    MissTimes(SizeRequirement its, TypeChoice types) {
        this.its = its;
        this.types = types;
    }

    /** By minute from the start and number of the type. */
    Map<Long, Map<Integer, Integer>> misses() {
        return misses;
    }

    @Override
    public void attached(View now) {
        view = now;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (now - Objects.requireNonNull(view).arrivedAt(job) > its.withinNanos()) {
            miss(job);
        }
    }

    @Override
    public void rejected(long now, int job, String reason) {
        miss(job);
    }

    private void miss(int job) {
        View at = Objects.requireNonNull(view);
        if (types.has(at.type(job))) {
            misses.computeIfAbsent(at.arrivedAt(job) / MINUTE, key -> new TreeMap<>())
                    .merge(at.type(job), 1, Integer::sum);
        }
    }
}
