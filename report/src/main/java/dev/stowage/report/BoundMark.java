package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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
    /** Points of which each is said. */
    private static final int MOST_SAID = 8;
    /** So far above 1 a load is not shown as 100 %. */
    private static final double CLEARLY = 1.005;

    /** How far outside the points a mark may lie, as a fraction of their range. */
    private static final double OUTSIDE = 0.2;

    /**
     * How high the load is at the points of a sweep, and from where on none keeps up, a sentence each.
     *
     * @param outcomes those of which it is known
     * @param text an outcome's load, as the table says it
     */
    static List<String> loads(List<PolicyOutcome> outcomes, Function<PolicyOutcome, String> text) {
        Map<String, PolicyOutcome> points = new LinkedHashMap<>();
        outcomes.forEach(each -> points.putIfAbsent(PolicyOutcome.describe(each.point()), each));
        List<String> words = points.values().stream().map(text).distinct().toList();
        if (words.size() < 2) {
            String none = points.values().stream().allMatch(each -> load(each) > CLEARLY)
                    ? ", so that no policy can keep up."
                    : ".";
            return words.stream()
                    .map(same -> "Load / maximum: " + same + " at every point" + none)
                    .toList();
        }
        List<String> said = new ArrayList<>();
        points.forEach((point, outcome) -> said.add(text.apply(outcome) + " at " + point));
        List<String> above = points.entrySet().stream()
                .filter(each -> load(each.getValue()) > 1)
                .map(Map.Entry::getKey)
                .toList();
        List<String> loads = new ArrayList<>();
        loads.add("Load / maximum: "
                + (said.size() > MOST_SAID
                        ? said.get(0) + ", ..., " + said.get(said.size() - 1)
                        : String.join(", ", said))
                + ".");
        Set<String> axes = outcomes.get(0).point().keySet();
        String axis = axes.iterator().next();
        BoundMark mark = axes.size() > 1
                        || !outcomes.stream()
                                .allMatch(each -> Numbers.isNumber(each.point().getOrDefault(axis, "")))
                ? null
                : of(outcomes, each -> Double.parseDouble(each.point().getOrDefault(axis, "")));
        if (mark != null && mark.at() != null) {
            loads.add((mark.rising() ? "Above " : "Below ") + axis + " = " + Numbers.plain(mark.at())
                    + " no policy can keep up.");
        } else if (!above.isEmpty()) {
            loads.add("Above 100 % of the greatest load that any policy supports, so that none keeps up for long: "
                    + String.join("; ", above) + ".");
        }
        return loads;
    }

    private static double load(PolicyOutcome outcome) {
        Estimate load = outcome.metrics().get(MetricName.parse(Metric.LOAD));
        return load == null ? Double.NaN : load.mean();
    }

    /** The mark for outcomes of one curve, or null where they have no bound. */
    static @Nullable BoundMark of(List<PolicyOutcome> outcomes, ToDoubleFunction<PolicyOutcome> position) {
        TreeMap<Double, Double> loads = new TreeMap<>();
        for (PolicyOutcome outcome : outcomes) {
            if (!Double.isNaN(load(outcome))) {
                loads.put(position.applyAsDouble(outcome), load(outcome));
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
