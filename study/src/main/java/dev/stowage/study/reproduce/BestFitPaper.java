package dev.stowage.study.reproduce;

import java.util.ArrayList;
import java.util.List;

/** K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters, section VII. */
final class BestFitPaper {
    private static final String FIFO = "fifo-ff";
    private static final String BF = "bf-js";
    private static final String VQS = "vqs";
    private static final String VQS_BF = "vqs-bf";
    private static final String QUEUE = "queue_length_mean";
    /** Two queues are alike if one is at most a quarter longer than the other. */
    private static final double ALIKE = 1.25;
    /** Up to this intensity BF-J/S and VQS-BF should be alike. */
    private static final double ALIKE_UP_TO = 0.95;
    /** High traffic: the upper half of the sweep. */
    private static final double HIGH_SCALING = 1.4;

    static final Paper PAPER = new Paper(
            "bestfit",
            "K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters,"
                    + " IEEE INFOCOM 2019",
            List.of(
                    new PaperFigure(
                            "fig3a",
                            "Queue over time, sizes 0.4 and 0.6, geometric service",
                            "bestfit-fig3a",
                            PaperFigure.QUEUE_OVER_TIME,
                            "VQS is unstable where BF-J/S and VQS-BF are stable.",
                            measured -> stability(measured, List.of(VQS), List.of(BF, VQS_BF))),
                    new PaperFigure(
                            "fig3b",
                            "Queue over time, sizes 2 and 5 of 10, service of exactly 100 slots",
                            "bestfit-fig3b",
                            PaperFigure.QUEUE_OVER_TIME,
                            "VQS is stable where BF-J/S and VQS-BF are unstable.",
                            measured -> stability(measured, List.of(BF, VQS_BF), List.of(VQS))),
                    new PaperFigure(
                            "fig4a",
                            "Queue against traffic intensity, sizes uniform in [0.01, 0.19]",
                            "bestfit-fig4a",
                            QUEUE,
                            "VQS has the longest queue; BF-J/S and VQS-BF are alike up to 0.95, above that BF-J/S is"
                                    + " clearly better.",
                            BestFitPaper::smallSizes),
                    new PaperFigure(
                            "fig4b",
                            "Queue against traffic intensity, sizes uniform in [0.1, 0.9]",
                            "bestfit-fig4b",
                            QUEUE,
                            "With large sizes VQS has the longest queue, VQS-BF the second longest, BF-J/S the"
                                    + " shortest.",
                            BestFitPaper::largeSizes),
                    new PaperFigure(
                            "trace-google",
                            "Queue against traffic scaling, Google's trace of 2011 (figure 5)",
                            "bestfit-trace-google",
                            QUEUE,
                            "At high traffic BF-J/S and VQS-BF have a clear advantage, and VQS-BF also over BF-J/S.",
                            BestFitPaper::trace),
                    new PaperFigure(
                            "trace-azure",
                            "Queue against traffic scaling, Azure VM trace of 2017 (for figure 5)",
                            "bestfit-trace-azure",
                            QUEUE,
                            "At high traffic BF-J/S and VQS-BF have a clear advantage, and VQS-BF also over BF-J/S.",
                            BestFitPaper::trace),
                    new PaperFigure(
                            "trace-openb",
                            "Queue against traffic scaling, openb pods of 2023 (for figure 5)",
                            "bestfit-trace-openb",
                            QUEUE,
                            "At high traffic BF-J/S and VQS-BF have a clear advantage, and VQS-BF also over BF-J/S.",
                            BestFitPaper::trace)));

    private BestFitPaper() {}

    /** Holds in part: one of the policies that should be unstable is, and all that should be stable are. */
    private static Finding stability(Measured measured, List<String> unstable, List<String> stable) {
        List<String> evidence = new ArrayList<>();
        List<Truth> grow = new ArrayList<>();
        List<Truth> stay = new ArrayList<>();
        for (String policy : unstable) {
            grow.add(measured.unstable(policy, ""));
            evidence.add(measured.tell(policy, "", QUEUE) + ".");
        }
        for (String policy : stable) {
            stay.add(measured.stable(policy, ""));
            evidence.add(measured.tell(policy, "", QUEUE) + ".");
        }
        return Finding.of(
                Truth.all(Truth.all(grow), Truth.all(stay)), Truth.all(Truth.any(grow), Truth.all(stay)), evidence);
    }

    /** The order holds if VQS has the longest queue everywhere. */
    private static Finding smallSizes(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> vqsLongest = new ArrayList<>();
        List<Truth> asClaimed = new ArrayList<>();
        for (String alpha : measured.values()) {
            evidence.add(tell(measured, "α", alpha) + " VQS-BF over BF-J/S: " + ratio(measured, alpha) + ".");
            vqsLongest.add(measured.isLonger(VQS, BF, alpha, QUEUE));
            vqsLongest.add(measured.isLonger(VQS, VQS_BF, alpha, QUEUE));
            asClaimed.add(Double.parseDouble(alpha) <= ALIKE_UP_TO ? alike(measured, alpha) : longer(measured, alpha));
        }
        evidence.add("Alike: the ratio is between 1/1.25 and 1.25, with its interval from paired replications; clearly"
                + " better: the ratio is above 1.25.");
        Truth longest = Truth.all(vqsLongest);
        return Finding.of(Truth.all(longest, Truth.all(asClaimed)), longest, evidence);
    }

    private static boolean bothHaveMeans(Measured measured, String alpha) {
        return measured.stable(VQS_BF, alpha) != Truth.NO && measured.stable(BF, alpha) != Truth.NO;
    }

    private static String ratio(Measured measured, String alpha) {
        return bothHaveMeans(measured, alpha)
                ? Measured.tell(measured.ratio(VQS_BF, BF, alpha, QUEUE))
                : "no ratio, a queue grows";
    }

    private static Truth alike(Measured measured, String alpha) {
        return bothHaveMeans(measured, alpha)
                ? Truth.all(
                        measured.stable(VQS_BF, alpha),
                        measured.stable(BF, alpha),
                        Truth.within(measured.ratio(VQS_BF, BF, alpha, QUEUE), 1 / ALIKE, ALIKE))
                : Truth.NO;
    }

    /** By more than what counts as alike. */
    private static Truth longer(Measured measured, String alpha) {
        Truth longer = measured.isLonger(VQS_BF, BF, alpha, QUEUE);
        return bothHaveMeans(measured, alpha)
                ? Truth.all(longer, Truth.above(measured.ratio(VQS_BF, BF, alpha, QUEUE), ALIKE))
                : longer;
    }

    /** Holds in part: both orders at more than half of the intensities. */
    private static Finding largeSizes(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> vqs = new ArrayList<>();
        List<Truth> vqsBf = new ArrayList<>();
        for (String alpha : measured.values()) {
            evidence.add(tell(measured, "α", alpha));
            vqs.add(measured.isLonger(VQS, VQS_BF, alpha, QUEUE));
            vqsBf.add(measured.isLonger(VQS_BF, BF, alpha, QUEUE));
        }
        evidence.add("VQS is shown to have a longer queue than VQS-BF at " + count(vqs) + ", VQS-BF than BF-J/S at "
                + count(vqsBf) + " intensities.");
        return Finding.of(
                Truth.all(Truth.all(vqs), Truth.all(vqsBf)), Truth.all(Truth.most(vqs), Truth.most(vqsBf)), evidence);
    }

    private static String count(List<Truth> parts) {
        return parts.stream().filter(Truth.YES::equals).count() + " of " + parts.size();
    }

    /**
     * One trace is one sample. Its means are exact; what they say about other requests like these is judged by paired
     * differences over blocks of time of the same requests, and is open if the stability of a queue is undecided.
     */
    private static Finding trace(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> advantage = new ArrayList<>();
        List<Truth> vqsBfShortest = new ArrayList<>();
        List<Truth> here = new ArrayList<>();
        List<Truth> shortestHere = new ArrayList<>();
        for (String scaling : measured.values()) {
            evidence.add(tell(measured, "scaling", scaling) + " " + measured.tell(FIFO, scaling, QUEUE) + ".");
            if (Double.parseDouble(scaling) >= HIGH_SCALING) {
                for (String better : List.of(BF, VQS_BF)) {
                    for (String other : List.of(FIFO, VQS)) {
                        advantage.add(measured.isLonger(other, better, scaling, QUEUE));
                        here.add(isLongerHere(measured, other, better, scaling));
                    }
                }
                vqsBfShortest.add(measured.isLonger(BF, VQS_BF, scaling, QUEUE));
                shortestHere.add(isLongerHere(measured, BF, VQS_BF, scaling));
            }
        }
        evidence.add("On this trace, where the means are exact, at scalings of 1.4 and more: BF-J/S and VQS-BF have"
                + " shorter queues than FIFO-FF and VQS in " + count(here) + " comparisons, VQS-BF than BF-J/S"
                + " in "
                + count(shortestHere) + ".");
        evidence.add("On other requests like these, by paired differences over blocks of time: shown in "
                + count(advantage) + " and " + count(vqsBfShortest)
                + ". A queue that is undecided is never shown to be shorter.");
        Truth all = Truth.all(advantage);
        Truth shortest = Truth.all(vqsBfShortest);
        return Finding.of(Truth.all(all, shortest), Truth.any(List.of(all, shortest)), evidence);
    }

    /** Compares the mean queues themselves. */
    private static Truth isLongerHere(Measured measured, String policy, String other, String scaling) {
        return Truth.of(
                measured.replications(policy, scaling, QUEUE)[0] > measured.replications(other, scaling, QUEUE)[0]);
    }

    private static String tell(Measured measured, String axis, String value) {
        return axis + " = " + value + ": " + measured.tell(BF, value, QUEUE) + "; "
                + measured.tell(VQS_BF, value, QUEUE) + "; " + measured.tell(VQS, value, QUEUE) + ".";
    }
}
