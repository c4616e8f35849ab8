package dev.stowage.sim.measure;

import dev.stowage.sim.statistics.Trajectory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What is free and of no use to requests of a kind, from a time on: in the mean, and by interval.
 *
 * @param first the first interval after {@code firstNanos}
 */
record Unusable(Measurements run, List<String> typeNames, int first, long firstNanos) {
    /** Whose use of what is free was looked at. */
    static List<String> requests(Measurements run, List<String> typeNames) {
        boolean withTypes = run.usable.length > UsableCapacity.SIZES.size() + 1;
        return run.usable.length == 0 ? List.of() : UsableCapacity.requests(withTypes ? typeNames : List.of());
    }

    /** Free devices that requests of each kind cannot use. */
    void addFragments(Map<String, RunMetric> metrics, String name, int resource, double device) {
        List<String> requests = requests(run, typeNames);
        for (int request = 0; request < requests.size(); request++) {
            double[] pieces = pieces(request, resource);
            Arrays.setAll(pieces, i -> pieces[i] / device);
            metrics.put(
                    "fragments_mean{" + requests.get(request) + ",resource=" + name + "}",
                    RunMetric.mean(mean(request, resource) / device, pieces));
        }
    }

    double mean(int request, int resource) {
        return free(resource).meanFrom(firstNanos) - run.usable[request][resource].meanFrom(firstNanos);
    }

    double[] pieces(int request, int resource) {
        double[] pieces = free(resource).completeMeansFrom(first);
        double[] usable = run.usable[request][resource].completeMeansFrom(first);
        Arrays.setAll(pieces, i -> pieces[i] - usable[i]);
        return pieces;
    }

    private Trajectory free(int resource) {
        return run.usable[run.usable.length - 1][resource];
    }
}
