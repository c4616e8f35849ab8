package dev.stowage.cli.run;

import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.policies.PluginOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Data;
import dev.stowage.report.ReportWriter;
import dev.stowage.report.ResultsReader;
import dev.stowage.sim.experiment.ExperimentDifference;
import dev.stowage.sim.experiment.InputFiles;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.unit.UnitStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of one experiment's results. Nothing is ever overwritten unless the user says so. */
public final class ResultsDirectory {
    private static final Path USUAL = Path.of("results");
    private static final List<String> OURS = List.of(
            ResultsReader.RESULTS,
            ResultsReader.EXPERIMENT,
            ResultsReader.WARNINGS,
            ReportWriter.HTML,
            ReportWriter.CSV,
            ReportWriter.PLOTS,
            UnitStore.DIRECTORY);
    /** Ending of a file that a process left which died while writing. */
    private static final String PART = ".part";

    private final Path path;

    private ResultsDirectory(Path path) {
        this.path = path;
    }

    /**
     * Makes the directory.
     *
     * @param given what the user named; null for {@code results/NAME}, or {@code results/NAME-2} and so on if that is
     *     there
     * @throws BadInputException if it holds something, or cannot be written
     */
    public static ResultsDirectory create(@Nullable Path given, boolean overwrite, String experiment) {
        Path path = given == null ? firstFree(experiment, overwrite) : given;
        ResultsDirectory directory = new ResultsDirectory(path);
        try {
            directory.prepare(overwrite);
        } catch (IOException e) {
            throw new BadInputException(path + ": cannot write results there: " + why(e) + "; choose another --out", e);
        }
        return directory;
    }

    /** How complete the results of an experiment are. */
    enum Completeness {
        /** There is nothing. */
        NEW,
        /** There are units of it. */
        BEGUN,
        /** There are results of it and no units: nothing is left to do. */
        WHOLE
    }

    /**
     * The directory of an experiment that may have been started: among the usual ones the one with its units, or, if
     * the user asks to resume, with its results; else a new one.
     *
     * @param given what the user named; null for the usual places
     * @param resume whether complete results are accepted
     * @param text the experiment as it was resolved
     * @throws BadInputException if it holds something else, or cannot be written
     */
    static ResultsDirectory resumable(
            @Nullable Path given, boolean overwrite, boolean resume, String experiment, String text) {
        Path path = given;
        if (overwrite) {
            return create(given, true, experiment);
        }
        for (int i = 1; path == null && Files.exists(usual(experiment, i)); i++) {
            Completeness state = state(usual(experiment, i), text);
            path = state == Completeness.BEGUN || (resume && state == Completeness.WHOLE) ? usual(experiment, i) : null;
        }
        if (path == null) {
            return create(null, false, experiment);
        }
        Completeness state = state(path, text);
        if (state == Completeness.NEW && (resume || Files.isDirectory(path.resolve(UnitStore.DIRECTORY)))) {
            refuseAnother(path, text);
        }
        return state == Completeness.BEGUN || (resume && state == Completeness.WHOLE)
                ? new ResultsDirectory(path)
                : create(path, false, experiment);
    }

    /**
     * The directory of an experiment whose units several processes make: it may exist and contain units of others.
     *
     * @param given what the user named; null for {@code results/NAME}
     * @param text the experiment as it was resolved
     * @throws BadInputException if it holds something else, or cannot be written
     */
    static ResultsDirectory ofShards(@Nullable Path given, String experiment, String text) {
        ResultsDirectory directory = new ResultsDirectory(given == null ? usual(experiment, 1) : given);
        Path path = directory.path;
        refuseAnother(path, text);
        if (state(path, text) == Completeness.WHOLE && Files.exists(directory.resultsFile())) {
            throw new BadInputException(path + ": holds the results already; choose another --out to run it again");
        }
        try {
            Files.createDirectories(path.resolve(UnitStore.DIRECTORY));
            Optional<String> foreign = names(path).stream()
                    .filter(name -> !OURS.contains(name) && !name.endsWith(PART))
                    .findFirst();
            if (foreign.isPresent()) {
                throw new BadInputException(path + ": contains something other than results of Stowage ("
                        + foreign.get() + "); --out must name a new directory");
            }
            // Other shards may write it at the same time, so the file is either complete or absent.
            Path part = path.resolve(
                    ResultsReader.EXPERIMENT + "." + ProcessHandle.current().pid() + "-" + System.nanoTime() + PART);
            Files.writeString(part, text, StandardCharsets.UTF_8);
            Files.move(part, path.resolve(ResultsReader.EXPERIMENT), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new BadInputException(path + ": cannot write units there: " + why(e) + "; choose another --out", e);
        }
        return directory;
    }

    /**
     * The directory of results that are made from units; units in it stay.
     *
     * @param given what the user named; null for the usual place
     * @param text the experiment as it was resolved
     * @throws BadInputException if it holds results or something else, or cannot be written
     */
    static ResultsDirectory ofMerge(@Nullable Path given, boolean overwrite, String experiment, String text) {
        if (given == null || state(given, text) == Completeness.NEW) {
            return create(given, overwrite, experiment);
        }
        ResultsDirectory directory = new ResultsDirectory(given);
        if (Files.exists(directory.resultsFile()) && !overwrite) {
            throw new BadInputException(given + ": holds results; --overwrite replaces them, or choose another --out");
        }
        return directory;
    }

    /** How complete the results of an experiment are. */
    Completeness state(String text) {
        return state(path, text);
    }

    private static Completeness state(Path path, String text) {
        if (!text.equals(experiment(path))) {
            return Completeness.NEW;
        }
        return Files.isDirectory(path.resolve(UnitStore.DIRECTORY)) ? Completeness.BEGUN : Completeness.WHOLE;
    }

    /** The text of the experiment in a directory; empty if there is none. */
    public static String experiment(Path path) {
        Path file = path.resolve(ResultsReader.EXPERIMENT);
        try {
            return Files.exists(file) ? InputFiles.withoutPlaces(Files.readString(file)) : "";
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be read: " + why(e), e);
        }
    }

    private static void refuseAnother(Path path, String text) {
        String there = experiment(path);
        if (!there.isEmpty() && !there.equals(text)) {
            throw new BadInputException(
                    path + ": belongs to another experiment: " + ExperimentDifference.between(there, text)
                            + ". Choose another --out, or --overwrite replaces what is there");
        }
    }

    /** Deletes the units, once the results are complete. */
    void removeUnits() {
        try {
            delete(path.resolve(UnitStore.DIRECTORY));
        } catch (IOException e) {
            throw new UncheckedIOException(path + ": cannot remove the units: " + why(e), e);
        }
    }

    public Path path() {
        return path;
    }

    public Path resultsFile() {
        return path.resolve(ResultsReader.RESULTS);
    }

    /**
     * Writes the resolved experiment, which also shows that the directory is writable, and where the files are that it
     * names and the jars with its policies.
     */
    void writeExperiment(ReadExperiment experiment) {
        List<String> plugins = PluginOptions.again(path);
        writeExperiment(InputFiles.places(experiment.files(), path)
                + (plugins.isEmpty() ? "" : "# " + ReportOption.quoted(plugins) + "\n")
                + experiment.resolvedYaml());
    }

    /** Writes a text in its place. */
    public void writeExperiment(String text) {
        Path file = path.resolve(ResultsReader.EXPERIMENT);
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be written: " + why(e) + "; choose another --out", e);
        }
    }

    /** Writes what must be known beside the results. */
    void writeWarnings(List<Remark> warnings) {
        Path file = path.resolve(ResultsReader.WARNINGS);
        try {
            if (warnings.isEmpty()) {
                Files.deleteIfExists(file);
            } else {
                // Whole or not at all: a report is made of the rows even if the run is interrupted here.
                Path part = path.resolve(ResultsReader.WARNINGS + ".part");
                Files.writeString(part, Data.json(warnings));
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be written: " + why(e) + "; choose another --out", e);
        }
    }

    private static Path firstFree(String experiment, boolean overwrite) {
        int i = 1;
        while (!overwrite && Files.exists(usual(experiment, i))) {
            i++;
        }
        return usual(experiment, i);
    }

    /** {@code results/NAME}, {@code results/NAME-2} and so on. */
    private static Path usual(String experiment, int number) {
        return USUAL.resolve(number == 1 ? experiment : experiment + "-" + number);
    }

    private static List<String> names(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void prepare(boolean overwrite) throws IOException {
        try {
            Files.createDirectories(path);
        } catch (FileAlreadyExistsException e) {
            throw new BadInputException(path + ": is a file; --out must name a directory", e);
        }
        List<String> there = names(path);
        if (there.isEmpty()) {
            return;
        }
        boolean results = there.contains(ResultsReader.RESULTS) || there.contains(UnitStore.DIRECTORY);
        if (!results) {
            throw new BadInputException(path + ": is not empty and holds no results of Stowage (" + there.get(0)
                    + "); --out must name a new directory");
        }
        if (!overwrite) {
            throw new BadInputException(path + ": holds results; --overwrite replaces them, or choose another --out");
        }
        for (String name : OURS) {
            delete(path.resolve(name));
        }
    }

    private static void delete(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        try (Stream<Path> inside = Files.walk(file)) {
            for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static String why(IOException e) {
        String kind = e.getClass().getSimpleName().replace("Exception", "");
        return e instanceof java.nio.file.AccessDeniedException ? "no permission" : kind + ": " + e.getMessage();
    }
}
