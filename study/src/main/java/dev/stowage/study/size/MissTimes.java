package dev.stowage.study.size;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.policy.View;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.TypeChoice;
import java.util.Map;
import java.util.TreeMap;

/** The arrivals, by minute and type, of requests that a run turned away or started later than a requirement allows. */
final class MissTimes extends EngineListener {
    private static final long MINUTE = 60_000_000_000L;

    private final SizeRequirement its;
    private final TypeChoice types;
    private final Map<Long, Map<Integer, Integer>> misses = new TreeMap<>();

    MissTimes(SizeRequirement its, TypeChoice types) {
        this.its = its;
        this.types = types;
    }

    /** By minute from the start and number of the type. */
    Map<Long, Map<Integer, Integer>> misses() {
        return misses;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (now - view().arrivedAt(job) > its.withinNanos()) {
            miss(job);
        }
    }

    @Override
    public void rejected(long now, int job, String reason) {
        miss(job);
    }

    private void miss(int job) {
        View at = view();
        if (types.has(at.type(job))) {
            misses.computeIfAbsent(at.arrivedAt(job) / MINUTE, key -> new TreeMap<>())
                    .merge(at.type(job), 1, Integer::sum);
        }
    }
}
