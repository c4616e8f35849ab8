package dev.stowage.report.reproduce;

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

    static final Paper PAPER = new Paper(
            "reservation",
            "K. Psychas, J. Ghaderi: A Theory of Auto-Scaling for Resource Reservation in Cloud Services, 2020",
            List.of(
                    reward("l10", "10 servers", "reservation-l10"),
                    reward("l100", "100 servers", "reservation-l100"),
                    reward("l1000", "1,000 servers", "reservation-l1000"),
                    reward("l10000", "10,000 servers", "reservation-l10000"),
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
                    beats("step", "The mix of requests changes at once, 1,000 servers", "reservation-step", "best-fit"),
                    beats("daily", "A load with a daily profile, 1,000 servers", "reservation-daily", "best-fit"),
                    new PaperFigure(
                            "trace-azure",
                            "Azure's VM trace at prices linear in demand, 1,000 to 1,400 servers",
                            "reservation-trace-azure",
                            "reward_rate",
                            "No claim of the paper: does reservation earn more than complete sharing on a real load?",
                            measured -> earnsMore(measured, "best-fit"))));

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

    private static PaperFigure beats(String key, String title, String experiment, String rival) {
        return new PaperFigure(
                key,
                title,
                experiment,
                PaperFigure.NO_PICTURE,
                "The policy needs no knowledge of the load and follows it.",
                measured -> earnsMore(measured, rival));
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
                    + Measured.number(theirs) + ".");
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
