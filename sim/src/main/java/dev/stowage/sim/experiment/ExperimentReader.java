package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.result.Remark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads experiments from YAML; docs/experiments.md describes every key. All mistakes are found in one go. */
public final class ExperimentReader {
    private ExperimentReader() {}

    /**
     * Reads an experiment.
     *
     * @param source name of the file, for messages
     * @param text YAML
     * @param base directory against which file names in it are resolved
     * @param overrides {@code path=value}, applied before anything is checked
     * @param policies checks the policies
     * @throws ExperimentException with all mistakes
     */
    public static ReadExperiment read(
            String source, String text, Path base, List<String> overrides, PolicyFactory policies) {
        return read(source, text, InputFiles.in(base, text), overrides, policies);
    }

    /**
     * Reads an experiment whose files may be anywhere.
     *
     * @param source name of the file, for messages
     * @param text YAML
     * @param inputs the files that it names
     * @param overrides {@code path=value}, applied before anything is checked
     * @param policies checks the policies
     * @throws ExperimentException with all mistakes
     */
    public static ReadExperiment read(
            String source, String text, InputFiles inputs, List<String> overrides, PolicyFactory policies) {
        ExperimentTree tree = new ExperimentTree(source, text, overrides);
        List<Problem> problems = new ArrayList<>();
        if (tree.isPlanning()) {
            problems.add(new Problem("planning", "compares planners and has no requests; only 'stowage run' takes it"));
            throw new ExperimentException(source, text, problems);
        }
        List<Remark> notes = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        String hash = tree.hash();
        TraceCache traces = new TraceCache(inputs);
        List<Experiment> points = new ArrayList<>();
        for (ExperimentTree.Point point : tree.points()) {
            Experiment experiment = new PointReader(inputs, policies, traces, problems, notes, remarks)
                    .read(point.tree(), hash, point.values());
            if (experiment != null) {
                points.add(experiment);
            }
            if (!problems.isEmpty()) {
                throw new ExperimentException(
                        source, text, problems.stream().distinct().toList());
            }
        }
        String resolved = tree.resolvedYaml();
        remarks.stream().findFirst().map(Remark::plain).ifPresent(notes::add);
        SizeQuestion size = SizeReader.read(tree.fields(problems).at("size"));
        return new ReadExperiment(
                points, resolved, size, notes.stream().distinct().toList(), inputs.asked());
    }
}
