package dev.stowage.study.row;

import dev.stowage.optimize.lp.SolverException;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.study.bound.JobBound;
import dev.stowage.study.bound.PointBound;
import dev.stowage.study.bound.RewardPoint;
import dev.stowage.study.bound.SupportedLoads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Puts into the summaries of a run, where they are worked out quickly, the load over the maximum supportable, where requests
 * pay the reward over the greatest of any policy, and with jobs of many tasks a bound of their completion time.
 */
public final class LoadColumn {
    private static final String METRIC = "load_of_bound";
    private static final double TOLERANCE = 0.01;
    private static final int MOST_CLASSES = 128;
    private static final double DIGITS = 1e4;

    private final List<Experiment> points;
    private final Consumer<String> notes;
    private final SupportedLoads loads = new SupportedLoads(TOLERANCE, MOST_CLASSES);
    private final ChangingReward changing;
    private final Map<String, Optional<Estimate>> known = new TreeMap<>();
    private final Map<String, Optional<RewardPoint>> rewards = new TreeMap<>();
    private final TreeSet<String> told = new TreeSet<>();

    /**
     * Of an experiment.
     *
     * @param notes is told why a metric is missing
     */
    public LoadColumn(List<Experiment> points, Consumer<String> notes) {
        this.points = points;
        this.notes = notes;
        changing = new ChangingReward(points);
    }

    /** A summary with the load of its point; after the reward over time the greatest of any policy; any other row as it is. */
    public List<ResultRow> with(ResultRow row) {
        changing.add(row);
        if (row instanceof SeriesRow series && series.name().equals("reward_rate")) {
            List<ResultRow> both = new ArrayList<>(List.of(row));
            changing.series(series).ifPresent(both::add);
            return both;
        }
        return List.of(row instanceof SummaryRow summary ? summary(summary) : row);
    }

    private SummaryRow summary(SummaryRow summary) {
        Map<String, String> point = summary.origin().point();
        Map<String, Estimate> metrics = new TreeMap<>(summary.metrics());
        known.computeIfAbsent(point.toString(), key -> load(point)).ifPresent(load -> metrics.put(METRIC, load));
        jobBound(summary).ifPresent(bound -> metrics.put(JobBound.METRIC, bound));
        Estimate reward = metrics.get("reward_rate");
        if (reward != null && reward.mean() > 0) {
            Optional<RewardPoint> steady = rewards.computeIfAbsent(point.toString(), key -> reward(point));
            steady.map(bound -> new ChangingReward.Greatest(bound.atMost(), bound.greedy()))
                    .or(changing::greatest)
                    .ifPresent(bound -> {
                        metrics.put("reward_of_bound", over(reward, bound.atMost()));
                        metrics.put(
                                "greedy_of_bound", new Estimate(bound.greedy() / bound.atMost(), null, 1, "proven", 1));
                    });
        }
        return new SummaryRow(summary.origin(), summary.replications(), summary.warmUp(), summary.stability(), metrics);
    }

    private Optional<Estimate> jobBound(SummaryRow summary) {
        return points.stream()
                .filter(each -> each.point().equals(summary.origin().point()))
                .findFirst()
                .flatMap(each -> JobBound.of(each, summary));
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

    /** Only where the load is the same all the time. */
    private Optional<RewardPoint> reward(Map<String, String> point) {
        try {
            return points.stream()
                    .filter(each -> each.point().equals(point))
                    .findFirst()
                    .filter(each -> each.workload() instanceof SyntheticWorkload workload
                            && workload.phases().size() == 1
                            && workload.arrivals().hourFactors().isEmpty())
                    .flatMap(each -> RewardPoint.of(each, 0));
        } catch (SolverException e) {
            return Optional.empty();
        }
    }

    /** Of the phase whose load is the greatest: the middle of its proven interval, and half of its length. */
    private Optional<Estimate> load(Map<String, String> point) {
        List<Estimate> found = new ArrayList<>();
        for (PointBound bound : bounds(point)) {
            if (bound.bounded() && bound.growthAtLeast() > 0) {
                found.add(interval(bound.loadOfBoundAtLeast(), bound.loadOfBoundAtMost()));
            } else if (!bound.bounded() && told.add(bound.reason())) {
                notes.accept("No load over the maximum supportable: " + bound.reason());
            }
        }
        return found.stream().max(Comparator.comparingDouble(Estimate::mean));
    }

    /** To four digits, outwards; no half-width where all four are known. */
    private static Estimate interval(double least, double most) {
        double middle = Math.round((least + most) / 2 * DIGITS) / DIGITS;
        double half = Math.max(middle - least, most - middle);
        Double rounded = half < 1 / DIGITS ? null : Double.valueOf(Math.ceil(half * DIGITS) / DIGITS);
        return new Estimate(middle, rounded, 1, "proven", 1);
    }

    private List<PointBound> bounds(Map<String, String> point) {
        try {
            return points.stream()
                    .filter(each -> each.point().equals(point))
                    .findFirst()
                    .map(loads::quick)
                    .orElse(List.of());
        } catch (SolverException e) {
            return List.of(PointBound.without(point, 0, String.valueOf(e.getMessage())));
        }
    }
}
