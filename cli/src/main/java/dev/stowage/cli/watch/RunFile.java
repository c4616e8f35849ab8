package dev.stowage.cli.watch;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Failures;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file that a run writes beside its results: the one the user named for a single run; with several runs one file
 * each, named after what distinguishes the run.
 */
final class RunFile {
    private final Path file;
    private final String ending;
    private final Runs runs;

    private RunFile(Path file, String ending, Runs runs) {
        this.file = file;
        this.ending = ending;
        this.runs = runs;
    }

    /**
     * Checks that such files can be written; their directory is made.
     *
     * @param endings what the name may end with, longer ones first
     */
    static RunFile of(Path file, List<String> endings, Runs runs) {
        String ending = endings.stream()
                .filter(file.toString()::endsWith)
                .findFirst()
                .orElseThrow(() -> new BadInputException(file + ": its name must end with one of " + endings));
        Path directory = file.toAbsolutePath().getParent();
        try {
            if (directory != null) {
                Files.createDirectories(directory);
            }
        } catch (IOException e) {
            throw new BadInputException(file + ": its directory cannot be made: " + Failures.whyNotMade(e), e);
        }
        if (directory == null || !Files.isWritable(directory)) {
            throw new BadInputException(file + ": its directory is not writable");
        }
        return new RunFile(file, ending, runs);
    }

    /** The file of one run. */
    Path of(Experiment point, LabelledPolicy policy, int replication) {
        StringBuilder name = new StringBuilder();
        if (runs.points() > 1) {
            point.point()
                    .forEach((axis, value) ->
                            name.append('-').append(axis).append('-').append(value));
        }
        if (runs.policies() > 1) {
            name.append('-').append(policy.label());
        }
        if (runs.replications() > 1) {
            name.append('-').append(replication);
        }
        String whole = String.valueOf(file.getFileName());
        String stem = whole.substring(0, whole.length() - ending.length());
        return file.resolveSibling(stem + name.toString().replaceAll("[^A-Za-z0-9._=-]", "-") + ending);
    }
}
