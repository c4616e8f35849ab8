package dev.stowage.sim.experiment;

import dev.stowage.sim.trace.LoadReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An experiment as read.
 *
 * @param points one for each combination of the sweep's values; a single one without a sweep
 * @param resolvedYaml the text with overrides applied, from which the hash is made
 * @param size the target for which the least number of servers is sought; null if the experiment has none
 * @param notes what was noticed when reading traces and server lists: rows, rows set aside, bad rows, rounding
 * @param files the files that were read, by their names in the text
 */
public record ReadExperiment(
        List<Experiment> points,
        String resolvedYaml,
        @Nullable SizeQuestion size,
        List<String> notes,
        Map<String, Path> files) {
    /** An experiment without a target that read no file. */
    public ReadExperiment(List<Experiment> points, String resolvedYaml, List<String> notes) {
        this(points, resolvedYaml, null, notes, Map.of());
    }

    /**
     * The notes without which an answer would mislead: warnings, and what was left out or could not be read. Each is
     * one of {@link #notes}.
     */
    public List<String> warnings() {
        return LoadReport.warnings(notes);
    }

    /** Takes copies. */
    public ReadExperiment {
        points = List.copyOf(points);
        notes = List.copyOf(notes);
        files = Map.copyOf(files);
    }
}
