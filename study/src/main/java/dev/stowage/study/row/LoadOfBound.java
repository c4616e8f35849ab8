package dev.stowage.study.row;

import dev.stowage.optimize.lp.SolverException;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.study.bound.NotInBound;
import dev.stowage.study.bound.PointBound;
import dev.stowage.study.bound.SupportedLoads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Puts the load over the maximum supportable load into summaries if it can be computed quickly. */
final class LoadOfBound implements RowAddition {
    private static final String METRIC = "load_of_bound";
    private static final String LEAST = "load_of_bound_least";
    private static final String MOST = "load_of_bound_most";
    private static final double TOLERANCE = 0.01;
    private static final int MOST_CLASSES = 128;
    private static final double DIGITS = 1e4;

    private final Consumer<Remark> notes;
    private final SupportedLoads loads = new SupportedLoads(TOLERANCE, MOST_CLASSES);
    private final Map<String, Map<String, Estimate>> known = new TreeMap<>();
    private final Set<Remark> told = new HashSet<>();

    LoadOfBound(Consumer<Remark> notes) {
        this.notes = notes;
    }

    @Override
    public List<ResultRow> with(Experiment point, List<ResultRow> rows) {
        Map<String, Estimate> metrics = known.computeIfAbsent(point.point().toString(), key -> metrics(point));
        return RowAdditions.summaries(rows, summary -> RowAdditions.with(summary, metrics));
    }

    /** Of all replications together; and where each has requests of its own, the least and the greatest of one. */
    private Map<String, Estimate> metrics(Experiment point) {
        Map<String, Estimate> metrics = new TreeMap<>();
        load(point).ifPresent(all -> metrics.put(METRIC, all));
        boolean own = !point.workload().isGiven() && !(point.workload() instanceof SyntheticWorkload);
        if (own && point.replications() > 1 && !metrics.isEmpty()) {
            List<Estimate> each = IntStream.range(0, point.replications())
                    .mapToObj(number -> point.replication(ExperimentRunner.seed(point.seed(), number)))
                    .flatMap(one -> load(one).stream())
                    .sorted(Comparator.comparingDouble(Estimate::mean))
                    .toList();
            if (each.size() == point.replications()) {
                metrics.put(LEAST, each.get(0));
                metrics.put(MOST, each.get(each.size() - 1));
            }
        }
        return metrics;
    }

    /** For the phase with the greatest load: the middle of its proven interval, and half of its length. */
    private Optional<Estimate> load(Experiment point) {
        List<Estimate> found = new ArrayList<>();
        NotInBound.of(point).stream().map(Remark::plain).filter(told::add).forEach(notes);
        List<PointBound> all = bounds(point);
        PointBound.caution(all).filter(told::add).ifPresent(notes);
        for (PointBound bound : all) {
            String reason = bound.serversChange()
                    ? "the servers change for good; 'stowage bound' shows it for those at the start"
                    : bound.reason();
            if (reason.isEmpty() && bound.growthAtLeast() > 0) {
                found.add(interval(bound.loadOfBoundAtLeast(), bound.loadOfBoundAtMost()));
            } else if (!reason.isEmpty()) {
                Stream.of(Remark.plain("No ratio of load to maximum supportable load: " + reason))
                        .filter(told::add)
                        .forEach(notes);
            }
        }
        return found.stream().max(Comparator.comparingDouble(Estimate::mean));
    }

    /** Rounded outwards to four digits; no half-width if all four are known. */
    private static Estimate interval(double least, double most) {
        double middle = Math.round((least + most) / 2 * DIGITS) / DIGITS;
        double half = Math.max(middle - least, most - middle);
        Double rounded = half < 1 / DIGITS ? null : Double.valueOf(Math.ceil(half * DIGITS) / DIGITS);
        return new Estimate(middle, rounded, 1, "proven", 1);
    }

    private List<PointBound> bounds(Experiment point) {
        try {
            return loads.quick(point);
        } catch (SolverException e) {
            return List.of(PointBound.without(point.point(), 0, String.valueOf(e.getMessage())));
        }
    }
}
