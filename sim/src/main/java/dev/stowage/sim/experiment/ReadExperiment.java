package dev.stowage.sim.experiment;

import dev.stowage.core.model.Resource;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An experiment as read.
 *
 * @param points one for each combination of the sweep's values; a single one without a sweep
 * @param resolvedYaml the text with overrides applied, from which the hash is made
 * @param size the target for which the least number of servers is sought; null if the experiment has none
 * @param notes what was noticed when reading traces and server lists: rows, rows not counted, bad rows, rounding
 * @param files the files that were read, by their names in the text
 */
public record ReadExperiment(
        List<Experiment> points,
        String resolvedYaml,
        @Nullable SizeQuestion size,
        List<Remark> notes,
        Map<String, Path> files) {
    /** An experiment without a target that read no file. */
    public ReadExperiment(List<Experiment> points, String resolvedYaml, List<Remark> notes) {
        this(points, resolvedYaml, null, notes, Map.of());
    }

    /**
     * What an answer would mislead without: the {@link #notes} that are warnings or say what was left out or could not
     * be read, and that bounds do not know devices.
     */
    public List<Remark> warnings() {
        List<Remark> all = new ArrayList<>(LoadReport.warnings(notes));
        points.stream()
                .flatMap(point -> point.cluster().resources().stream())
                .filter(Resource::comesInDevices)
                .map(Resource::name)
                .findFirst()
                .ifPresent(name -> all.add(Remark.plain("loads and bounds count " + name
                        + " as one sum for each server: they hold," + " but less may fit on devices")));
        return all;
    }

    /** The same with more notes. */
    public ReadExperiment noting(Collection<Remark> others) {
        List<Remark> more = new ArrayList<>(notes);
        more.addAll(others);
        return new ReadExperiment(points, resolvedYaml, size, more, files);
    }

    /** Takes copies; the files stay in order, as they are written into texts. */
    public ReadExperiment {
        points = List.copyOf(points);
        notes = List.copyOf(notes);
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }
}
