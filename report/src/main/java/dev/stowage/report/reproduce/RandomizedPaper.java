package dev.stowage.report.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** J. Ghaderi: Randomized Algorithms for Scheduling VMs in the Cloud, section VII. */
final class RandomizedPaper {
    private static final String ALGORITHM_2 = "Algorithm 2";
    private static final String GLOBAL = "max-weight global";
    private static final String LOCAL = "max-weight local";
    private static final String WAIT = "wait_mean_s";
    private static final String QUEUE = "queue_length_mean";

    static final Paper PAPER = new Paper(
            "randomized",
            "J. Ghaderi: Randomized Algorithms for Scheduling VMs in the Cloud, IEEE INFOCOM 2016",
            List.of(
                    new PaperFigure(
                            "fig1",
                            "Delay against the traffic intensity, 2 servers",
                            "randomized-fig1",
                            WAIT,
                            "Max-weight with global refresh and Algorithm 2 are both stable inside the capacity region.",
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
                            "Delay against the traffic intensity, 10 servers",
                            "randomized-fig2",
                            WAIT,
                            "With 10 servers global refresh times become extremely infrequent, which deteriorates the delay.",
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
                            "Exponential service is an assumption of the proof (no claim of the paper): stable without it too?",
                            RandomizedPaper::bothStable),
                    new PaperFigure(
                            "hyperexponential",
                            "Figure 1 with hyperexponential service times",
                            "randomized-hyperexponential",
                            WAIT,
                            "Exponential service is an assumption of the proof (no claim of the paper): stable without it too?",
                            RandomizedPaper::bothStable)));

    private RandomizedPaper() {}

    private static Finding bothStable(Measured measured) {
        List<String> evidence = new ArrayList<>();
        boolean algorithmStable = true;
        boolean globalStable = true;
        for (String zeta : measured.values()) {
            algorithmStable &= measured.stable(ALGORITHM_2, zeta);
            globalStable &= measured.stable(GLOBAL, zeta);
            evidence.add("ζ = " + zeta + ": " + measured.tell(ALGORITHM_2, zeta, WAIT) + "; "
                    + measured.tell(GLOBAL, zeta, WAIT) + ".");
        }
        if (!globalStable && algorithmStable) {
            evidence.add(
                    "Where max-weight global is not stable: its proof is for slotted time, in which all requests of all"
                            + " servers may end in one slot. In continuous time no two end at one instant, and while requests wait"
                            + " the refill of free slots keeps the servers from being empty together. In slots: fig1-slots.");
        }
        Verdict verdict = algorithmStable && globalStable
                ? Verdict.REPRODUCED
                : algorithmStable ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED;
        return new Finding(verdict, evidence);
    }

    private static Finding globalDeteriorates(Measured measured) {
        List<String> evidence = new ArrayList<>();
        int larger = 0;
        for (String zeta : measured.values()) {
            larger += measured.isLarger(GLOBAL, ALGORITHM_2, zeta, WAIT) ? 1 : 0;
            evidence.add("ζ = " + zeta + ": " + measured.tell(GLOBAL, zeta, WAIT) + "; "
                    + measured.tell(ALGORITHM_2, zeta, WAIT) + ".");
        }
        int all = measured.values().size();
        evidence.add("The delay of max-weight global is larger, the intervals apart, at " + larger + " of " + all
                + " intensities.");
        return new Finding(
                2 * larger > all ? Verdict.REPRODUCED : larger > 0 ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static Finding localIsUnstable(Measured measured) {
        boolean local = measured.unstable(LOCAL, "");
        boolean algorithm = measured.stable(ALGORITHM_2, "");
        return new Finding(
                local && algorithm
                        ? Verdict.REPRODUCED
                        : measured.isLarger(LOCAL, ALGORITHM_2, "", QUEUE)
                                ? Verdict.DIRECTION_ONLY
                                : Verdict.NOT_REPRODUCED,
                List.of(measured.tell(LOCAL, "", QUEUE) + ".", measured.tell(ALGORITHM_2, "", QUEUE) + "."));
    }

    /** Very close: within a quarter at every intensity. Same order: within a factor of two from 0.8 on. */
    private static Finding close(Measured measured, String metric) {
        List<String> evidence = new ArrayList<>();
        boolean veryClose = true;
        boolean near = true;
        for (String zeta : measured.values()) {
            if (measured.unstable(LOCAL, zeta) || measured.unstable(ALGORITHM_2, zeta)) {
                veryClose = false;
                near = false;
            } else {
                double ratio = measured.ratio(ALGORITHM_2, LOCAL, zeta, metric);
                veryClose &= ratio < 1.25 && ratio > 0.8;
                near &= Double.parseDouble(zeta) < 0.8 || (ratio < 2 && ratio > 0.5);
                evidence.add(String.format(Locale.ROOT, "ζ = %s: ratio %.2f; ", zeta, ratio)
                        + measured.tell(ALGORITHM_2, zeta, metric) + "; " + measured.tell(LOCAL, zeta, metric) + ".");
            }
        }
        return new Finding(
                veryClose ? Verdict.REPRODUCED : near ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED, evidence);
    }
}
