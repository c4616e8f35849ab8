package dev.stowage.sim.measure;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.View;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stranded capacity of a run: what is free, but of no use to requests as large as the median of those so far, for want
 * of another resource on the same server or because the rest is too small.
 */
public final class StrandedCapacity implements Effects {
    private final TimeGrid grid;
    private @Nullable UsableCapacity usable;

    /** @param grid a sample is taken once per interval */
    public StrandedCapacity(TimeGrid grid) {
        this.grid = grid;
    }

    @Override
    public void attached(View view) {
        usable = view.divisibleResource() == View.NONE ? new UsableCapacity(grid, view, 0) : null;
    }

    @Override
    public void arrived(long now, int job) {
        if (usable != null) {
            usable.arrived(now, job);
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (usable != null) {
            usable.look(now, usable.amounts()[0][0].widthNanos());
        }
    }

    @Override
    public void left(long now, int job, int server) {
        if (usable != null) {
            usable.settle(now);
        }
    }

    /**
     * The part of the capacity that is stranded, time average up to the end of the run, by name of the resource; empty
     * where a resource is divisible, or for a run that takes no time.
     *
     * @param capacity of each resource
     */
    public Map<String, Double> parts(long endNanos, Cluster cluster, double[] capacity) {
        Map<String, Double> parts = new LinkedHashMap<>();
        if (usable != null && endNanos > grid.startNanos()) {
            usable.advance(endNanos);
            Trajectory[] free = usable.amounts()[usable.amounts().length - 1];
            Trajectory[] median = usable.amounts()[UsableCapacity.MEDIAN];
            long start = grid.startNanos();
            for (int r : RunMetrics.limited(cluster)) {
                parts.put(
                        cluster.resources().get(r).name(),
                        (free[r].meanFrom(start) - median[r].meanFrom(start)) / capacity[r]);
            }
        }
        return parts;
    }
}
