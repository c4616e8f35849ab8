package dev.stowage.cli.run;

import dev.stowage.cli.experiment.Runs;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Version;
import dev.stowage.policies.Policies;
import dev.stowage.report.ResultsReader;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentDifference;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentRows;
import dev.stowage.sim.experiment.ExperimentUnits;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.unit.UnitCodec;
import dev.stowage.sim.unit.UnitCollection;
import dev.stowage.sim.unit.UnitException;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes results from directories of units. */
final class Merge {
    /** Further lines of an error are counted, not printed. */
    private static final int MOST_TOLD = 10;

    private final List<Path> directories;
    private final @Nullable Path base;
    private final Console console;

    /**
     * Merges directories that shards wrote.
     *
     * @param base where the experiment's files are; null for where the shards found them
     */
    Merge(List<Path> directories, @Nullable Path base, Console console) {
        this.directories = directories.stream().distinct().toList();
        this.base = base;
        this.console = console;
    }

    /**
     * Makes the results, and returns their directory.
     *
     * @param out where; null for the directory of units if it is one, else the usual place
     * @throws BadInputException if units are missing or do not belong together; then nothing is written
     */
    Path into(@Nullable Path out, boolean overwrite) {
        String text = text();
        ReadExperiment experiment = read(text);
        List<Experiment> points = experiment.points();
        UnitCollection units = new UnitCollection(
                directories, ExperimentUnits.all(points), ExperimentUnits.stamps(points, Version.number()));
        complain(points, units);
        ResultsDirectory directory = ResultsDirectory.ofMerge(
                out == null && directories.size() == 1 ? directories.get(0) : out,
                overwrite,
                points.get(0).name(),
                text);
        directory.writeExperiment(experiment);
        units.notes().forEach(console::note);
        experiment.notes().forEach(console::note);
        console.note("the units of " + Runs.of(points).text() + ", into " + directory.path());
        RowMaking making = new RowMaking(experiment, console);
        ProgressListener listener = new ProgressListener() {
            @Override
            public void progress(double runsDone, int runsTotal, long requestsDone) {
                // Nothing is run here
            }

            @Override
            public void missed(String warning) {
                making.missed(warning);
            }
        };
        ExperimentRows rows = new ExperimentRows(points, Version.number(), listener);
        making.carryOut(directory, null, (addition, to) -> rows.make(units, addition, to));
        return directory.path();
    }

    /** The experiment that all directories are of. */
    private String text() {
        String first = "";
        for (Path directory : directories) {
            String text = ResultsDirectory.experiment(directory);
            if (text.isEmpty()) {
                throw new BadInputException(directory + ": has no " + ResultsReader.EXPERIMENT
                        + "; name directories that 'stowage run --shard' wrote");
            }
            if (!first.isEmpty() && !text.equals(first)) {
                throw new BadInputException(directory + ": belongs to another experiment than " + directories.get(0)
                        + " (there): " + ExperimentDifference.between(first, text));
            }
            first = text;
        }
        return first;
    }

    private ReadExperiment read(String text) {
        String source = directories.get(0).resolve(ResultsReader.EXPERIMENT).toString();
        Path files = base == null ? whereShardsFoundThem() : base;
        try {
            return ExperimentReader.read(source, text, files, List.of(), new Policies());
        } catch (ExperimentException e) {
            if (base != null) {
                throw e;
            }
            throw new BadInputException(
                    e.getMessage() + "\nFiles are looked for in " + files.toAbsolutePath()
                            + "; --base names another directory",
                    e);
        }
    }

    private Path whereShardsFoundThem() {
        for (Path directory : directories) {
            for (Path file : UnitStore.files(directory)) {
                try {
                    return Path.of(UnitCodec.header(file.toString(), Files.readAllBytes(file))
                            .dealing()
                            .base());
                } catch (IOException | UnitException e) {
                    // The error is reported together with all others.
                }
            }
        }
        return Path.of("");
    }

    private static void complain(List<Experiment> points, UnitCollection units) {
        List<UnitKey> missing = units.missing();
        if (missing.isEmpty() && units.problems().isEmpty()) {
            return;
        }
        List<String> lines = new ArrayList<>(some(units.problems()));
        if (!missing.isEmpty()) {
            lines.add(missing.size() + " of " + ExperimentUnits.all(points).size() + " units are missing: "
                    + String.join(
                            "; ",
                            some(missing.stream().map(key -> told(points, key)).toList())));
            lines.add(again(points, new TreeSet<>(missing), units.shards()));
        }
        lines.add("Nothing was written.");
        throw new BadInputException(String.join("\n", lines));
    }

    private static List<String> some(List<String> all) {
        List<String> some = new ArrayList<>(all.subList(0, Math.min(MOST_TOLD, all.size())));
        if (all.size() > MOST_TOLD) {
            some.add("and " + (all.size() - MOST_TOLD) + " more");
        }
        return some;
    }

    private static String told(List<Experiment> points, UnitKey key) {
        Experiment point = points.get(key.point());
        return (point.point().isEmpty() ? "" : "point " + key.point() + " " + point.point() + ", ")
                + point.policies().get(key.policy()).label() + ", replication " + key.replication();
    }

    /** The commands that make the missing units. */
    private static String again(List<Experiment> points, Set<UnitKey> missing, int shards) {
        if (shards == 0) {
            return "Run the experiment again into one of the directories: only missing runs are done.";
        }
        List<List<UnitKey>> dealt = ExperimentUnits.deal(points, shards);
        List<Integer> numbers = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            if (dealt.get(shard).stream().anyMatch(missing::contains)) {
                numbers.add(shard + 1);
            }
        }
        return "Run these shards of " + shards + " again, into the same directories: "
                + numbers.stream().map(String::valueOf).collect(Collectors.joining(","))
                + "; only missing runs are done.";
    }
}
