package dev.stowage.study.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.List;

/** J. Ghaderi: Randomized Algorithms for Scheduling VMs in the Cloud, section VII. */
final class RandomizedPaper {
    private static final String ALGORITHM_2 = "Algorithm 2";
    private static final String GLOBAL = "max-weight global";
    private static final String LOCAL = "max-weight local";
    private static final String WAIT = "wait_mean_s";
    private static final String QUEUE = "queue_length_mean";
    private static final String TWO_SERVERS = "randomized-fig1";
    private static final String TEN_SERVERS = "randomized-fig2";
    private static final String NOT_EXPONENTIAL =
            "No claim of the paper; exponential service is an assumption of its proof: stable without it too?";
    /** From this intensity on the order of two delays is compared. */
    private static final double HIGH = 0.8;

    static final Paper PAPER = new Paper(
            "randomized",
            "J. Ghaderi: Randomized Algorithms for Scheduling VMs in the Cloud, IEEE INFOCOM 2016",
            List.of(
                    new PaperFigure(
                            "fig1",
                            "Delay against the traffic intensity, 2 servers",
                            "randomized-fig1",
                            WAIT,
                            "Max-weight with global refresh and Algorithm 2 are both stable inside the capacity"
                                    + " region.",
                            RandomizedPaper::bothStable),
                    new PaperFigure(
                            "fig1-slots",
                            "The same in slots of a tenth of the mean service time",
                            "randomized-fig1-slots",
                            WAIT,
                            "As figure 1; the paper does not say whether its time is slotted.",
                            RandomizedPaper::bothStable),
                    new PaperFigure(
                            "fig2",
                            "Delay against the traffic intensity, 2 and 10 servers",
                            List.of(TWO_SERVERS, TEN_SERVERS),
                            WAIT,
                            "With 10 servers instead of 2 global refresh times become extremely infrequent, which"
                                    + " increases the"
                                    + " delay.",
                            RandomizedPaper::globalDeteriorates),
                    new PaperFigure(
                            "fig3",
                            "Total queue over time, 5 + 5 unequal servers at 0.9 of V",
                            "randomized-fig3",
                            PaperFigure.QUEUE_OVER_TIME,
                            "Max-weight with local refresh is unstable among unequal servers, Algorithm 2 is stable.",
                            RandomizedPaper::localIsUnstable),
                    new PaperFigure(
                            "fig3-slots",
                            "The same in slots of a tenth of the mean service time",
                            "randomized-fig3-slots",
                            PaperFigure.QUEUE_OVER_TIME,
                            "As figure 3; the paper does not say whether its time is slotted.",
                            RandomizedPaper::localIsUnstable),
                    new PaperFigure(
                            "fig4",
                            "Total queue against the traffic intensity, 100 equal servers",
                            "randomized-fig4",
                            QUEUE,
                            "Among equal servers the queue of Algorithm 2 is very close to that of max-weight local.",
                            measured -> close(measured, QUEUE)),
                    new PaperFigure(
                            "fig5",
                            "Delay against the traffic intensity, 100 equal servers",
                            "randomized-fig4",
                            WAIT,
                            "Among equal servers the delay of Algorithm 2 is very close to that of max-weight local.",
                            measured -> close(measured, WAIT)),
                    new PaperFigure(
                            "deterministic",
                            "Figure 1 with service times all alike",
                            "randomized-deterministic",
                            WAIT,
                            NOT_EXPONENTIAL,
                            RandomizedPaper::stableWithout),
                    new PaperFigure(
                            "hyperexponential",
                            "Figure 1 with hyperexponential service times",
                            "randomized-hyperexponential",
                            WAIT,
                            NOT_EXPONENTIAL,
                            RandomizedPaper::stableWithout)));

    private RandomizedPaper() {}

    /** The order holds if Algorithm 2 is stable everywhere. */
    private static Finding bothStable(Measured measured) {
        List<String> evidence = new ArrayList<>();
        Truth algorithm = Truth.all(stable(measured, ALGORITHM_2));
        Truth global = Truth.all(stable(measured, GLOBAL));
        for (String zeta : measured.values()) {
            evidence.add("ζ = " + zeta + ": " + measured.tell(ALGORITHM_2, zeta, WAIT) + "; "
                    + measured.tell(GLOBAL, zeta, WAIT) + ".");
        }
        if (global == Truth.NO) {
            evidence.add(
                    "Where max-weight global is not stable: its proof is for slotted time, in which all requests of all"
                            + " servers may end in one slot. In continuous time no two end at one instant, and while"
                            + " requests wait"
                            + " the refill of free slots keeps the servers from being empty together. In slots:"
                            + " fig1-slots.");
        }
        return Finding.of(Truth.all(algorithm, global), algorithm, evidence);
    }

    private static List<Truth> stable(Measured measured, String policy) {
        return measured.values().stream()
                .map(zeta -> measured.stable(policy, zeta))
                .toList();
    }

    private static Finding stableWithout(Measured measured) {
        List<String> evidence = new ArrayList<>(bothStable(measured).evidence());
        for (String policy : List.of(ALGORITHM_2, GLOBAL)) {
            evidence.add("Ours: " + policy + " is "
                    + switch (Truth.all(stable(measured, policy))) {
                        case YES -> "stable at all of these intensities.";
                        case NO -> "not stable at all of these intensities.";
                        case OPEN -> "undecided at some of these intensities.";
                    });
        }
        return new Finding(Verdict.NO_CLAIM, evidence);
    }

    /**
     * The two systems have different requests, so their delays are independent. Holds in part: at more than half of the
     * intensities.
     */
    private static Finding globalDeteriorates(Measured measured) {
        Measured two = measured.at("experiment", TWO_SERVERS);
        Measured ten = measured.at("experiment", TEN_SERVERS);
        List<String> evidence = new ArrayList<>();
        List<Truth> longer = new ArrayList<>();
        for (String zeta : ten.values()) {
            if (two.values().contains(zeta)) {
                evidence.add("ζ = " + zeta + ": 2 servers, " + two.tell(GLOBAL, zeta, WAIT) + ", "
                        + two.tell(ALGORITHM_2, zeta, WAIT) + "; 10 servers, " + ten.tell(GLOBAL, zeta, WAIT) + ", "
                        + ten.tell(ALGORITHM_2, zeta, WAIT) + ".");
                if (two.unstable(GLOBAL, zeta) != Truth.YES || ten.unstable(GLOBAL, zeta) != Truth.YES) {
                    longer.add(isLonger(ten, two, zeta));
                }
            }
        }
        evidence.add("The delay of max-weight global is shown to be longer with 10 servers than with 2 at "
                + longer.stream().filter(Truth.YES::equals).count() + " of " + longer.size()
                + " intensities at which not both are unstable.");
        return Finding.of(Truth.all(longer), Truth.most(longer), evidence);
    }

    /** Whether the delay of max-weight global is longer in the first system. */
    private static Truth isLonger(Measured one, Measured two, String zeta) {
        return Measured.isLonger(
                one.stable(GLOBAL, zeta),
                two.stable(GLOBAL, zeta),
                () -> Measured.independent(one.estimate(GLOBAL, zeta, WAIT), two.estimate(GLOBAL, zeta, WAIT)));
    }

    private static Finding localIsUnstable(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List.of(LOCAL, ALGORITHM_2).forEach(policy -> evidence.add(measured.tell(policy, "", QUEUE) + "."));
        return Finding.of(
                Truth.all(measured.unstable(LOCAL, ""), measured.stable(ALGORITHM_2, "")),
                measured.isLonger(LOCAL, ALGORITHM_2, "", QUEUE),
                evidence);
    }

    /** Very close: within a quarter at every intensity. The order holds if it is within a factor of two from 0.8 on. */
    private static Finding close(Measured measured, String metric) {
        List<String> evidence = new ArrayList<>();
        List<Truth> veryClose = new ArrayList<>();
        List<Truth> near = new ArrayList<>();
        for (String zeta : measured.values()) {
            Truth stable = Truth.all(measured.stable(LOCAL, zeta), measured.stable(ALGORITHM_2, zeta));
            String told = measured.tell(ALGORITHM_2, zeta, metric) + "; " + measured.tell(LOCAL, zeta, metric) + ".";
            if (stable == Truth.NO) {
                veryClose.add(Truth.NO);
                near.add(Truth.NO);
                evidence.add("ζ = " + zeta + ": " + told);
            } else {
                Estimate ratio = measured.ratio(ALGORITHM_2, LOCAL, zeta, metric);
                veryClose.add(Truth.all(stable, Truth.within(ratio, 0.8, 1.25)));
                if (Double.parseDouble(zeta) >= HIGH) {
                    near.add(Truth.all(stable, Truth.within(ratio, 0.5, 2)));
                }
                evidence.add("ζ = " + zeta + ": ratio " + Measured.tell(ratio) + "; " + told);
            }
        }
        return Finding.of(Truth.all(veryClose), Truth.all(near), evidence);
    }
}
