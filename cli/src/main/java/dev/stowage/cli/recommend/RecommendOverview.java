package dev.stowage.cli.recommend;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.policies.Policies;
import dev.stowage.report.Ranking;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Estimate;
import dev.stowage.study.bound.SupportedLoads;
import dev.stowage.study.recommend.Goal;
import dev.stowage.study.recommend.Recommendation;
import dev.stowage.study.recommend.Recommender;
import dev.stowage.study.size.InventoryFit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows which policies are best for which goals. */
final class RecommendOverview {
    private static final int MOST_NEXT = 1;

    private static final double TOLERANCE = 0.01;
    private static final int MOST_CLASSES = 128;

    private final Console console;
    private final int threads;
    private final OutputFormat format;
    private final ReportOption report;

    RecommendOverview(Console console, int threads, OutputFormat format, ReportOption report) {
        this.console = console;
        this.threads = threads;
        this.format = format;
        this.report = report;
    }

    /** For the policies of the experiment, or for all suitable ones. */
    void show(ExperimentSource source, boolean named) {
        ReadExperiment read = source.experiment(console);
        boolean asTable = format == OutputFormat.TABLE;
        List<String> warnings = new ArrayList<>(read.warnings());
        read.notes().stream()
                .filter(note -> !asTable || !warnings.contains(note))
                .forEach(console::note);
        if (read.points().size() != 1) {
            throw new BadInputException("recommend needs a single point: leave out the sweep with --set \"sweep=[]\" ("
                    + read.points().size() + " points)");
        }
        Experiment point = read.points().get(0);
        InventoryFit.of(point).filter(InventoryFit::cannot).ifPresent(fit -> {
            throw new BadInputException(
                    "recommend compares policies where all requests can run; this is an inventory, all"
                            + " of which runs at once. " + fit.sentence()
                            + " 'stowage size' with the same files says how many"
                            + " servers are needed");
        });
        StatusLine status = new StatusLine(console);
        Recommender recommender = BadInputException.saying(
                "cannot recommend here: ", () -> new Recommender(point, new Policies(), threads, status::step));
        Recommendation found;
        try {
            found = recommender.recommend(named ? point.policies() : List.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInputException("interrupted", e);
        }
        status.clear();
        SupportedLoads loads = new SupportedLoads(TOLERANCE, MOST_CLASSES);
        String caution = loads.caution(point);
        if (!caution.isEmpty()) {
            warnings.add(caution);
        }
        String excess = loads.excess(point);
        AnswerParts answer = answer(found, point, excess);
        answer.warnings(warnings);
        if (!excess.isEmpty()) {
            warnings.add(excess);
        }
        answer.print(format, () -> Data.json(found, warnings), () -> csv(found));
        report.write(answer, "Which policy: " + point.name(), Map.of());
        if (found.best().isEmpty()) {
            throw new BadInputException("nothing to choose: no goal has two suitable policies that can be compared");
        }
    }

    private AnswerParts answer(Recommendation found, Experiment point, String excess) {
        int replications = point.replications();
        Columns columns = new Columns("for", "choose", "with", "as good", "next best");
        Map<String, List<String>> goals = new LinkedHashMap<>();
        for (Recommendation.Best each : found.best()) {
            List<Ranking.Ranked> ranked = each.ranked().ranked();
            Ranking.Ranked best = ranked.get(0);
            goals.computeIfAbsent(best.policy(), first -> new ArrayList<>())
                    .add(each.goal().words());
            columns.row(
                    each.goal().words(),
                    best.policy(),
                    best.shown(),
                    names(ranked.subList(1, ranked.size()).stream()
                            .filter(Ranking.Ranked::alike)
                            .toList()),
                    next(each.ranked().metric(), ranked));
        }
        AnswerParts answer = new AnswerParts(console);
        answer.first(goals.entrySet().stream()
                .map(each -> each.getKey() + " for " + String.join(", ", each.getValue()))
                .collect(Collectors.joining("; ", excess + (excess.isEmpty() ? "" : " ") + "Choose ", ".")));
        answer.gap();
        answer.table(columns);
        answer.gap();
        found.rounds().stream()
                .filter(round -> !round.dropped().isEmpty()
                        || round.equals(found.rounds().get(found.rounds().size() - 1)))
                .forEach(round -> answer.say(round.ran().size() + " policies on " + round.what()
                        + (round.dropped().isEmpty()
                                ? "."
                                : "; dropped, because worse for every goal: " + String.join(", ", round.dropped())
                                        + ".")));
        answer.say("Waits are compared among policies that reject nothing."
                + (has(found, Goal.REJECTED)
                        ? " Rejections are compared among policies that reject what finds no room; those that let it"
                                + " wait reject none of it."
                        : ""));
        answer.say(confidence(point));
        double bound = Math.floor(10 * found.serversBound()) / 10;
        if (has(found, Goal.SERVERS) && bound > 0) {
            answer.say(String.format(
                    Locale.ROOT,
                    "If all requests%s start as they arrive, fewer than %,.1f servers on average over time cannot hold"
                            + " them. Policies that let requests wait may need fewer.",
                    replications > 1 ? " of the first replication" : "",
                    bound));
        }
        if (found.rewardBound() > 0) {
            answer.say(String.format(
                    Locale.ROOT,
                    "%s policy can earn more than %,.4g per second.",
                    replications > 1 ? "In the mean over these runs no" : "No",
                    found.rewardBound()));
        }
        if (!found.unsuited().isEmpty()) {
            answer.say("Not suited: " + String.join(", ", found.unsuited().keySet()) + " (--format json says why).");
        }
        return answer;
    }

    private static boolean has(Recommendation found, Goal goal) {
        return found.best().stream().anyMatch(each -> each.goal() == goal);
    }

    /** Of what the numbers are, and where the order of the policies holds. */
    private static String confidence(Experiment point) {
        boolean given = point.workload().isGiven();
        if (given && !point.drawsOrigins()) {
            return "The numbers are exact for these requests. Which policies are as good, and the interval of a difference,"
                    + " say what would hold on other requests like these, with the experiment's confidence.";
        }
        return "A policy that is worse here is also worse on other "
                + (given ? "random origins of these requests" : "requests like these")
                + ", with the experiment's confidence.";
    }

    private static String names(List<Ranking.Ranked> ranked) {
        return ranked.isEmpty()
                ? "-"
                : ranked.stream().limit(MOST_NEXT).map(Ranking.Ranked::policy).collect(Collectors.joining(", "))
                        + (ranked.size() > MOST_NEXT ? " and " + (ranked.size() - MOST_NEXT) + " more" : "");
    }

    /** The next best policy that differs significantly, and by how much. */
    private static String next(String metric, List<Ranking.Ranked> ranked) {
        List<Ranking.Ranked> worse =
                ranked.stream().filter(each -> !each.alike()).toList();
        if (worse.isEmpty()) {
            return "-";
        }
        Ranking.Ranked next = worse.get(0);
        Estimate difference = next.difference();
        return next.policy() + " by "
                + (difference == null
                        ? "more than the confidence intervals"
                        : Ranking.text(
                                metric,
                                difference.mean() < 0
                                        ? new Estimate(
                                                -difference.mean(),
                                                difference.halfWidth(),
                                                difference.confidence(),
                                                difference.method(),
                                                difference.count())
                                        : difference));
    }

    private static String csv(Recommendation found) {
        Data.Csv csv = new Data.Csv("goal", "metric", "rank", "policy", "value", "half_width", "as_good");
        for (Recommendation.Best each : found.best()) {
            List<Ranking.Ranked> ranked = new ArrayList<>(each.ranked().ranked());
            for (int i = 0; i < ranked.size(); i++) {
                Estimate value = ranked.get(i).value();
                Double half = value.halfWidth();
                csv.row(
                        each.goal().words(),
                        each.ranked().metric(),
                        Integer.toString(i + 1),
                        ranked.get(i).policy(),
                        Double.toString(value.mean()),
                        half == null ? "" : Double.toString(half),
                        Boolean.toString(ranked.get(i).alike()));
            }
        }
        return csv.text();
    }
}
