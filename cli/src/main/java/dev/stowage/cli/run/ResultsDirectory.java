package dev.stowage.cli.run;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.report.ReportWriter;
import dev.stowage.report.ResultsReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of one experiment's results. Nothing is ever overwritten unless the user says so. */
public final class ResultsDirectory {
    private static final Path USUAL = Path.of("results");
    private static final List<String> OURS = List.of(
            ResultsReader.RESULTS, ResultsReader.EXPERIMENT, ReportWriter.HTML, ReportWriter.CSV, ReportWriter.PLOTS);

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

    public Path path() {
        return path;
    }

    public Path resultsFile() {
        return path.resolve(ResultsReader.RESULTS);
    }

    /** Writes the experiment as it was resolved, which also shows that the directory can be written. */
    public void writeExperiment(String text) {
        Path file = path.resolve(ResultsReader.EXPERIMENT);
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be written: " + why(e) + "; choose another --out", e);
        }
    }

    private static Path firstFree(String experiment, boolean overwrite) {
        Path path = USUAL.resolve(experiment);
        for (int i = 2; !overwrite && Files.exists(path); i++) {
            path = USUAL.resolve(experiment + "-" + i);
        }
        return path;
    }

    private void prepare(boolean overwrite) throws IOException {
        try {
            Files.createDirectories(path);
        } catch (FileAlreadyExistsException e) {
            throw new BadInputException(path + ": is a file; --out must name a directory", e);
        }
        List<String> there;
        try (Stream<Path> files = Files.list(path)) {
            there = files.map(file -> file.getFileName().toString()).sorted().toList();
        }
        if (there.isEmpty()) {
            return;
        }
        boolean results = there.contains(ResultsReader.RESULTS);
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
