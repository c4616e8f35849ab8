package dev.stowage.study.row;

import dev.stowage.optimize.lp.SolverException;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.study.bound.RewardPoint;
import dev.stowage.study.bound.RewardWindows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Puts the reward over the greatest of any policy into summaries if requests pay, and adds that bound after the reward
 * over time.
 *
 * <p>For a constant load the bound is a {@link RewardPoint}, else the mean over {@link RewardWindows} of the runs. If
 * requests waited or lost their server there is none, because more requests may then be present than if all were served
 * at once.
 */
final class RewardOfBound implements RowAddition {
    private static final int WINDOWS = 50;
    private static final double SECOND_NANOS = 1e9;

    private final Map<String, Optional<Greatest>> steady = new TreeMap<>();
    private final Map<String, List<RewardWindows.Window>> known = new TreeMap<>();

    /**
     * Greatest reward rates after the warm-up.
     *
     * @param atMost of any policy
     * @param greedy of the greedy assignment
     */
    private record Greatest(double atMost, double greedy) {}

    @Override
    public List<ResultRow> with(Experiment point, List<ResultRow> rows) {
        List<RunRow> runs = rows.stream()
                .filter(RunRow.class::isInstance)
                .map(RunRow.class::cast)
                .toList();
        List<ResultRow> all = new ArrayList<>();
        for (ResultRow row : RowAdditions.summaries(rows, summary -> summary(point, runs, summary))) {
            all.add(row);
            if (row instanceof SeriesRow series && series.name().equals("reward_rate")) {
                series(point, runs, series).ifPresent(all::add);
            }
        }
        return all;
    }

    private SummaryRow summary(Experiment point, List<RunRow> runs, SummaryRow summary) {
        Estimate reward = summary.metrics().get("reward_rate");
        if (reward == null || !(reward.mean() > 0)) {
            return summary;
        }
        return steady.computeIfAbsent(point.point().toString(), key -> steady(point))
                .or(() -> mean(point, runs))
                .map(bound -> RowAdditions.with(
                        summary,
                        Map.of(
                                "reward_of_bound",
                                over(reward, bound.atMost()),
                                "greedy_of_bound",
                                RowAdditions.proven(bound.greedy() / bound.atMost()))))
                .orElse(summary);
    }

    private static Estimate over(Estimate reward, double bound) {
        Double half = reward.halfWidth();
        return new Estimate(
                reward.mean() / bound,
                half == null ? null : Double.valueOf(half / bound),
                reward.confidence(),
                reward.method(),
                reward.count());
    }

    /** Only if the load is constant. */
    private static Optional<Greatest> steady(Experiment point) {
        if (!(point.workload() instanceof SyntheticWorkload workload)
                || workload.phases().size() != 1
                || !workload.arrivals().hourFactors().isEmpty()) {
            return Optional.empty();
        }
        try {
            return RewardPoint.of(point, 0).map(bound -> new Greatest(bound.atMost(), bound.greedy()));
        } catch (SolverException e) {
            return Optional.empty();
        }
    }

    /** Mean over the replications. */
    private Optional<Greatest> mean(Experiment point, List<RunRow> runs) {
        double atMost = 0;
        double greedy = 0;
        for (RunRow run : runs) {
            List<RewardWindows.Window> windows = windows(point, run).stream()
                    .filter(window -> window.fromSeconds() >= run.warmupSeconds() - 1 / SECOND_NANOS)
                    .toList();
            if (windows.isEmpty()) {
                return Optional.empty();
            }
            atMost += RewardWindows.mean(windows, RewardWindows.Window::atMost) / runs.size();
            greedy += RewardWindows.mean(windows, RewardWindows.Window::greedy) / runs.size();
        }
        return atMost > 0 ? Optional.of(new Greatest(atMost, greedy)) : Optional.empty();
    }

    /** The bound as a series for the reward over time of a replication. */
    private Optional<SeriesRow> series(Experiment point, List<RunRow> runs, SeriesRow reward) {
        List<RewardWindows.Window> windows = runs.stream()
                .filter(run -> run.replication() == reward.replication())
                .findFirst()
                .map(run -> windows(point, run))
                .orElse(List.of());
        if (windows.isEmpty()) {
            return Optional.empty();
        }
        double[] atMost =
                windows.stream().mapToDouble(RewardWindows.Window::atMost).toArray();
        return Optional.of(new SeriesRow(
                reward.origin(),
                reward.replication(),
                "reward_bound",
                reward.unit(),
                windows.stream().mapToDouble(RewardWindows.Window::fromSeconds).toArray(),
                atMost,
                atMost,
                atMost));
    }

    private List<RewardWindows.Window> windows(Experiment point, RunRow run) {
        Map<String, Double> metrics = run.metrics();
        if (metrics.getOrDefault("queue_length_max", 0.0) > 0
                || metrics.getOrDefault("displaced", 0.0) > 0
                || metrics.getOrDefault("evicted", 0.0) > 0
                || metrics.getOrDefault("failed_starts", 0.0) > 0
                || run.horizonSeconds() <= run.warmupSeconds()) {
            return List.of();
        }
        String key = run.origin().point() + " " + run.seed() + " " + run.warmupSeconds() + " " + run.horizonSeconds();
        return known.computeIfAbsent(key, each -> solve(point, run));
    }

    /** About equal windows, one of which begins at the end of the warm-up. */
    private static List<RewardWindows.Window> solve(Experiment point, RunRow run) {
        int before = (int) Math.ceil(WINDOWS * run.warmupSeconds() / run.horizonSeconds());
        long cut = Math.round(run.warmupSeconds() * SECOND_NANOS);
        long end = Math.round(run.horizonSeconds() * SECOND_NANOS);
        long[] early = before == 0 ? new long[] {0} : RewardWindows.equal(0, cut, before);
        long[] late = RewardWindows.equal(cut, end, Math.max(1, WINDOWS - before));
        long[] edges = new long[early.length + late.length - 1];
        System.arraycopy(early, 0, edges, 0, early.length - 1);
        System.arraycopy(late, 0, edges, early.length - 1, late.length);
        try {
            return RewardWindows.of(point, run.seed(), edges);
        } catch (SolverException e) {
            return List.of();
        }
    }
}
