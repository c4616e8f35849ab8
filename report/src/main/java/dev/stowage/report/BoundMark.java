package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The position on a swept axis at which the load equals the greatest that any policy supports.
 *
 * @param at position, linear between the two nearest points; null if the load does not come near the bound
 * @param rising whether the load grows along the axis
 * @param least smallest load over the bound, of all points
 * @param most largest load over the bound
 */
record BoundMark(@Nullable Double at, boolean rising, double least, double most) {
    /** How far outside the points a mark may lie, as a fraction of their range. */
    private static final double OUTSIDE = 0.2;

    /** The mark for outcomes of one curve, or null where they have no bound. */
    static @Nullable BoundMark of(List<PolicyOutcome> outcomes, ToDoubleFunction<PolicyOutcome> position) {
        TreeMap<Double, Double> loads = new TreeMap<>();
        for (PolicyOutcome outcome : outcomes) {
            Estimate load = outcome.metrics().get(MetricName.parse(Metric.LOAD));
            if (load != null) {
                loads.put(position.applyAsDouble(outcome), load.mean());
            }
        }
        return loads.isEmpty() ? null : of(loads);
    }

    private static BoundMark of(TreeMap<Double, Double> loads) {
        double least = loads.values().stream().min(Double::compare).orElse(0.0);
        double most = loads.values().stream().max(Double::compare).orElse(0.0);
        double margin = OUTSIDE * (loads.lastKey() - loads.firstKey());
        Double at = null;
        boolean rising = true;
        Map.Entry<Double, Double> before = loads.firstEntry();
        for (Map.Entry<Double, Double> entry :
                loads.tailMap(before.getKey(), false).entrySet()) {
            double slope = (entry.getValue() - before.getValue()) / (entry.getKey() - before.getKey());
            double crossing = before.getKey() + (1 - before.getValue()) / slope;
            boolean first = before.getKey().equals(loads.firstKey());
            boolean last = entry.getKey().equals(loads.lastKey());
            boolean inside = crossing >= before.getKey() - (first ? margin : 0)
                    && crossing <= entry.getKey() + (last ? margin : 0);
            if (inside && at == null) {
                at = crossing;
                rising = slope > 0;
            }
            before = entry;
        }
        return new BoundMark(at, rising, least, most);
    }

    /** For the caption, with the name of the swept axis. */
    String text(String along) {
        return at != null
                ? " Dashed: " + (rising ? "above" : "below") + " this value of " + along + " no policy can keep up."
                : " The load is " + Quantity.FRACTION.format(least, null)
                        + (most > least ? " to " + Quantity.FRACTION.format(most, null) : "")
                        + " of the greatest that any policy supports.";
    }
}
