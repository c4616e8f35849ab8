package dev.stowage.study.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Claims about planners of one job. "X % smaller" is read as: the others take X % more than TaPRA. The paper does not
 * say how the planners that it compares divide the resource. It credits equation (16), "used by TaPRA and TaPRA-fast",
 * with the difference, so the claims are judged by the variants that divide equally; the evidence also shows those with
 * equation (16).
 */
final class PlanJudges {
    private static final String RATIO = "completion_of_tapra";
    private static final String AMOUNT = "amount_held";
    private static final String TIME = "planning_cpu_s";
    private static final String OF_FAST = "planning_of_tapra_fast";
    private static final String TAPRA = "TaPRA";
    private static final String FAST = "TaPRA-fast";
    private static final String EQUAL = " equal";
    private static final List<String> OTHERS = List.of("Min-Min", "MM-GA", "GSA");
    /** "Almost the same". */
    private static final double SAME = 0.05;
    /** "Similar amounts". */
    private static final double SIMILAR = 0.1;

    private PlanJudges() {}

    /**
     * How much more the others take: about as claimed, neither less nor more.
     *
     * @param claims by planner, e.g. 1.0 for 100 %; judged within a quarter
     * @param value of the axis at which it is judged
     */
    static Judge completion(Map<String, Double> claims, String value) {
        return measured -> {
            List<String> evidence = new ArrayList<>();
            for (String at : measured.values()) {
                evidence.add(at + ": " + more(measured, at, EQUAL) + "; with equation (16) "
                        + more(measured, at, "") + "; TaPRA-fast " + more(measured.estimate(FAST, at, RATIO))
                        + ", priced search " + more(measured.estimate("priced search", at, RATIO)) + ".");
            }
            evidence.add("The paper, at " + value + ": " + told(claims) + ", TaPRA-fast about the same.");
            evidence.add(bounds(measured));
            evidence.add(infeasible(measured));
            Truth same = Truth.within(measured.estimate(FAST, value, RATIO), 1 - SAME, 1 + SAME);
            List<Truth> sizes = new ArrayList<>();
            List<Truth> ahead = new ArrayList<>();
            for (String other : OTHERS) {
                Estimate ratio = measured.estimate(other + EQUAL, value, RATIO);
                sizes.add(Truth.about(Measured.plus(ratio, -1), claims.getOrDefault(other, 0.0)));
                ahead.add(Truth.above(ratio, 1));
            }
            return Finding.of(Truth.all(Truth.all(sizes), same), Truth.all(ahead), evidence);
        };
    }

    private static String more(Measured measured, String at, String variant) {
        List<String> all = new ArrayList<>();
        for (String other : OTHERS) {
            all.add(other + " " + more(measured.estimate(other + variant, at, RATIO)));
        }
        return String.join(", ", all);
    }

    private static String more(Estimate ratio) {
        return Measured.tell(Measured.times(Measured.plus(ratio, -1), 100), "%+.0f", "%.0f") + " %";
    }

    private static String told(Map<String, Double> claims) {
        List<String> all = new ArrayList<>();
        for (String other : OTHERS) {
            all.add(String.format(Locale.ROOT, "%s %+.0f %%", other, 100 * claims.getOrDefault(other, 0.0)));
        }
        return String.join(", ", all);
    }

    private static String bounds(Measured measured) {
        List<String> all = new ArrayList<>();
        for (String at : measured.values()) {
            all.add(String.format(
                    Locale.ROOT,
                    "%s: %.3f, %.3f, %.3f",
                    at,
                    measured.estimate(TAPRA, at, "completion_of_bound_p50").mean(),
                    measured.estimate(FAST, at, "completion_of_bound_p50").mean(),
                    measured.estimate("priced search", at, "completion_of_bound_p50")
                            .mean()));
        }
        return "Median ratio to the lower bound of TaPRA, TaPRA-fast and priced search: " + String.join("; ", all)
                + ".";
    }

    private static String infeasible(Measured measured) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String at : measured.values()) {
            Estimate count = measured.estimate(TAPRA, at, "problems_infeasible");
            all.put(at, String.format(Locale.ROOT, "%s: %.0f of %d", at, count.mean(), count.count()));
        }
        return "Infeasible and left out: " + String.join("; ", all.values()) + ".";
    }

    /**
     * How much more TaPRA and TaPRA-fast hold at one size, and whether all hold about the same at another. Holds in
     * part: one of the two.
     *
     * @param more by which fraction they hold more than each other planner, at {@code most}; 0: by any amount
     */
    static Judge amounts(Map<String, Double> more, String most, String alike) {
        return measured -> {
            List<String> evidence = new ArrayList<>();
            for (String at : measured.values()) {
                evidence.add(at + ": TaPRA and TaPRA-fast hold " + amount(measured, TAPRA, at) + " and "
                        + amount(measured, FAST, at) + "; " + amounts(measured, at, EQUAL) + "; with equation (16) "
                        + amounts(measured, at, "") + "; at most " + amount(measured, "bound", at) + ".");
            }
            if (!more.isEmpty()) {
                evidence.add("The paper, at " + most + ", what TaPRA and TaPRA-fast hold compared with others: "
                        + told(more) + ".");
            }
            List<Truth> ahead = new ArrayList<>();
            List<Truth> same = new ArrayList<>();
            for (String other : OTHERS) {
                double size = more.getOrDefault(other, 0.0);
                for (String ours : List.of(TAPRA, FAST)) {
                    Estimate ratio = Measured.plus(measured.ratio(ours, other + EQUAL, most, AMOUNT), -1);
                    ahead.add(size == 0 ? Truth.above(ratio, 0) : Truth.about(ratio, size));
                    same.add(
                            Truth.within(measured.ratio(ours, other + EQUAL, alike, AMOUNT), 1 - SIMILAR, 1 + SIMILAR));
                }
            }
            evidence.add("At " + most + " TaPRA and TaPRA-fast hold as much more as claimed in " + told(ahead) + "; at "
                    + alike + " all hold the same within a tenth in " + told(same) + ".");
            return Finding.of(
                    Truth.all(Truth.all(ahead), Truth.all(same)),
                    Truth.any(List.of(Truth.all(ahead), Truth.all(same))),
                    evidence);
        };
    }

    /** Says in how many comparisons it is shown. */
    private static String told(List<Truth> parts) {
        return parts.stream().filter(Truth.YES::equals).count() + " of " + parts.size() + " comparisons";
    }

    private static String amounts(Measured measured, String at, String variant) {
        List<String> all = new ArrayList<>();
        for (String other : OTHERS) {
            all.add(other + " " + amount(measured, other + variant, at));
        }
        return String.join(", ", all);
    }

    private static String amount(Measured measured, String planner, String at) {
        return String.format(
                Locale.ROOT, "%.1f", measured.estimate(planner, at, AMOUNT).mean());
    }

    /**
     * How many times longer the others take to plan.
     *
     * @param times by planner, over TaPRA and TaPRA-fast; judged within a factor of two
     */
    static Judge times(Map<String, Double> times, String value) {
        return measured -> {
            List<String> evidence = new ArrayList<>();
            for (String at : measured.values()) {
                evidence.add(String.format(
                        Locale.ROOT,
                        "%s: TaPRA-fast takes %.3g ms; in multiples of that: TaPRA %s, %s.",
                        at,
                        1e3 * measured.estimate(FAST, at, TIME).mean(),
                        Measured.tell(measured.estimate(TAPRA, at, OF_FAST)),
                        factors(measured, at)));
            }
            List<Truth> sizes = new ArrayList<>();
            List<Truth> slower = new ArrayList<>();
            for (String other : OTHERS) {
                double size = times.getOrDefault(other, 1.0);
                for (String ours : List.of(TAPRA, FAST)) {
                    Estimate ratio = measured.ratio(other + EQUAL, ours, value, TIME);
                    sizes.add(Truth.within(ratio, size / 2, size * 2));
                    slower.add(Truth.above(ratio, 1));
                }
            }
            return Finding.of(Truth.all(sizes), Truth.all(slower), evidence);
        };
    }

    private static String factors(Measured measured, String at) {
        List<String> all = new ArrayList<>();
        for (String other : List.of("priced search", "Min-Min equal", "MM-GA equal", "GSA equal", "bound")) {
            all.add(other + " " + Measured.tell(measured.estimate(other, at, OF_FAST)));
        }
        return String.join(", ", all);
    }
}
