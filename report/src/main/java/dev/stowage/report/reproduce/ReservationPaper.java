package dev.stowage.report.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * K. Psychas, J. Ghaderi: A Theory of Auto-Scaling for Resource Reservation in Cloud Services. The paper has no experiments; its
 * theorems are looked at on instances of ours.
 */
final class ReservationPaper {
    private static final String DRA = "dra";
    private static final String REWARD = "reward_of_bound";
    private static final String GREEDY = "greedy_of_bound";
    private static final double GUARANTEE = 0.5;
    /** 1 - 1/e, where the reward of configurations is monotone as the paper says. */
    private static final double MONOTONE_GUARANTEE = 0.632;

    private static final double NEAR = 0.03;
    private static final String FOLLOWS = "The policy needs no knowledge of the load and follows it.";
    private static final double HOUR = 3600;
    /** When the mix changes in reservation-step, and until when reward is to be back: three mean service times. */
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
                            "Reward, empty slots and migrations as servers grow from 10 to 10,000",
                            "reservation-l10 reservation-l100 reservation-l1000 reservation-l10000",
                            PaperFigure.NO_PICTURE,
                            "The reward tends to that of the greedy assignment as servers grow; the reserved slots are o(L);"
                                    + " a departure moves at most one request.",
                            ReservationPaper::growth),
                    new PaperFigure(
                            "worst-case",
                            "Reward where greedy is as poor as it can be, 1,000 servers",
                            "reservation-worst-case",
                            PaperFigure.NO_PICTURE,
                            "The reward tends to that of the greedy assignment, which may be near 1 - 1/e of the greatest.",
                            ReservationPaper::nearGreedy),
                    new PaperFigure(
                            "slack",
                            "Reward against the number of reserved slots g(L), 1,000 servers",
                            "reservation-slack",
                            REWARD,
                            "A small number of reserved slots, more than log L, is enough.",
                            ReservationPaper::slack),
                    service("deterministic", "Service times all alike, 1,000 servers", "reservation-deterministic"),
                    service("lognormal", "Lognormal service times, 1,000 servers", "reservation-lognormal"),
                    new PaperFigure(
                            "step",
                            "The mix of requests changes at once, 1,000 servers",
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
                            measured -> earnsMore(measured, "best-fit")),
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
                "As servers grow the reward is at least 1/2 of the greatest, and 1 - 1/e under a monotone property"
                        + " (Theorem 4.1).",
                ReservationPaper::guaranteed);
    }

    private static PaperFigure service(String key, String title, String experiment) {
        return new PaperFigure(
                key,
                title,
                experiment,
                PaperFigure.NO_PICTURE,
                "The policy itself does not rely on exponential service times.",
                ReservationPaper::guaranteed);
    }

    private static Finding guaranteed(Measured measured) {
        List<String> evidence = new ArrayList<>();
        boolean half = true;
        boolean more = true;
        for (String load : measured.values()) {
            double reward = measured.estimate(DRA, load, REWARD).mean();
            half &= reward >= GUARANTEE;
            more &= reward >= MONOTONE_GUARANTEE;
            evidence.add(at(load) + "dra " + share(measured, load, DRA) + " of the greatest; the greedy assignment "
                    + percent(measured.estimate(DRA, load, GREEDY).mean()) + "; best-fit "
                    + share(measured, load, "best-fit") + ".");
        }
        return new Finding(
                more ? Verdict.REPRODUCED : half ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED, evidence);
    }

    /** At the greatest load, where admission matters most: what is missing to the greedy assignment shrinks from size to size. */
    private static Finding growth(Measured measured) {
        List<String> evidence = new ArrayList<>();
        boolean shrinks = true;
        double before = Double.POSITIVE_INFINITY;
        double slotsBefore = Double.POSITIVE_INFINITY;
        double migrations = 0;
        for (String experiment : measured.values("experiment")) {
            Measured size = measured.at("experiment", experiment);
            List<String> loads = size.values("load");
            String load = loads.get(loads.size() - 1);
            Measured most = size.at("load", load);
            double servers = mean(most, experiment, "accept_group_mean") + mean(most, experiment, "reject_group_mean");
            double missing = mean(most, experiment, GREEDY) - mean(most, experiment, REWARD);
            double empty = most.metrics(DRA, experiment, "reserved_slots_mean{").values().stream()
                    .mapToDouble(Estimate::mean)
                    .sum();
            double moved = mean(most, experiment, "migrations") / mean(most, experiment, "left");
            shrinks &= missing < before && empty / servers < slotsBefore;
            before = missing;
            slotsBefore = empty / servers;
            migrations = Math.max(migrations, moved);
            evidence.add(String.format(
                    Locale.ROOT,
                    "%,.0f servers, load %s: dra %s of the greatest, %.3f below the greedy assignment; %.0f empty slots, %.3f per"
                            + " server; %.3f migrations per departure.",
                    servers,
                    load,
                    percent(mean(most, experiment, REWARD)),
                    missing,
                    empty,
                    empty / servers,
                    moved));
        }
        return new Finding(
                shrinks && before <= NEAR && migrations <= 1
                        ? Verdict.REPRODUCED
                        : before <= NEAR ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static double mean(Measured measured, String value, String metric) {
        return measured.estimate(DRA, value, metric).mean();
    }

    private static Finding step(Measured measured) {
        Finding whole = earnsMore(measured, "best-fit");
        List<String> evidence = new ArrayList<>(whole.evidence());
        double end = CHANGE + 18 * HOUR;
        double settled = ofBound(measured, DRA, BACK, end);
        for (String policy : List.of(DRA, "dra every minute", "best-fit")) {
            evidence.add(String.format(
                    Locale.ROOT,
                    "%s, of the greatest in the same hours, first replication: %.3f in the 6 h before the change; in the first, second and"
                            + " third hour after it %.3f, %.3f, %.3f; then %.3f.",
                    policy,
                    ofBound(measured, policy, CHANGE - 6 * HOUR, CHANGE),
                    ofBound(measured, policy, CHANGE, CHANGE + HOUR),
                    ofBound(measured, policy, CHANGE + HOUR, CHANGE + 2 * HOUR),
                    ofBound(measured, policy, CHANGE + 2 * HOUR, BACK),
                    ofBound(measured, policy, BACK, end)));
        }
        boolean back = Math.abs(ofBound(measured, DRA, CHANGE + 2 * HOUR, BACK) - settled) <= NEAR;
        return new Finding(back ? whole.verdict() : Verdict.DIRECTION_ONLY, evidence);
    }

    private static double ofBound(Measured measured, String policy, double from, double to) {
        return measured.between(policy, "reward_rate", from, to) / measured.between(policy, "reward_bound", from, to);
    }

    /** With the rejections by type where servers are fewest. */
    private static Finding trace(Measured measured) {
        Finding whole = earnsMore(measured, "best-fit");
        List<String> evidence = new ArrayList<>(whole.evidence());
        String fewest = measured.values().get(0);
        for (String policy : List.of(DRA, "best-fit", "trunk-reservation")) {
            List<String> types = new ArrayList<>();
            measured.metrics(policy, fewest, "rejection_fraction{")
                    .forEach((name, fraction) -> types.add(
                            name.substring(name.indexOf('=') + 1, name.length() - 1) + " " + percent(fraction.mean())));
            evidence.add(at(fewest) + policy + " rejects " + String.join(", ", types) + ".");
        }
        return new Finding(whole.verdict(), evidence);
    }

    private static Finding nearGreedy(Measured measured) {
        double reward = measured.estimate(DRA, "", REWARD).mean();
        double greedy = measured.estimate(DRA, "", GREEDY).mean();
        return new Finding(
                Math.abs(reward - greedy) <= NEAR
                        ? Verdict.REPRODUCED
                        : reward <= greedy + NEAR ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                List.of(
                        "dra " + share(measured, "", DRA) + " of the greatest, the greedy assignment " + percent(greedy)
                                + ".",
                        "first-fit " + share(measured, "", "first-fit") + ", best-fit "
                                + share(measured, "", "best-fit")
                                + ": the family fools greedy, not complete sharing."));
    }

    /** The best slack, and how much is lost with the least and the most. */
    private static Finding slack(Measured measured) {
        List<String> evidence = new ArrayList<>();
        String best = measured.values().get(0);
        for (String slack : measured.values()) {
            evidence.add("g = " + slack + ": " + share(measured, slack, DRA) + ".");
            best = reward(measured, slack) > reward(measured, best) ? slack : best;
        }
        boolean logIsNear = reward(measured, best) - reward(measured, "log") <= NEAR;
        boolean mostIsWorse = reward(measured, "100") < reward(measured, "log");
        return new Finding(
                logIsNear && mostIsWorse
                        ? Verdict.REPRODUCED
                        : logIsNear ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static double reward(Measured measured, String value) {
        return measured.estimate(DRA, value, REWARD).mean();
    }

    private static Finding earnsMore(Measured measured, String rival) {
        List<String> evidence = new ArrayList<>();
        int more = 0;
        for (String value : measured.values()) {
            double ours = measured.estimate(DRA, value, "reward_rate").mean();
            double theirs = measured.estimate(rival, value, "reward_rate").mean();
            more += ours > theirs ? 1 : 0;
            evidence.add(at(value) + "dra " + Measured.number(ours) + " per second, " + rival + " "
                    + Measured.number(theirs)
                    + (measured.metrics(DRA, value, REWARD).isEmpty()
                            ? "."
                            : ": " + share(measured, value, DRA) + " and " + share(measured, value, rival)
                                    + " of the greatest."));
        }
        int all = measured.values().size();
        return new Finding(
                more == all ? Verdict.REPRODUCED : more > 0 ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static String at(String value) {
        return value.isEmpty() ? "" : "At " + value + ": ";
    }

    private static String share(Measured measured, String value, String policy) {
        return percent(measured.estimate(policy, value, REWARD).mean());
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
    }
}
