package dev.stowage.sim.experiment;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An experiment as read.
 *
 * @param points one for each combination of the sweep's values; a single one without a sweep
 * @param resolvedYaml the text with overrides applied, from which the hash is made
 * @param size the target for which the least number of servers is sought; null if it is not
 * @param notes what was noticed in reading traces and server lists: rows, rows set aside, bad rows, rounding
 */
public record ReadExperiment(
        List<Experiment> points,
        String resolvedYaml,
        @Nullable SizeTarget size,
        List<String> notes) {
    /** One that seeks no number of servers. */
    public ReadExperiment(List<Experiment> points, String resolvedYaml, List<String> notes) {
        this(points, resolvedYaml, null, notes);
    }

    /** Takes copies. */
    public ReadExperiment {
        points = List.copyOf(points);
        notes = List.copyOf(notes);
    }
}
