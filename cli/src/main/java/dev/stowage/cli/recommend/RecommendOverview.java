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
import dev.stowage.core.model.ResourceWords;
import dev.stowage.policies.Policies;
import dev.stowage.report.Ranking;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadReport;
import dev.stowage.study.bound.SupportedLoads;
import dev.stowage.study.recommend.Goal;
import dev.stowage.study.recommend.Recommendation;
import dev.stowage.study.recommend.Recommender;
import dev.stowage.study.size.InventoryFit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows which policies are best for which goals. */
record RecommendOverview(Console console, int threads, OutputFormat format, ReportOption report) {
    /** Policies with the simplest rules, the simplest first. */
    private static final List<String> SIMPLE = List.of("first-fit", "fifo-ff", "best-fit");

    private static final int MOST_NEXT = 1;

    private static final double TOLERANCE = 0.01;
    private static final int MOST_CLASSES = 128;

    /** For the policies of the experiment, or for all suitable ones. */
    void show(ExperimentSource source, boolean named) {
        ReadExperiment read = source.experiment(console);
        try {
            show(read, named);
        } finally {
            read.notes().stream()
                    .filter(note ->
                            format != OutputFormat.TABLE || !read.warnings().contains(note))
                    .forEach(console::note);
        }
    }

    private void show(ReadExperiment read, boolean named) {
        boolean asTable = format == OutputFormat.TABLE;
        List<Remark> warnings = new ArrayList<>(read.warnings());
        if (read.points().size() != 1) {
            throw new BadInputException("recommend needs a single point: leave out the sweep with --set \"sweep=[]\" ("
                    + read.points().size() + " points)");
        }
        Experiment point = read.points().get(0);
        Optional<InventoryFit> inventory = InventoryFit.of(point);
        inventory.filter(InventoryFit::cannot).ifPresent(fit -> {
            console.out().print(asTable ? console.warnings(warnings) : "");
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
        loads.caution(point).ifPresent(warnings::add);
        String excess = loads.excess(point);
        AnswerParts answer = answer(found, point, excess, read, inventory);
        answer.warnings(warnings);
        Stream.of(excess, found.leftWaiting())
                .filter(each -> !each.isEmpty())
                .forEach(each -> warnings.add(Remark.plain(each)));
        answer.print(format, () -> Data.json(found, warnings), () -> csv(found));
        report.write(answer, "Which policy: " + point.name(), Map.of());
        if (found.best().isEmpty()) {
            throw new BadInputException(
                    inventory.isPresent()
                            ? "nothing to choose: fewer than two of these policies find a place for all of it on these"
                                    + " servers. 'stowage size' with the same files says how many servers are needed"
                            : "nothing to choose: no goal has two suitable policies that can be compared");
        }
    }

    private AnswerParts answer(
            Recommendation found,
            Experiment point,
            String excess,
            ReadExperiment read,
            Optional<InventoryFit> inventory) {
        int replications = point.replications();
        Columns columns = new Columns("for", "best measured", "with", "not shown worse", "next best");
        Set<String> recommended = new LinkedHashSet<>();
        Set<String> measured = new LinkedHashSet<>();
        Map<String, List<String>> simplest = new LinkedHashMap<>();
        Map<String, List<String>> chosen = new LinkedHashMap<>();
        Map<String, List<String>> tied = new LinkedHashMap<>();
        List<String> open = new ArrayList<>();
        for (Recommendation.Best each : found.best()) {
            List<Ranking.Ranked> ranked = each.ranked().ranked();
            Ranking.Ranked best = ranked.get(0);
            List<Ranking.Ranked> alike = ranked.subList(1, ranked.size()).stream()
                    .filter(Ranking.Ranked::alike)
                    .toList();
            String undecided = each.undecided() ? " (undecided)" : "";
            String goal = each.goal().words();
            String simple = simplest(ranked);
            measured.add(best.policy());
            // More than the table has room for.
            boolean named = alike.size() > MOST_NEXT;
            if (isOneTrace(point) && each.goal().isOfFewRequests() && alike.size() == ranked.size() - 1) {
                open.add(goal + undecided);
            } else if (simple.isEmpty()) {
                String others = alike.isEmpty()
                        ? undecided
                        : (each.undecided() ? " (undecided; " : " (") + alike.size() + " not shown to be worse)";
                add(chosen, best.policy(), goal + others);
            } else {
                named = true;
                recommended.add(simple);
                add(
                        simplest,
                        simple + (simple.equals(best.policy()) ? " (itself the best measured)" : ""),
                        goal + undecided);
            }
            if (named) {
                String others =
                        alike.stream().map(Ranking.Ranked::policy).sorted().collect(Collectors.joining(", "));
                add(tied, best.policy() + ", the best measured for %s: " + others, goal);
            }
            columns.row(
                    goal,
                    best.policy() + undecided,
                    each.goal().shown(best.shown()),
                    names(alike),
                    next(each.ranked().metric(), ranked));
        }
        recommended.addAll(measured);
        AnswerParts answer = new AnswerParts(console);
        answer.reading(read);
        inventory.ifPresent(
                fit -> answer.first("An inventory: all of it runs now and does not end, so nothing waits, and"
                        + " policies differ only in how many servers they take. "
                        + (LoadReport.losesServers(read.warnings()) ? fit.sentenceOfRemaining() : fit.sentence())));
        if (!measured.isEmpty()) {
            answer.first(Stream.of(
                            excess,
                            said("The simplest that is not shown to be worse than the best measured: ", simplest),
                            said("Choose ", chosen),
                            open.isEmpty()
                                    ? ""
                                    : "One trace cannot tell which policy is best for " + String.join(" or ", open)
                                            + ".",
                            found.leftWaiting(),
                            found.best().stream().anyMatch(Recommendation.Best::undecided)
                                    ? "Undecided means: if the waits of these requests counted in full, another policy"
                                            + " might be better."
                                    : "")
                    .filter(each -> !each.isEmpty())
                    .collect(Collectors.joining(" ")));
            answer.gap();
            answer.table(columns);
            tied.forEach((policies, words) ->
                    answer.say("Not shown to be worse than " + policies.replace("%s", String.join(", ", words)) + "."));
            answer.gap();
        }
        if (!measured.isEmpty() && !found.beside().isEmpty()) {
            answer.table(beside(found, recommended));
            answer.say((found.beside().get(0).metric().equals("idle_servers_mean")
                            ? "Idle: servers that are empty for at least an hour at a stretch, on average. "
                            : "")
                    + "Stranded: the part of the capacity that is free, but of no use to the median request, on"
                    + " average.");
            answer.gap();
        }
        if (inventory.isPresent()) {
            if (!measured.isEmpty()) {
                answer.say(places(found));
            }
            unsuited(found, answer);
            return answer;
        }
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
                    "If all requests%s start as they arrive, at least %,.1f servers are in use on average. Policies that"
                            + " let requests wait may need fewer.",
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
        unsuited(found, answer);
        return answer;
    }

    private static void add(Map<String, List<String>> lists, String key, String value) {
        lists.computeIfAbsent(key, first -> new ArrayList<>()).add(value);
    }

    private static String said(String before, Map<String, List<String>> goals) {
        return goals.isEmpty()
                ? ""
                : goals.entrySet().stream()
                        .map(each -> each.getKey() + " for " + String.join(", ", each.getValue()))
                        .collect(Collectors.joining("; ", before, "."));
    }

    /** The simplest policy, if none is shown to be worse than the best; else empty. */
    private static String simplest(List<Ranking.Ranked> ranked) {
        if (!ranked.stream().allMatch(Ranking.Ranked::alike)) {
            return "";
        }
        return SIMPLE.stream()
                .flatMap(key -> ranked.stream()
                        .map(Ranking.Ranked::policy)
                        .filter(policy -> policy.equals(key) || policy.equals(key + ":when-full=queue")))
                .findFirst()
                .orElse("");
    }

    private static void unsuited(Recommendation found, AnswerParts answer) {
        if (!found.unsuited().isEmpty()) {
            answer.say("Not suited: " + String.join(", ", found.unsuited().keySet()) + " (--format json says why).");
        }
    }

    /** Of an inventory: among which policies its servers are compared, and where that holds. */
    private static String places(Recommendation found) {
        Set<String> complete = found.best().stream()
                .flatMap(each -> each.ranked().ranked().stream())
                .map(Ranking.Ranked::policy)
                .collect(Collectors.toSet());
        List<String> others = found.rounds().get(found.rounds().size() - 1).ran().stream()
                .filter(policy -> !complete.contains(policy))
                .toList();
        return complete.size() + others.size()
                + " policies were tried. Compared are those that find a place for all of it at"
                + " once"
                + (others.isEmpty() ? "." : "; these do not: " + String.join(", ", others) + ".")
                + " The numbers are exact for this list. How many servers a policy needs, and how few suffice for any:"
                + " stowage size.";
    }

    /** What the policies recommended or measured best leave unused. */
    private static Columns beside(Recommendation found, Collection<String> policies) {
        List<String> header = new ArrayList<>(List.of("policy"));
        found.beside().forEach(each -> {
            MetricName name = MetricName.parse(each.metric());
            header.add(name.base().equals("stranded") ? "stranded " + ResourceWords.resource(name.resource()) : "idle");
        });
        Columns columns = new Columns(header);
        for (String policy : policies) {
            List<String> row = new ArrayList<>(List.of(policy));
            for (Ranking each : found.beside()) {
                row.add(each.ranked().stream()
                        .filter(its -> its.policy().equals(policy))
                        .map(Ranking.Ranked::shown)
                        .findFirst()
                        .orElse("-"));
            }
            columns.row(row);
        }
        return columns;
    }

    private static boolean has(Recommendation found, Goal goal) {
        return found.best().stream().anyMatch(each -> each.goal() == goal);
    }

    private static boolean isOneTrace(Experiment point) {
        return point.workload().isGiven() && !point.drawsOrigins();
    }

    /** Of what the numbers are, and where the order of the policies holds. */
    private static String confidence(Experiment point) {
        String level = BigDecimal.valueOf(point.confidence())
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString()
                + " % confidence";
        if (isOneTrace(point)) {
            return "The numbers are exact for these requests. Which policies are shown to be worse, and the interval of a"
                    + " difference, say what would hold on other requests like these, with " + level
                    + "; of percentiles and the longest wait one trace shows no difference.";
        }
        return "A policy that is worse here is also worse on other "
                + (point.workload().isGiven() ? "random origins of these requests" : "requests like these")
                + ", with " + level + ".";
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
                + (difference == null ? "more than the confidence intervals" : Ranking.difference(metric, difference));
    }

    private static String csv(Recommendation found) {
        Data.Csv csv = new Data.Csv("goal", "metric", "rank", "policy", "value", "half_width", "as_good");
        found.best().forEach(each -> rows(csv, each.goal().words(), each.ranked()));
        found.beside().forEach(each -> rows(csv, "", each));
        return csv.text();
    }

    private static void rows(Data.Csv csv, String goal, Ranking ranking) {
        for (int i = 0; i < ranking.ranked().size(); i++) {
            Ranking.Ranked its = ranking.ranked().get(i);
            Double half = its.value().halfWidth();
            csv.row(
                    goal,
                    ranking.metric(),
                    Integer.toString(i + 1),
                    its.policy(),
                    Double.toString(its.value().mean()),
                    half == null ? "" : Double.toString(half),
                    Boolean.toString(its.alike()));
        }
    }
}
