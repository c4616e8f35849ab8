package dev.stowage.study.row;

import dev.stowage.optimize.lp.SolverException;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.study.bound.RewardWindows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The greatest reward of any policy over the runs of an experiment, by {@link RewardWindows}. It is fed with the rows as they come:
 * the runs of a policy first. Where requests waited or lost their server there is none, for then more may be present than were all
 * served at once.
 */
final class ChangingReward {
    private static final int WINDOWS = 50;
    private static final double SECOND_NANOS = 1e9;

    private final List<Experiment> points;
    private final Map<String, List<RewardWindows.Window>> known = new TreeMap<>();
    private final List<RunRow> runs = new ArrayList<>();

    ChangingReward(List<Experiment> points) {
        this.points = points;
    }

    /**
     * Greatest reward rates after the warm-up, mean over the replications.
     *
     * @param atMost of any policy
     * @param greedy of the greedy assignment
     */
    record Greatest(double atMost, double greedy) {}

    /** Takes a run; the first of a policy is the beginning of another group. */
    void add(ResultRow row) {
        if (row instanceof RunRow run) {
            if (run.replication() == 0) {
                runs.clear();
            }
            runs.add(run);
        }
    }

    /** Of the runs taken. */
    Optional<Greatest> greatest() {
        double atMost = 0;
        double greedy = 0;
        for (RunRow run : runs) {
            List<RewardWindows.Window> windows = windows(run).stream()
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

    /** Beside the reward over time of a replication. */
    Optional<SeriesRow> series(SeriesRow reward) {
        List<RewardWindows.Window> windows = runs.stream()
                .filter(run -> run.replication() == reward.replication())
                .findFirst()
                .map(this::windows)
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

    private List<RewardWindows.Window> windows(RunRow run) {
        Map<String, Double> metrics = run.metrics();
        if (metrics.getOrDefault("queue_length_max", 0.0) > 0
                || metrics.getOrDefault("displaced", 0.0) > 0
                || run.horizonSeconds() <= run.warmupSeconds()) {
            return List.of();
        }
        String key = run.origin().point() + " " + run.seed() + " " + run.warmupSeconds() + " " + run.horizonSeconds();
        return known.computeIfAbsent(
                key,
                each -> points.stream()
                        .filter(point -> point.point().equals(run.origin().point()))
                        .findFirst()
                        .map(point -> solve(point, run))
                        .orElse(List.of()));
    }

    /** About equal windows, one of which begins where the warm-up ends. */
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
