package dev.stowage.study.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * K. Psychas, J. Ghaderi: A Theory of Auto-Scaling for Resource Reservation in Cloud Services. The paper has no
 * experiments; its theorems are checked on our own instances.
 */
final class ReservationPaper {
    private static final String DRA = "dra";
    private static final String REWARD = "reward_of_bound";
    private static final String GREEDY = "greedy_of_bound";
    private static final String RATE = "reward_rate";
    private static final double GUARANTEE = 0.5;
    /** 1 - 1/e, the guarantee if the reward of configurations is monotone in the sense of the paper. */
    private static final double MONOTONE_GUARANTEE = 1 - 1 / StrictMath.E;

    /** Two rewards are near if they differ by at most this fraction of the greatest. */
    private static final double NEAR = 0.03;
    /** Complete sharing, by each of the scores of best fit that the experiment has. */
    private static final List<String> BEST_FIT = List.of("best-fit", "best-fit leftover");

    /**
     * Numbers of reserved slots of a type in reservation-slack: fewer than log L, and more, of which the last is no
     * longer small.
     */
    private static final List<String> FEWER = List.of("1", "3");

    private static final List<String> MORE = List.of("10", "log-power", "sqrt");
    private static final String MANY = "100";
    private static final String EXPONENTIAL = "reservation-l1000";
    private static final String FOLLOWS = "The policy needs no knowledge of the load and follows it.";
    private static final double HOUR = 3600;
    /**
     * When the mix changes in reservation-step, and when the reward should have recovered: three mean service times
     * later.
     */
    private static final double CHANGE = 12 * HOUR;

    private static final double BACK = CHANGE + 3 * HOUR;

    static final Paper PAPER = new Paper(
            "reservation",
            "K. Psychas, J. Ghaderi: A Theory of Auto-Scaling for Resource Reservation in Cloud Services, 2020",
            List.of(
                    reward("l10", "10 servers", "reservation-l10"),
                    reward("l100", "100 servers", "reservation-l100"),
                    reward("l1000", "1,000 servers", "reservation-l1000"),
                    reward("l10000", "10,000 servers", "reservation-l10000"),
                    new PaperFigure(
                            "growth",
                            "Reward, empty slots and migrations as the number of servers grows from 10 to 10,000",
                            List.of("reservation-l10", "reservation-l100", "reservation-l1000", "reservation-l10000"),
                            PaperFigure.NO_PICTURE,
                            "The reward tends to that of the greedy assignment as the number of servers grows; the"
                                    + " reserved slots are o(L);"
                                    + " a departure moves at most one request.",
                            ReservationPaper::growth),
                    new PaperFigure(
                            "worst-case",
                            "Reward where greedy is as poor as it can be, 1,000 servers",
                            "reservation-worst-case",
                            PaperFigure.NO_PICTURE,
                            "The reward tends to that of the greedy assignment, which may be near 1 - 1/e of the"
                                    + " greatest.",
                            ReservationPaper::nearGreedy),
                    new PaperFigure(
                            "slack",
                            "Reward against the number of reserved slots g(L), 1,000 servers",
                            "reservation-slack",
                            REWARD,
                            "A small number of reserved slots, more than log L = 6.9, is enough.",
                            ReservationPaper::slack),
                    service("deterministic", "Service times all alike, 1,000 servers", "reservation-deterministic"),
                    service("lognormal", "Lognormal service times, 1,000 servers", "reservation-lognormal"),
                    new PaperFigure(
                            "step",
                            "The mix of requests changes suddenly, 1,000 servers",
                            "reservation-step",
                            PaperFigure.REWARD_OVER_TIME,
                            FOLLOWS,
                            ReservationPaper::step),
                    new PaperFigure(
                            "daily",
                            "A load with a daily profile, 1,000 servers",
                            "reservation-daily",
                            PaperFigure.REWARD_OVER_TIME,
                            FOLLOWS,
                            ReservationPaper::earnsMore),
                    new PaperFigure(
                            "trace-azure",
                            "Azure's VM trace at prices linear in demand, 1,000 to 1,400 servers",
                            "reservation-trace-azure",
                            "reward_rate",
                            "No claim of the paper: does reservation earn more than complete sharing on a real load?",
                            ReservationPaper::trace)));

    private ReservationPaper() {}

    private static PaperFigure reward(String key, String servers, String experiment) {
        return new PaperFigure(
                key,
                "Reward over the greatest of any policy, " + servers,
                experiment,
                REWARD,
                "As the number of servers grows, the reward tends to that of the greedy assignment, which is at least"
                        + " 1/2 of the greatest, and"
                        + " 1 - 1/e under a monotone property (Theorem 4.1).",
                ReservationPaper::guaranteed);
    }

    private static PaperFigure service(String key, String title, String experiment) {
        return new PaperFigure(
                key,
                title,
                List.of(EXPONENTIAL, experiment),
                PaperFigure.NO_PICTURE,
                "The policy itself does not rely on exponential service times.",
                measured -> otherServiceTimes(measured, experiment));
    }

    /**
     * The theorem: at least 1 - 1/e of the greatest, because the reward tends to that of the greedy assignment. The
     * first part alone says little, because it holds for complete sharing, too: the claim holds as a whole only if the
     * reward is near its limit.
     */
    private static Finding guaranteed(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> half = new ArrayList<>();
        List<Truth> whole = new ArrayList<>();
        for (String load : measured.values()) {
            Estimate reward = measured.estimate(DRA, load, REWARD);
            Estimate greedy = measured.estimate(DRA, load, GREEDY);
            half.add(Truth.above(reward, GUARANTEE));
            whole.add(Truth.above(reward, MONOTONE_GUARANTEE));
            whole.add(Truth.within(Measured.plus(reward, -greedy.mean()), -NEAR, NEAR));
            evidence.add(at(load) + "dra " + share(measured, load, DRA) + " of the greatest; the greedy assignment "
                    + percent(greedy.mean()) + "; " + rival(measured, load) + ".");
        }
        evidence.add(
                "Reproduced: above 1 - 1/e, and within 3 points of the greedy assignment, to which it tends; shown in"
                        + " part: above 1/2.");
        return Finding.of(Truth.all(whole), Truth.all(half), evidence);
    }

    /** The best variant of best fit: its score, its reward, and by how much dra earns more. */
    private static String rival(Measured measured, String value) {
        String rival = bestFit(measured, value);
        return rival + " " + share(measured, value, rival) + ", dra " + points(ahead(measured, value));
    }

    private static String bestFit(Measured measured, String value) {
        String best = BEST_FIT.get(0);
        for (String score : BEST_FIT) {
            if (measured.policies().contains(score)
                    && measured.estimate(score, value, RATE).mean()
                            > measured.estimate(best, value, RATE).mean()) {
                best = score;
            }
        }
        return best;
    }

    /**
     * By how much dra earns more than the best variant of best fit, from pairs of replications, as a fraction of the
     * greatest reward if that is known.
     */
    private static Estimate ahead(Measured measured, String value) {
        Estimate more = measured.difference(DRA, bestFit(measured, value), value, RATE);
        Map<String, Estimate> shares = measured.metrics(DRA, value, REWARD);
        Estimate rate = measured.estimate(DRA, value, RATE);
        Estimate share = shares.get(REWARD);
        return Measured.times(more, (share == null ? 1 : share.mean()) / rate.mean());
    }

    private static String points(Estimate part) {
        return Measured.tell(Measured.times(part, 100), "%+.1f", "%.1f") + " points";
    }

    /** With other service times dra earns as much as with exponential ones at the same load (independent runs). */
    private static Finding otherServiceTimes(Measured measured, String experiment) {
        Measured exponential = measured.at("experiment", EXPONENTIAL);
        Measured other = measured.at("experiment", experiment);
        Estimate usual = exponential.estimate(DRA, "1.2", REWARD);
        Estimate reward = other.estimate(DRA, "", REWARD);
        Estimate more = Measured.independent(reward, usual);
        List<String> evidence = List.of(
                "dra " + tell(reward) + " of the greatest, with exponential service times " + tell(usual) + ": "
                        + points(more) + ".",
                "The greedy assignment "
                        + percent(other.estimate(DRA, "", GREEDY).mean()) + "; " + rival(other, "") + ".",
                "Reproduced: within 3 points of what it earns with exponential service times; shown in part: above"
                        + " 1 - 1/e of the greatest.");
        return Finding.of(Truth.within(more, -NEAR, NEAR), Truth.above(reward, MONOTONE_GUARANTEE), evidence);
    }

    /**
     * At the greatest load, where admission matters most: the gap to the greedy assignment shrinks from size to size,
     * and so do the empty slots per server.
     */
    private static Finding growth(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> parts = new ArrayList<>();
        Truth near = Truth.OPEN;
        Estimate missedBefore = null;
        Estimate emptyBefore = null;
        for (String experiment : measured.values("experiment")) {
            Measured size = measured.at("experiment", experiment);
            List<String> loads = size.values();
            String load = loads.get(loads.size() - 1);
            double servers = mean(size, load, "accept_group_mean") + mean(size, load, "reject_group_mean");
            Estimate missing = Measured.plus(
                    Measured.times(size.estimate(DRA, load, REWARD), -1),
                    size.estimate(DRA, load, GREEDY).mean());
            Estimate empty = Measured.times(empty(size, load), 1 / servers);
            double[] moved = size.replications(DRA, load, "migrations");
            double[] left = size.replications(DRA, load, "left");
            if (missedBefore != null && emptyBefore != null) {
                parts.add(Truth.above(Measured.independent(missedBefore, missing), 0));
                parts.add(Truth.above(Measured.independent(emptyBefore, empty), 0));
            }
            parts.add(Truth.of(IntStream.range(0, moved.length).allMatch(r -> moved[r] <= left[r])));
            near = Truth.atMost(missing, NEAR);
            missedBefore = missing;
            emptyBefore = empty;
            evidence.add(String.format(
                    Locale.ROOT,
                    "%,.0f servers, load %s: dra %s of the greatest, %s below the greedy assignment;"
                            + " %s empty slots per server; %.3f migrations per departure; %s.",
                    servers,
                    load,
                    share(size, load, DRA),
                    Measured.tell(missing, "%.3f", "%.3f"),
                    Measured.tell(empty, "%.3f", "%.3f"),
                    mean(size, load, "migrations") / mean(size, load, "left"),
                    rival(size, load)));
        }
        evidence.add("Reproduced: the gap to the greedy assignment and the empty slots per server are shown to shrink"
                + " from each size to the next, no run has more migrations than departures, and at the largest size"
                + " the gap is at most 3 points; shown in part: the last of these.");
        return Finding.of(Truth.all(Truth.all(parts), near), near, evidence);
    }

    /** Slots of all types that are kept empty; with one replication the half-widths are added. */
    private static Estimate empty(Measured size, String load) {
        Map<String, Estimate> types = size.metrics(DRA, load, "reserved_slots_mean{");
        double[] sum = Measured.sum(types.keySet().stream()
                .map(type -> size.replications(DRA, load, type))
                .toList());
        return sum.length > 1
                ? size.mean(sum)
                : types.values().stream().reduce(Measured::together).orElseThrow();
    }

    private static double mean(Measured measured, String value, String metric) {
        return measured.estimate(DRA, value, metric).mean();
    }

    /**
     * It follows if from the third hour after the change on it is as near to the greatest reward as later, and never
     * below best fit.
     */
    private static Finding step(Measured measured) {
        Finding whole = earnsMore(measured);
        List<String> evidence = new ArrayList<>(whole.evidence());
        double end = CHANGE + 18 * HOUR;
        for (String policy : List.of(DRA, "dra every minute", bestFit(measured, ""))) {
            List<String> told = new ArrayList<>();
            for (int hour = 0; hour < 3; hour++) {
                told.add(tell(ofBound(measured, policy, CHANGE + hour * HOUR, CHANGE + (hour + 1) * HOUR)));
            }
            evidence.add(policy + ", of the greatest in the same hours, "
                    + measured.between(policy, RATE, 0, end).length + " replications: "
                    + tell(ofBound(measured, policy, CHANGE - 6 * HOUR, CHANGE))
                    + " in the 6 h before the change; in the first, second and third hour after it "
                    + String.join(", ", told) + "; then " + tell(ofBound(measured, policy, BACK, end)) + ".");
        }
        double[] third = share(measured, DRA, CHANGE + 2 * HOUR, BACK);
        double[] settled = share(measured, DRA, BACK, end);
        Truth back = Truth.within(Measured.plus(measured.ratio(third, settled), -1), -NEAR, NEAR);
        Truth more = more(measured, "");
        evidence.add("The third hour after the change against the hours after it (within 3 %): "
                + Measured.percent(Measured.plus(measured.ratio(third, settled), -1)) + ", paired replications.");
        return Finding.of(Truth.all(back, more), more, evidence);
    }

    private static double[] share(Measured measured, String policy, double from, double to) {
        double[] rate = measured.between(policy, RATE, from, to);
        double[] bound = measured.between(policy, "reward_bound", from, to);
        double[] share = new double[rate.length];
        Arrays.setAll(share, replication -> rate[replication] / bound[replication]);
        return share;
    }

    private static Estimate ofBound(Measured measured, String policy, double from, double to) {
        return measured.mean(share(measured, policy, from, to));
    }

    /** Also shows the rejections by type for the smallest number of servers. */
    private static Finding trace(Measured measured) {
        List<String> evidence = new ArrayList<>(earnsMore(measured).evidence());
        String fewest = measured.values().get(0);
        for (String policy : List.of(DRA, bestFit(measured, fewest), "trunk-reservation")) {
            List<String> types = new ArrayList<>();
            measured.metrics(policy, fewest, "rejection_fraction{")
                    .forEach((name, fraction) -> types.add(
                            name.substring(name.indexOf('=') + 1, name.length() - 1) + " " + percent(fraction.mean())));
            evidence.add(at(fewest) + policy + " rejects " + String.join(", ", types) + ".");
        }
        return new Finding(Verdict.NO_CLAIM, evidence);
    }

    private static Finding nearGreedy(Measured measured) {
        Estimate reward = measured.estimate(DRA, "", REWARD);
        double greedy = measured.estimate(DRA, "", GREEDY).mean();
        Estimate more = Measured.plus(reward, -greedy);
        return Finding.of(
                Truth.within(more, -NEAR, NEAR),
                Truth.atMost(more, NEAR),
                List.of(
                        "dra " + share(measured, "", DRA) + " of the greatest, the greedy assignment " + percent(greedy)
                                + ".",
                        "first-fit " + share(measured, "", "first-fit") + ", " + rival(measured, "")
                                + ": the family is hard for the greedy assignment, not for complete sharing."));
    }

    /**
     * More than log L is enough: every number above it but far below L earns within 3 points of the greedy assignment,
     * which is the limit (in part: one of them). And more than log L is needed: fewer slots earn less than the best of
     * those.
     */
    private static Finding slack(Measured measured) {
        List<String> evidence = new ArrayList<>();
        double greedy = measured.estimate(DRA, "log", GREEDY).mean();
        String best = MORE.get(0);
        for (String slack : measured.values()) {
            Estimate below = Measured.plus(measured.estimate(DRA, slack, REWARD), -greedy);
            evidence.add("g = " + slack + ": " + share(measured, slack, DRA) + ", which differs from the greedy"
                    + " assignment by "
                    + points(below) + ".");
            best = MORE.contains(slack) && reward(measured, slack) > reward(measured, best) ? slack : best;
        }
        List<Truth> enough = new ArrayList<>();
        for (String slack : MORE) {
            enough.add(Truth.within(Measured.plus(measured.estimate(DRA, slack, REWARD), -greedy), -NEAR, NEAR));
        }
        List<Truth> less = new ArrayList<>();
        List<String> others = new ArrayList<>(FEWER);
        others.add(MANY);
        for (String slack : others) {
            Estimate worse = measured.mean(
                    minus(measured.replications(DRA, best, RATE), measured.replications(DRA, slack, RATE)));
            less.add(Truth.above(worse, 0));
            evidence.add("g = " + best + " earns " + Measured.tell(worse) + " a second more than g = " + slack
                    + ", paired replications.");
        }
        Truth all = Truth.all(enough);
        return Finding.of(Truth.all(all, Truth.all(less)), Truth.any(enough), evidence);
    }

    private static double reward(Measured measured, String value) {
        return measured.estimate(DRA, value, REWARD).mean();
    }

    private static double[] minus(double[] one, double[] two) {
        double[] difference = new double[one.length];
        Arrays.setAll(difference, replication -> one[replication] - two[replication]);
        return difference;
    }

    /** Whether dra is shown to earn more than the best of best fit. */
    private static Truth more(Measured measured, String value) {
        return Truth.above(ahead(measured, value), 0);
    }

    private static Finding earnsMore(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> more = new ArrayList<>();
        for (String value : measured.values()) {
            String rival = bestFit(measured, value);
            more.add(more(measured, value));
            evidence.add(at(value) + "dra "
                    + Measured.number(measured.estimate(DRA, value, RATE).mean()) + " per second, "
                    + rival + " "
                    + Measured.number(measured.estimate(rival, value, RATE).mean()) + ", dra more by "
                    + Measured.tell(measured.difference(DRA, rival, value, RATE))
                    + (measured.metrics(DRA, value, REWARD).isEmpty()
                            ? "."
                            : ": " + share(measured, value, DRA) + " and " + share(measured, value, rival)
                                    + " of the greatest."));
        }
        return Finding.of(Truth.all(more), Truth.any(more), evidence);
    }

    private static String at(String value) {
        return value.isEmpty() ? "" : "At " + value + ": ";
    }

    private static String share(Measured measured, String value, String policy) {
        return tell(measured.estimate(policy, value, REWARD));
    }

    /** {@code 96.8 ± 0.4 %}, of a fraction. */
    private static String tell(Estimate fraction) {
        return Measured.tell(Measured.times(fraction, 100), "%.1f", "%.1f") + " %";
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
    }
}
