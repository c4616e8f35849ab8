package dev.stowage.cli.reproduce;

import dev.stowage.cli.experiment.BuiltInExperiments;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.run.ExperimentRun;
import dev.stowage.cli.run.PlanningRun;
import dev.stowage.cli.run.ResultOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.report.ReportWriter;
import dev.stowage.report.Results;
import dev.stowage.report.ResultsReader;
import dev.stowage.sim.experiment.ExperimentTree;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.study.reproduce.Paper;
import dev.stowage.study.reproduce.PaperFigure;
import dev.stowage.study.reproduce.Papers;
import dev.stowage.study.reproduce.ReproducedFigure;
import dev.stowage.study.reproduce.ReproductionPage;
import dev.stowage.study.row.TimedPolicies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Carries out the experiments of a paper and writes its page. */
final class Reproduction {
    private static final int QUICK_PART = 50;
    private static final int QUICK_PROBLEMS = 2;

    private final ResultOptions options;
    private final Path out;
    private final Path traces;
    private final boolean quick;
    private final boolean reuse;
    private final Console console;
    /** By experiment; two figures may share one. */
    private final Map<String, Results> measured = new LinkedHashMap<>();

    Reproduction(ResultOptions options, Path out, Path traces, boolean quick, boolean reuse, Console console) {
        this.options = options;
        this.out = out;
        this.traces = traces;
        this.quick = quick;
        this.reuse = reuse;
        this.console = console;
    }

    /** Shows what can be reproduced. */
    void list() {
        Columns columns = new Columns("paper", "figure", "what it shows", "the paper's claim");
        for (Paper paper : Papers.ALL) {
            paper.figures().forEach(figure -> columns.row(paper.key(), figure.key(), figure.title(), figure.claim()));
        }
        columns.row(GpuReproduction.KEY, "a list", GpuReproduction.WHAT, GpuReproduction.CLAIM);
        console.out().print(columns.text(console.style()));
    }

    void run(String key, List<String> wanted) {
        Paper paper = Papers.find(key).orElseThrow(() -> {
            List<String> keys = Stream.concat(Papers.ALL.stream().map(Paper::key), Stream.of(GpuReproduction.KEY))
                    .toList();
            String meant = Suggestion.of(key, keys);
            return new BadInputException(
                    "no paper " + key + meant + (meant.isEmpty() ? "; known: " : " Known: ") + String.join(", ", keys));
        });
        List<ReproducedFigure> figures = new ArrayList<>();
        Map<String, String> skipped = new LinkedHashMap<>();
        Columns columns = new Columns("figure", "verdict", "the paper's claim");
        for (PaperFigure figure : choose(paper, wanted)) {
            Optional<String> missing = missingTrace(figure);
            if (missing.isPresent()) {
                skipped.put(figure.key(), "skipped: " + missing.get());
                columns.row(figure.key(), "skipped", missing.get());
                continue;
            }
            console.note(paper.key() + " " + figure.key() + ": " + figure.title());
            ReproducedFigure reproduced = ReproducedFigure.of(paper, figure, results(paper, figure), quick);
            figures.add(reproduced);
            columns.row(figure.key(), reproduced.finding().verdict().toString(), figure.claim());
        }
        console.out().print(columns.text(console.style()));
        if (!figures.isEmpty()) {
            console.out().println();
            console.out().println("Page: " + write(figures, skipped));
        }
    }

    private static List<PaperFigure> choose(Paper paper, List<String> wanted) {
        if (wanted.isEmpty()) {
            return paper.figures();
        }
        return wanted.stream()
                .map(name -> paper.figure(name)
                        .orElseThrow(() -> new BadInputException("no figure " + name + " of " + paper.key()
                                + "; known: "
                                + String.join(
                                        ", ",
                                        paper.figures().stream()
                                                .map(PaperFigure::key)
                                                .toList()))))
                .toList();
    }

    private ExperimentSource source(String experiment) {
        String text = BuiltInExperiments.text(BuiltInExperiments.PAPER + experiment);
        return new ExperimentSource(experiment, text, traces, List.of());
    }

    private Optional<String> missingTrace(PaperFigure figure) {
        return figure.experiments().stream()
                .flatMap(experiment -> source(experiment).tree().traces().stream())
                .filter(file -> !Files.exists(traces.resolve(file)))
                .findFirst()
                .map(file -> "no " + file + " in " + traces + "; name its directory with --traces DIR");
    }

    private Results results(Paper paper, PaperFigure figure) {
        Map<String, Results> all = new LinkedHashMap<>();
        figure.experiments().forEach(name -> all.put(name, results(paper, name)));
        return all.size() == 1 ? all.values().iterator().next() : Results.together(all);
    }

    private Results results(Paper paper, String experiment) {
        return measured.computeIfAbsent(experiment, name -> {
            options.out = out.resolve(name);
            if (reuse && Files.exists(options.out.resolve(ResultsReader.RESULTS))) {
                return ResultsReader.read(options.out);
            }
            Path directory = measure(paper, name);
            Results results = ResultsReader.read(directory);
            ReportWriter.write(results, directory);
            return results;
        });
    }

    private Path measure(Paper paper, String name) {
        ExperimentSource whole = source(name);
        ExperimentSource source = quick ? whole.with(shortened(whole.tree())) : whole;
        if (source.tree().isPlanning()) {
            return new PlanningRun(source.study(), options, console).measure();
        }
        boolean timed = paper.figures().stream()
                .anyMatch(each ->
                        each.experiments().contains(name) && each.metric().equals(TimedPolicies.METRIC));
        ReadExperiment experiment = source.experiment();
        return timed
                ? ExperimentRun.timed(experiment, options, console).measure()
                : new ExperimentRun(experiment, options, console).measure();
    }

    /** Overrides that shorten an experiment: few problems, a fiftieth of the time, or the first requests of a trace. */
    private static List<String> shortened(ExperimentTree tree) {
        if (tree.isPlanning()) {
            return List.of("planning.problems=" + QUICK_PROBLEMS);
        }
        String[] horizon = tree.text("horizon").split(" ", -1);
        return horizon.length == 2
                ? List.of(
                        "horizon=" + Long.parseLong(horizon[0]) / QUICK_PART + " " + horizon[1],
                        "warm-up=auto",
                        "replications=2")
                : List.of("requests=5000");
    }

    private Path write(List<ReproducedFigure> figures, Map<String, String> skipped) {
        try {
            return ReproductionPage.write(figures, skipped, out);
        } catch (IOException e) {
            throw new UncheckedIOException(out + ": cannot be written: " + e.getMessage(), e);
        }
    }
}
