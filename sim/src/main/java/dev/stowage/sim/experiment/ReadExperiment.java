package dev.stowage.sim.experiment;

import java.util.List;

/**
 * An experiment as read.
 *
 * @param points one for each combination of the sweep's values; a single one without a sweep
 * @param resolvedYaml the text with overrides applied, from which the hash is made
 * @param notes what was noticed in reading traces and server lists: rows, rows set aside, bad rows, rounding
 */
public record ReadExperiment(List<Experiment> points, String resolvedYaml, List<String> notes) {
    /** Takes copies. */
    public ReadExperiment {
        points = List.copyOf(points);
        notes = List.copyOf(notes);
    }
}
