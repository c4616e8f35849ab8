package dev.stowage.cli.experiment;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.sim.experiment.ExperimentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Experiments chosen by their labels: built-in ones, or the YAML files of a folder and the folders in it. A file that
 * is not an experiment is left out with a note.
 */
public final class LabelledExperiments {
    private final List<ExperimentSource> all;
    private final String where;

    private LabelledExperiments(List<ExperimentSource> all, String where) {
        this.all = all;
        this.where = where;
    }

    /**
     * The experiments of a folder, in order of their names.
     *
     * @param folder null for the built-in ones
     * @throws BadInputException if it is not a folder
     */
    public static LabelledExperiments in(@Nullable String folder) {
        if (folder == null) {
            return new LabelledExperiments(
                    BuiltInExperiments.all().stream()
                            .map(ExperimentSource::builtIn)
                            .toList(),
                    "of the built-in ones");
        }
        Path path = Path.of(folder);
        if (!Files.isDirectory(path)) {
            throw new BadInputException(
                    folder + ": is not a directory; labels choose among the experiments of a directory");
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<ExperimentSource> all = files.filter(
                            file -> file.toString().endsWith(".yaml") && Files.isRegularFile(file))
                    .sorted()
                    .map(file -> ExperimentSource.find(file.toString()))
                    .toList();
            return new LabelledExperiments(all, "in " + folder);
        } catch (IOException e) {
            throw new BadInputException(folder + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** All of them. */
    public List<ExperimentSource> all() {
        return all;
    }

    /**
     * The experiments with a label.
     *
     * @throws BadInputException if there are none
     */
    public List<ExperimentSource> with(String label) {
        List<ExperimentSource> chosen = new ArrayList<>();
        Set<String> known = new TreeSet<>();
        for (ExperimentSource each : all) {
            List<String> labels = labels(each);
            known.addAll(labels);
            if (labels.contains(label)) {
                chosen.add(each);
            }
        }
        if (chosen.isEmpty()) {
            String hint = known.isEmpty() ? "none has a label" : "there are " + String.join(", ", known);
            throw new BadInputException("no experiment " + where + " has the label '" + label + "'"
                    + Suggestion.of(label, known) + " (" + hint + ")");
        }
        return chosen;
    }

    private static List<String> labels(ExperimentSource experiment) {
        try {
            return experiment.tree().labels();
        } catch (ExperimentException e) {
            // Another YAML file; its mistakes are reported if it is run by name.
            return List.of();
        }
    }
}
