package dev.stowage.cli;

import dev.stowage.optimize.lp.SolverException;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts the load over the maximum supportable into the summaries of a run, where it is worked out quickly. */
final class LoadColumn {
    private static final String METRIC = "load_of_bound";
    private static final double TOLERANCE = 0.01;
    private static final int MOST_CLASSES = 128;
    private static final double DIGITS = 1e4;

    private final List<Experiment> points;
    private final Console console;
    private final SupportedLoads loads = new SupportedLoads(TOLERANCE, MOST_CLASSES);
    private final Map<String, Optional<Double>> known = new TreeMap<>();
    private final TreeSet<String> told = new TreeSet<>();

    LoadColumn(List<Experiment> points, Console console) {
        this.points = points;
        this.console = console;
    }

    /** A summary with the load of its point; any other row as it is. */
    ResultRow with(ResultRow row) {
        if (!(row instanceof SummaryRow summary)) {
            return row;
        }
        Map<String, String> point = summary.origin().point();
        Optional<Double> load = known.computeIfAbsent(point.toString(), key -> load(point));
        if (load.isEmpty()) {
            return row;
        }
        Map<String, Estimate> metrics = new TreeMap<>(summary.metrics());
        metrics.put(METRIC, new Estimate(load.get(), null, 1, "proven", 1));
        return new SummaryRow(summary.origin(), summary.replications(), summary.warmUp(), summary.stability(), metrics);
    }

    /** The greatest of the point's phases. */
    private Optional<Double> load(Map<String, String> point) {
        List<Double> found = new ArrayList<>();
        for (PointBound bound : bounds(point)) {
            if (bound.bounded() && bound.growthAtLeast() > 0) {
                double middle = (bound.loadOfBoundAtLeast() + bound.loadOfBoundAtMost()) / 2;
                found.add(Math.round(middle * DIGITS) / DIGITS);
            } else if (!bound.bounded() && told.add(bound.reason())) {
                console.note("No load over the maximum supportable: " + bound.reason());
            }
        }
        return found.stream().max(Comparator.naturalOrder());
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
