package dev.stowage.study.recommend;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.report.Ranking;
import dev.stowage.report.Results;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.experiment.WarmUpRule;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.study.row.RowAdditions;
import dev.stowage.study.size.SizedRuns;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Finds out which policies are best for what, on the same requests, by successive halving (K. Jamieson and A.
 * Talwalkar: Non-stochastic best arm identification and hyperparameter optimization, AISTATS 2016): all run on a part
 * of the requests; a policy stays if it is in the better half for some goal, or does not differ significantly from the
 * best there. The last round has all the requests; earlier rounds only decide which policies take part in it.
 */
public final class Recommender {
    private static final double QUARTER = 0.25;
    private static final double HALF = 0.5;
    private static final int LEAST_REPLICATIONS = 2;
    /** Of the origins of given requests at least so many. */
    private static final int DRAWS = 4;
    /** At least this many stay for each goal, so that the last round has a comparison. */
    private static final int LEAST_RANKED = 2;

    private final Experiment point;
    private final PolicyFactory policies;
    private final int threads;
    private final Consumer<String> progress;

    /**
     * For an experiment; its own policies are ignored.
     *
     * @param threads runs at a time
     * @param progress receives what is being done
     * @throws IllegalArgumentException if the number of replications is to be chosen: each round has its own
     */
    public Recommender(Experiment point, PolicyFactory policies, int threads, Consumer<String> progress) {
        if (point.precision() != null) {
            throw new IllegalArgumentException("the number of replications must be given (no precision)");
        }
        this.point = point;
        this.policies = policies;
        this.threads = threads;
        this.progress = progress;
    }

    /**
     * Part of a run and replications of a round.
     *
     * @param part of the given requests; 1 for all
     */
    private record Effort(double part, int replications) {}

    /**
     * Runs the rounds.
     *
     * @param named the policies to choose among; all suitable ones if it is empty
     */
    public Recommendation recommend(List<LabelledPolicy> named) throws InterruptedException {
        progress.accept("which policies suit");
        Candidates candidates = new Candidates(point, policies, false);
        List<LabelledPolicy> left = named.isEmpty() ? candidates.suited() : named;
        List<Recommendation.Round> rounds = new ArrayList<>();
        List<Recommendation.Best> best = List.of();
        List<Ranking> beside = List.of();
        String leftWaiting = "";
        double rewardBound = 0;
        List<Effort> efforts = efforts();
        for (int i = 0; i < efforts.size() && !left.isEmpty(); i++) {
            boolean last = i == efforts.size() - 1;
            Results results = run(left, efforts.get(i), last ? RowAdditions.rewards() : RowAddition.NONE);
            rewardBound = rewardBound(results);
            best = rank(results, point.workload().isInventory());
            leftWaiting = leftWaiting(results, best);
            beside = beside(results);
            Set<String> kept = last ? labels(left) : better(best, left);
            List<String> dropped = left.stream()
                    .map(LabelledPolicy::label)
                    .filter(label -> !kept.contains(label))
                    .toList();
            rounds.add(new Recommendation.Round(words(efforts.get(i)), List.copyOf(labels(left)), dropped));
            left = left.stream().filter(each -> kept.contains(each.label())).toList();
        }
        return new Recommendation(
                best, beside, rounds, candidates.unsuited(), SizedRuns.leastServers(point), leftWaiting, rewardBound);
    }

    /** Of the first policy of which a bound is known: it is the same for all. */
    private static double rewardBound(Results results) {
        for (ResultRow row : results.rows()) {
            if (row instanceof SummaryRow summary) {
                Estimate reward = summary.metrics().get("reward_rate");
                Estimate part = summary.metrics().get("reward_of_bound");
                if (reward != null && part != null && part.mean() > 0) {
                    return reward.mean() / part.mean();
                }
            }
        }
        return 0;
    }

    private static Set<String> labels(List<LabelledPolicy> of) {
        Set<String> labels = new LinkedHashSet<>();
        of.forEach(each -> labels.add(each.label()));
        return labels;
    }

    /**
     * Of an inventory, all of it at once. Early rounds use the first part of given requests, whose origins may be drawn
     * several times, or fewer replications of generated ones.
     */
    private List<Effort> efforts() {
        if (point.workload().isInventory()) {
            return List.of(new Effort(1, 1));
        }
        if (point.workload().isGiven()) {
            int draws = point.drawsOrigins() ? Math.max(DRAWS, point.replications()) : 1;
            return List.of(new Effort(QUARTER, draws), new Effort(HALF, draws), new Effort(1, draws));
        }
        int all = point.replications();
        Set<Integer> replications = new LinkedHashSet<>();
        replications.add(Math.min(all, Math.max(LEAST_REPLICATIONS, all / 4)));
        replications.add(Math.min(all, Math.max(LEAST_REPLICATIONS, all / 2)));
        replications.add(all);
        return replications.stream().map(each -> new Effort(1, each)).toList();
    }

    private String words(Effort effort) {
        return point.workload().isInventory()
                ? "all of it"
                : point.workload().isGiven()
                        ? String.format(
                                        Locale.ROOT,
                                        "%.0f %% of the %s",
                                        100 * effort.part(),
                                        point.end().requests() == Long.MAX_VALUE ? "time" : "requests")
                                + (effort.replications() == 1
                                        ? ""
                                        : ", " + effort.replications() + " draws of the origins")
                        : effort.replications() + (effort.replications() == 1 ? " replication" : " replications");
    }

    private Results run(List<LabelledPolicy> all, Effort effort, RowAddition addition) throws InterruptedException {
        Experiment part = part(point.with(all, effort.replications()), effort.part());
        progress.accept(all.size() + " policies, " + words(effort));
        List<ResultRow> rows = new ArrayList<>();
        new ExperimentRunner(policies, "", threads, ProgressListener.NONE, (at, policy, r) -> RunObserver.NONE)
                .run(List.of(part), addition, rows::add);
        return new Results(rows, null, List.of());
    }

    /** The first part of an experiment: of its time, of the number of requests that ends it, and of a given warm-up. */
    static Experiment part(Experiment whole, double part) {
        if (part == 1) {
            return whole;
        }
        End end = whole.end();
        WarmUpRule warmUp = whole.warmUp();
        return whole.until(new End(
                        part(Math.min(end.atNanos(), whole.workload().endNanos()), part),
                        Math.max(1, part(end.requests(), part)),
                        end.drain()))
                .with(warmUp.automatic() ? warmUp : WarmUpRule.of(part(warmUp.nanos(), part)));
    }

    private static long part(long whole, double part) {
        return whole == Long.MAX_VALUE ? whole : Math.round(whole * part);
    }

    private static List<Recommendation.Best> rank(Results results, boolean inventory) {
        List<Recommendation.Best> best = new ArrayList<>();
        for (Goal goal : Goal.values()) {
            (inventory ? goal.rankPlaces(results) : goal.rank(results))
                    .filter(ranking -> ranking.ranked().size() > 1)
                    .filter(Recommender::tellsAnything)
                    .ifPresent(ranking -> best.add(new Recommendation.Best(
                            goal,
                            ranking,
                            goal.leavesOutWaiting()
                                    && !Ranking.leftWaiting(
                                                    results,
                                                    List.of(ranking.ranked()
                                                            .get(0)
                                                            .policy()))
                                            .isEmpty())));
        }
        return best;
    }

    /** Of the policies whose waits are ranked, the chosen ones first. */
    private static String leftWaiting(Results results, List<Recommendation.Best> best) {
        List<List<Ranking.Ranked>> waits = best.stream()
                .filter(each -> each.goal().leavesOutWaiting())
                .map(each -> each.ranked().ranked())
                .toList();
        Set<String> policies = new LinkedHashSet<>();
        waits.forEach(each -> policies.add(each.get(0).policy()));
        waits.forEach(ranked -> ranked.forEach(each -> policies.add(each.policy())));
        return Ranking.leftWaiting(results, policies);
    }

    private List<Ranking> beside(Results results) {
        return Stream.concat(
                        Stream.of("idle_servers_mean"),
                        point.cluster().resources().stream()
                                .map(resource -> "stranded{resource=" + resource.name() + "}"))
                .flatMap(metric -> Ranking.of(results, metric).stream())
                .filter(Recommender::tellsAnything)
                .toList();
    }

    /** Whether the metric is not 0 everywhere. */
    private static boolean tellsAnything(Ranking ranking) {
        return ranking.ranked().stream().anyMatch(each -> each.value().mean() != 0);
    }

    /**
     * The policies in the better half for some goal or not significantly behind its best, and those that are ranked for
     * no goal.
     */
    private static Set<String> better(List<Recommendation.Best> best, List<LabelledPolicy> all) {
        Set<String> kept = new LinkedHashSet<>();
        Set<String> ranked = new LinkedHashSet<>();
        for (Recommendation.Best each : best) {
            List<Ranking.Ranked> order = each.ranked().ranked();
            for (int i = 0; i < order.size(); i++) {
                ranked.add(order.get(i).policy());
                if (order.get(i).alike() || i < Math.max(LEAST_RANKED, (order.size() + 1) / 2)) {
                    kept.add(order.get(i).policy());
                }
            }
        }
        all.stream()
                .map(LabelledPolicy::label)
                .filter(label -> !ranked.contains(label))
                .forEach(kept::add);
        return kept;
    }
}
