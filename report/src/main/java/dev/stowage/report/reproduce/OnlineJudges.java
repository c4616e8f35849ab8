package dev.stowage.report.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Claims about schedulers of jobs as they arrive; a policy's label is its order, its planner, and NDRC without residual capacity. */
final class OnlineJudges {
    private static final String COMPLETION = "job_completion_mean_s";
    private static final String BOUND = "job_completion_bound_s";
    private static final String TIME = PaperFigure.SCHEDULER_TIME;
    private static final String FAST = " TaPRA-fast";
    private static final String TAPRA = " TaPRA";
    private static final String WITHOUT = " NDRC";
    private static final List<String> ORDERS = List.of("SJF", "SLF", "FCFS", "LLF");
    private static final List<String> OTHERS = ORDERS.subList(1, ORDERS.size());
    private static final List<String> GENETIC = List.of(" MM-GA", " GSA");
    private static final double LEAST = 0.6;
    private static final double TEN = 10;

    private OnlineJudges() {}

    /** OnTaPRA against all others: 60 % and more. */
    static Finding orders(Measured measured) {
        List<String> evidence = new ArrayList<>();
        int sooner = 0;
        int much = 0;
        int all = 0;
        for (String order : OTHERS) {
            for (String planner : List.of(FAST, TAPRA, GENETIC.get(0), GENETIC.get(1))) {
                String against = planner.equals(TAPRA) ? "SJF TaPRA" : "SJF TaPRA-fast";
                double more = measured.ratio(order + planner, against, "", COMPLETION) - 1;
                evidence.add(tell(measured, order + planner) + percent(more) + " against " + against + ".");
                all++;
                sooner += more > 0 ? 1 : 0;
                much += more >= LEAST ? 1 : 0;
            }
        }
        evidence.add(tell(measured, "SJF TaPRA-fast") + " SJF TaPRA "
                + seconds(measured.estimate("SJF TaPRA", "", COMPLETION)) + ".");
        if (measured.has("SJF TaPRA-fast", BOUND)) {
            evidence.add("No policy is below " + seconds(measured.estimate("SJF TaPRA-fast", "", BOUND)) + ".");
        }
        return new Finding(verdict(much == all, sooner == all), evidence);
    }

    /** Without DRC all take longer. */
    static Finding residualCapacity(Measured measured) {
        List<String> evidence = new ArrayList<>();
        int shorter = 0;
        for (String order : ORDERS) {
            double more = measured.ratio(order + FAST + WITHOUT, order + FAST, "", COMPLETION) - 1;
            evidence.add(order + ": " + seconds(measured.estimate(order + FAST, "", COMPLETION)) + " with it, "
                    + seconds(measured.estimate(order + FAST + WITHOUT, "", COMPLETION)) + " without," + percent(more)
                    + ".");
            shorter += more > 0 ? 1 : 0;
        }
        return new Finding(verdict(shorter == ORDERS.size(), shorter > 0), evidence);
    }

    /** TaPRA against TaPRA-fast: 5 % better, 10 times slower. */
    static Finding fast(Measured measured) {
        List<String> evidence = new ArrayList<>();
        int slower = 0;
        int tenfold = 0;
        int near = 0;
        for (String order : ORDERS) {
            double more = measured.ratio(order + FAST, order + TAPRA, "", COMPLETION) - 1;
            double times = measured.ratio(order + TAPRA, order + FAST, "", TIME);
            evidence.add(String.format(
                    Locale.ROOT,
                    "%s: TaPRA-fast takes%s to completion, and TaPRA %.1f times as long to decide.",
                    order,
                    percent(more),
                    times));
            slower += times > 1 ? 1 : 0;
            tenfold += times >= TEN ? 1 : 0;
            near += Math.abs(more) <= 2 * 0.05 ? 1 : 0;
        }
        int all = ORDERS.size();
        return new Finding(verdict(tenfold == all && near == all, slower == all), evidence);
    }

    /** Times of schedulers: TaPRA and TaPRA-fast below MM-GA and GSA, and OnTaPRA above the other orders. */
    static Finding times(Measured measured) {
        List<String> evidence = new ArrayList<>();
        boolean genetic = true;
        boolean sjfLongest = true;
        for (String order : ORDERS) {
            List<String> told = new ArrayList<>();
            for (String planner : planners(order)) {
                told.add(planner.strip() + " "
                        + Measured.number(measured.ratio(order + planner, "SJF TaPRA-fast", "", TIME)));
            }
            evidence.add(order + ", times as long as SJF TaPRA-fast: " + String.join(", ", told) + ".");
        }
        for (String order : OTHERS) {
            for (String slow : GENETIC) {
                genetic &= measured.ratio(order + slow, order + FAST, "", TIME) > 1;
                genetic &= measured.ratio(order + slow, order + TAPRA, "", TIME) > 1;
            }
            sjfLongest &= measured.ratio("SJF" + FAST, order + FAST, "", TIME) > 1;
            sjfLongest &= measured.ratio("SJF" + TAPRA, order + TAPRA, "", TIME) > 1;
        }
        evidence.add("SJF with TaPRA-fast takes "
                + Measured.number(measured.estimate("SJF TaPRA-fast", "", TIME).mean())
                + " s of processor time for the run of the paper's hour.");
        return new Finding(verdict(genetic && sjfLongest, genetic || sjfLongest), evidence);
    }

    private static List<String> planners(String order) {
        List<String> planners = new ArrayList<>(List.of(FAST, TAPRA));
        if (!order.equals("SJF")) {
            planners.addAll(GENETIC);
        }
        return planners;
    }

    private static String tell(Measured measured, String policy) {
        return policy + ": " + seconds(measured.estimate(policy, "", COMPLETION)) + ",";
    }

    private static String seconds(Estimate estimate) {
        return String.format(Locale.ROOT, "%.0f ± %.0f s", estimate.mean(), Measured.half(estimate));
    }

    private static String percent(double more) {
        return String.format(Locale.ROOT, " %+.0f %%", 100 * more);
    }

    private static Verdict verdict(boolean all, boolean direction) {
        return all ? Verdict.REPRODUCED : direction ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED;
    }
}
