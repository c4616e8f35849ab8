package dev.stowage.cli.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.cli.experiment.BuiltInExperiments;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.run.ExperimentRun;
import dev.stowage.cli.run.PlanningRun;
import dev.stowage.cli.run.ResultOptions;
import dev.stowage.cli.run.ResultsDirectory;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Carries out the experiments of a paper and writes its page. */
final class Reproduction {
    private static final int QUICK_PART = 50;
    private static final int QUICK_PROBLEMS = 2;

    private final ResultOptions options;
    private final Path out;
    private final Path traces;
    private final boolean quick;
    private final List<String> policies;
    private final boolean reuse;
    private final Console console;
    /** By experiment; two figures may share one. */
    private final Map<String, Results> measured = new LinkedHashMap<>();

    Reproduction(
            ResultOptions options,
            Path out,
            Path traces,
            boolean quick,
            List<String> policies,
            boolean reuse,
            Console console) {
        this.options = options;
        this.out = out;
        this.traces = traces;
        this.quick = quick;
        this.policies = policies;
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
        Map<String, ReproducedFigure> figures = new LinkedHashMap<>();
        Map<String, String> skipped = new LinkedHashMap<>();
        List<PaperFigure> asked = choose(paper, wanted);
        checkPolicies(asked);
        asked.forEach(each -> whySkipped(each).ifPresent(why -> skipped.put(each.key(), "skipped: " + why)));
        List<PaperFigure> ahead = new ArrayList<>(asked);
        ahead.removeIf(each -> skipped.containsKey(each.key()));
        Path page = null;
        try (HowToGoOn goOn = new HowToGoOn(console)) {
            while (!ahead.isEmpty()) {
                PaperFigure figure = ahead.remove(0);
                console.note(paper.key() + " " + figure.key() + ": " + figure.title());
                figures.put(figure.key(), ReproducedFigure.of(paper, figure, results(paper, figure), part()));
                addEarlier(paper, ahead, figures, skipped.keySet());
                page = write(inOrder(paper, figures), skipped);
                goOn.done(figure.key());
            }
        }
        Columns columns = new Columns("figure", "verdict", "the paper's claim");
        for (PaperFigure each : asked) {
            ReproducedFigure done = figures.get(each.key());
            if (done == null) {
                columns.row(
                        each.key(),
                        "skipped",
                        skipped.getOrDefault(each.key(), "").replaceFirst("skipped: ", ""));
            } else {
                columns.row(each.key(), done.finding().verdict().toString(), each.claim());
            }
        }
        console.out().print(columns.text(console.style()));
        if (!part().isEmpty() && !figures.isEmpty()) {
            console.out().println("Not judged, because only a part was run: " + part());
        }
        if (page != null) {
            console.out().println();
            console.out().println("Page: " + page);
            List<String> earlier = inOrder(paper, figures).stream()
                    .map(ReproducedFigure::figure)
                    .filter(each -> !asked.contains(each))
                    .map(PaperFigure::key)
                    .toList();
            if (!earlier.isEmpty()) {
                console.note("On the page from rows of earlier calls: " + String.join(", ", earlier));
            }
        }
        if (!skipped.isEmpty() && (!wanted.isEmpty() || page == null)) {
            throw new BadInputException("skipped, as the table says why: " + String.join(", ", skipped.keySet()));
        }
    }

    /** The options by which only a part of a figure is run. */
    private String part() {
        String some = policies.isEmpty() ? "" : "--policy \"" + String.join(",", policies) + "\"";
        return (some + (quick ? " --quick" : "")).strip();
    }

    private static List<ReproducedFigure> inOrder(Paper paper, Map<String, ReproducedFigure> figures) {
        return paper.figures().stream()
                .flatMap(each -> Stream.ofNullable(figures.get(each.key())))
                .toList();
    }

    /** Adds the figures whose rows an earlier call left, except those whose rows will be made anew. */
    private void addEarlier(
            Paper paper, List<PaperFigure> ahead, Map<String, ReproducedFigure> figures, Set<String> skipped) {
        Set<String> anew =
                ahead.stream().flatMap(each -> each.experiments().stream()).collect(Collectors.toSet());
        for (PaperFigure figure : paper.figures()) {
            List<String> needed = figure.experiments();
            if (!figures.containsKey(figure.key())
                    && !skipped.contains(figure.key())
                    && needed.stream().noneMatch(anew::contains)
                    && needed.stream().allMatch(this::isThere)) {
                Map<String, Results> all = new LinkedHashMap<>();
                needed.forEach(name ->
                        all.put(name, measured.computeIfAbsent(name, any -> ResultsReader.read(out.resolve(name)))));
                figures.put(figure.key(), ReproducedFigure.of(paper, figure, joined(all), part()));
            }
        }
    }

    /** Whether an experiment was carried out, to its end, as this call would. */
    private boolean isThere(String experiment) {
        Path directory = out.resolve(experiment);
        return isComplete(directory)
                && ResultsDirectory.experiment(directory)
                        .equals(asCalled(experiment).tree().resolvedYaml());
    }

    /** Whether rows are there, and the report that is written after the last of them. */
    private static boolean isComplete(Path directory) {
        return Files.exists(directory.resolve(ResultsReader.RESULTS))
                && Files.exists(directory.resolve(ReportWriter.HTML));
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

    private Optional<String> whySkipped(PaperFigure figure) {
        for (String experiment : figure.experiments()) {
            ExperimentTree tree = source(experiment).tree();
            for (String file : tree.traces()) {
                if (!Files.exists(traces.resolve(file))) {
                    return Optional.of(missing(file, traces));
                }
            }
            if (!policies.isEmpty() && chosen(tree).isEmpty()) {
                return Optional.of(
                        tree.policies().isEmpty()
                                ? "it compares planners, not policies"
                                : "it has no policy " + String.join(" or ", policies) + "; it has "
                                        + String.join(", ", tree.policies().keySet()));
            }
        }
        return Optional.empty();
    }

    /** Of a file that is not there: what to do. */
    static String missing(String file, Path traces) {
        return "no " + file + " in " + traces
                + "; name its directory with --traces DIR; docs/traces.md, Published files,"
                + " says where it comes from";
    }

    /** Whether each name is that of a policy of one of these figures. */
    private void checkPolicies(List<PaperFigure> figures) {
        Set<String> known = figures.stream()
                .flatMap(figure -> figure.experiments().stream())
                .flatMap(name -> source(name).tree().policies().entrySet().stream())
                .flatMap(each -> Stream.of(each.getKey(), key(each.getValue())))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        for (String name : policies) {
            if (!known.contains(name)) {
                throw new BadInputException("--policy: no policy '" + name + "' in these figures"
                        + (known.isEmpty()
                                ? ": they compare planners"
                                : "; known: " + String.join(", ", known) + Suggestion.of(name, known)));
            }
        }
    }

    private static String key(JsonNode policy) {
        return policy.path("policy").asText(policy.asText());
    }

    /** The policies that were asked for, of those of an experiment. */
    private List<JsonNode> chosen(ExperimentTree tree) {
        return tree.policies().entrySet().stream()
                .filter(each -> policies.contains(each.getKey()) || policies.contains(key(each.getValue())))
                .map(Map.Entry::getValue)
                .toList();
    }

    private Results results(Paper paper, PaperFigure figure) {
        Map<String, Results> all = new LinkedHashMap<>();
        figure.experiments().forEach(name -> all.put(name, results(paper, name)));
        return joined(all);
    }

    private static Results joined(Map<String, Results> all) {
        return all.size() == 1 ? all.values().iterator().next() : Results.together(all);
    }

    private Results results(Paper paper, String experiment) {
        return measured.computeIfAbsent(experiment, name -> {
            options.out = out.resolve(name);
            if (reuse && (part().isEmpty() ? isComplete(options.out) : isThere(name))) {
                return ResultsReader.read(options.out);
            }
            Path directory = measure(paper, name);
            Results results = ResultsReader.read(directory);
            ReportWriter.write(results, directory);
            return results;
        });
    }

    /** An experiment as a whole, or a part of it. */
    private ExperimentSource asCalled(String name) {
        ExperimentSource whole = source(name);
        List<String> changes = new ArrayList<>(quick ? shortened(whole.tree()) : List.of());
        if (!policies.isEmpty()) {
            changes.add("policies=" + chosen(whole.tree()));
        }
        return whole.with(changes);
    }

    private Path measure(Paper paper, String name) {
        ExperimentSource source = asCalled(name);
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
                        "horizon=" + Math.max(1, Long.parseLong(horizon[0]) / QUICK_PART) + " " + horizon[1],
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
