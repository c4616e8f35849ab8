package dev.stowage.cli.experiment;

import dev.stowage.sim.experiment.Experiment;
import java.util.List;

/**
 * How many runs an experiment has.
 *
 * @param points points of the sweep
 * @param policies policies at each
 * @param replications replications of each
 */
public record Runs(int points, int policies, int replications) {
    public static Runs of(List<Experiment> points) {
        Experiment first = points.get(0);
        return new Runs(points.size(), first.policies().size(), first.replications());
    }

    public int count() {
        return points * policies * replications;
    }

    /** For people. */
    public String text() {
        String all = count() == 1 ? "1 run" : count() + " runs";
        return all + " (" + (points == 1 ? "" : points + " points, ") + counted(policies, "policy", "policies") + ", "
                + counted(replications, "replication", "replications") + ")";
    }

    private static String counted(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
