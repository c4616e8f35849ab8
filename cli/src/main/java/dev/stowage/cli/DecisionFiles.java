package dev.stowage.cli;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.RunObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where {@code --decisions} goes: the file itself for a single run, else a file for each, named after what is different. */
final class DecisionFiles {
    private final @Nullable Path file;
    private final Runs runs;

    private DecisionFiles(@Nullable Path file, Runs runs) {
        this.file = file;
        this.runs = runs;
    }

    /** Checks that files can be written there. */
    static DecisionFiles of(@Nullable Path file, Runs runs) {
        if (file != null) {
            Path directory = file.toAbsolutePath().getParent();
            if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
                throw new BadInputException(file + ": cannot be written: its directory does not exist or is not writable");
            }
            if (!file.toString().matches(".*\\.csv(\\.gz)?")) {
                throw new BadInputException(file + ": decisions are written as .csv or .csv.gz");
            }
        }
        return new DecisionFiles(file, runs);
    }

    RunObserver observe(Experiment point, LabelledPolicy policy, int replication) {
        return file == null ? RunObserver.NONE : new DecisionLog(of(file, point, policy, replication), point);
    }

    private Path of(Path all, Experiment point, LabelledPolicy policy, int replication) {
        StringBuilder name = new StringBuilder();
        if (runs.points() > 1) {
            point.point().forEach((axis, value) -> name.append('-').append(axis).append('-').append(value));
        }
        if (runs.policies() > 1) {
            name.append('-').append(policy.label());
        }
        if (runs.replications() > 1) {
            name.append('-').append(replication);
        }
        String text = String.valueOf(all.getFileName());
        int ending = text.endsWith(".csv.gz") ? text.length() - 7 : text.length() - 4;
        String fit = name.toString().replaceAll("[^A-Za-z0-9._=-]", "-");
        return all.resolveSibling(text.substring(0, ending) + fit + text.substring(ending));
    }
}
