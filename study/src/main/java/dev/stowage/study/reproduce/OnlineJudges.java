package dev.stowage.study.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Claims about schedulers of jobs as they arrive; a policy's label is its order, its planner, and NDRC without residual
 * capacity.
 */
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
    private static final String UNFINISHED = "jobs_unfinished";
    /** By how much the others should take longer than OnTaPRA. */
    private static final double LEAST = 0.6;

    private static final double MOST = 2.8;
    /** More than this many times the claimed size counts as another size. */
    private static final double LARGE = 1.25;

    private static final double TEN = 10;
    /** By which percentage the other orders take longer, with TaPRA and TaPRA-fast, and with the genetic planners. */
    private static final Map<String, String> STATED = Map.of("SLF", "60 %", "FCFS", "60 %", "LLF", "170 %");

    private static final String STATED_GENETIC = "100 % to 280 %";
    /** By how much each order should take longer without the distribution of residual capacity. */
    private static final Map<String, Double> WITHOUT_DRC = Map.of("SJF", 0.7, "SLF", 0.15, "FCFS", 1.1, "LLF", 1.2);

    private OnlineJudges() {}

    /** OnTaPRA against all others: 60 % and more. */
    static Finding orders(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> sooner = new ArrayList<>();
        List<Truth> much = new ArrayList<>();
        for (String order : OTHERS) {
            for (String planner : List.of(FAST, TAPRA, GENETIC.get(0), GENETIC.get(1))) {
                String against = planner.equals(TAPRA) ? "SJF TaPRA" : "SJF TaPRA-fast";
                Estimate more = more(measured, order + planner, against);
                evidence.add(tell(measured, order + planner) + " " + Measured.percent(more) + " against " + against
                        + " (the paper: "
                        + (GENETIC.contains(planner) ? STATED_GENETIC : STATED.get(order)) + ").");
                sooner.add(Truth.above(more, 0));
                much.add(Truth.within(more, LEAST, MOST));
            }
        }
        evidence.add(tell(measured, "SJF TaPRA-fast") + " SJF TaPRA "
                + seconds(measured.estimate("SJF TaPRA", "", COMPLETION)) + ".");
        if (measured.has("SJF TaPRA-fast", BOUND)) {
            evidence.add("No policy is below " + seconds(measured.estimate("SJF TaPRA-fast", "", BOUND)) + ".");
        }
        Truth all = allDone(
                measured,
                measured.policies().stream()
                        .filter(policy -> !policy.endsWith(WITHOUT))
                        .toList(),
                evidence);
        return Finding.of(Truth.all(Truth.all(much), all), Truth.all(Truth.all(sooner), all), evidence);
    }

    /**
     * Without DRC all take longer, and each by about what is claimed. If jobs are not completed without it, the
     * measured increase is only a lower limit.
     */
    static Finding residualCapacity(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> longer = new ArrayList<>();
        List<Truth> sizes = new ArrayList<>();
        for (String order : ORDERS) {
            Estimate more = more(measured, order + FAST + WITHOUT, order + FAST);
            double claim = WITHOUT_DRC.getOrDefault(order, 0.0);
            evidence.add(String.format(
                    Locale.ROOT,
                    "%s: %s with it, %s without, %s (the paper: %+.0f %%).",
                    order,
                    seconds(measured.estimate(order + FAST, "", COMPLETION)),
                    seconds(measured.estimate(order + FAST + WITHOUT, "", COMPLETION)),
                    Measured.percent(more),
                    100 * claim));
            boolean late = unfinished(measured, order + FAST + WITHOUT) > 0;
            Truth about = Truth.about(more, claim);
            Truth above = Truth.above(more, 0);
            boolean beyond = Truth.above(more, LARGE * claim) == Truth.YES;
            longer.add(late && above == Truth.NO ? Truth.OPEN : above);
            sizes.add(!late ? about : beyond ? Truth.NO : Truth.OPEN);
        }
        Truth all = allDone(measured, ORDERS.stream().map(order -> order + FAST).toList(), new ArrayList<>());
        allDone(measured, ORDERS.stream().map(order -> order + FAST + WITHOUT).toList(), evidence);
        return Finding.of(Truth.all(Truth.all(sizes), all), Truth.all(Truth.all(longer), all), evidence);
    }

    /** By which fraction jobs take longer, from pairs of replications. */
    private static Estimate more(Measured measured, String policy, String other) {
        return Measured.plus(measured.ratio(policy, other, "", COMPLETION), -1);
    }

    /** Mean number of jobs of a run that were not completed by its end. */
    private static double unfinished(Measured measured, String policy) {
        return measured.mean(measured.replications(policy, "", UNFINISHED)).mean();
    }

    /** Whether these completed every job: a mean over only the completed ones favours slow orders. */
    private static Truth allDone(Measured measured, List<String> policies, List<String> evidence) {
        List<String> late = policies.stream()
                .filter(policy -> unfinished(measured, policy) > 0)
                .map(policy -> policy + " " + Measured.number(unfinished(measured, policy)))
                .toList();
        evidence.add(
                late.isEmpty()
                        ? "Every job was completed before the end of the run."
                        : "Jobs per run not completed by its end, left out of the means: " + String.join("; ", late)
                                + ".");
        return late.isEmpty() ? Truth.YES : Truth.OPEN;
    }

    /** TaPRA against TaPRA-fast: about 5 % better (up to 10), 10 times slower (5 to 20). */
    static Finding fast(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> slower = new ArrayList<>();
        List<Truth> sizes = new ArrayList<>();
        for (String order : ORDERS) {
            Estimate more = more(measured, order + FAST, order + TAPRA);
            Estimate times = measured.ratio(order + TAPRA, order + FAST, "", TIME);
            evidence.add(order + ": TaPRA-fast takes " + Measured.percent(more) + " to completion (the paper: 5 %), and"
                    + " TaPRA " + Measured.tell(times) + " times as long to decide (the paper: 10).");
            slower.add(Truth.above(times, 1));
            sizes.add(Truth.all(Truth.within(more, 0, 2 * 0.05), Truth.within(times, TEN / 2, TEN * 2)));
        }
        return Finding.of(Truth.all(sizes), Truth.all(slower), evidence);
    }

    /**
     * Times of schedulers: TaPRA and TaPRA-fast below MM-GA and GSA, and OnTaPRA above the other orders. Holds in part:
     * one of the two.
     */
    static Finding times(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> genetic = new ArrayList<>();
        List<Truth> longest = new ArrayList<>();
        for (String order : ORDERS) {
            List<String> told = new ArrayList<>();
            for (String planner : planners(order)) {
                String policy = order + planner;
                told.add(planner.strip() + " "
                        + (policy.equals("SJF TaPRA-fast")
                                ? "1"
                                : Measured.tell(measured.ratio(policy, "SJF TaPRA-fast", "", TIME))));
            }
            evidence.add(order + ", times as long as SJF TaPRA-fast: " + String.join(", ", told) + ".");
        }
        for (String order : OTHERS) {
            for (String slow : GENETIC) {
                genetic.add(Truth.above(measured.ratio(order + slow, order + FAST, "", TIME), 1));
                genetic.add(Truth.above(measured.ratio(order + slow, order + TAPRA, "", TIME), 1));
            }
            longest.add(Truth.above(measured.ratio("SJF" + FAST, order + FAST, "", TIME), 1));
            longest.add(Truth.above(measured.ratio("SJF" + TAPRA, order + TAPRA, "", TIME), 1));
        }
        evidence.add("SJF with TaPRA-fast takes "
                + Measured.number(measured.estimate("SJF TaPRA-fast", "", TIME).mean())
                + " s of processor time for the run of the paper's hour.");
        evidence.add(
                "The paper does not say how large its MM-GA and GSA are, and their time is proportional to that. Ours"
                        + " are cut"
                        + " here, to 20 generations of 20: MM-GA evaluates a fiftieth, GSA a nineteenth of what it"
                        + " does where"
                        + " one job is"
                        + " planned. So a longer time of TaPRA says nothing about theirs; a shorter one would.");
        Truth faster = Truth.all(genetic) == Truth.YES ? Truth.YES : Truth.OPEN;
        Truth order = Truth.all(longest);
        return Finding.of(Truth.all(faster, order), Truth.any(List.of(faster, order)), evidence);
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
        return Measured.tell(estimate, "%.0f", "%.0f") + " s";
    }
}
