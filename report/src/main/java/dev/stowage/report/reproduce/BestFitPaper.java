package dev.stowage.report.reproduce;

import java.util.ArrayList;
import java.util.List;

/** K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters, section VII. */
final class BestFitPaper {
    private static final String FIFO = "fifo-ff";
    private static final String BF = "bf-js";
    private static final String VQS = "vqs";
    private static final String VQS_BF = "vqs-bf";
    private static final String QUEUE = "queue_length_mean";

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
                            "VQS has the longest queue; BF-J/S and VQS-BF are alike up to 0.95, above BF-J/S is better.",
                            BestFitPaper::smallSizes),
                    new PaperFigure(
                            "fig4b",
                            "Queue against traffic intensity, sizes uniform in [0.1, 0.9]",
                            "bestfit-fig4b",
                            QUEUE,
                            "With large sizes VQS has the longest queue, VQS-BF the second longest, BF-J/S the shortest.",
                            BestFitPaper::largeSizes),
                    new PaperFigure(
                            "trace-google",
                            "Queue against traffic scaling, Google's trace of 2011 (figure 5)",
                            "bestfit-trace-google",
                            QUEUE,
                            "At high traffic BF-J/S and VQS-BF have a clear advantage, VQS-BF also over BF-J/S.",
                            BestFitPaper::trace),
                    new PaperFigure(
                            "trace-azure",
                            "Queue against traffic scaling, Azure VM trace of 2017 (for figure 5)",
                            "bestfit-trace-azure",
                            QUEUE,
                            "At high traffic BF-J/S and VQS-BF have a clear advantage, VQS-BF also over BF-J/S.",
                            BestFitPaper::trace),
                    new PaperFigure(
                            "trace-openb",
                            "Queue against traffic scaling, openb pods of 2023 (for figure 5)",
                            "bestfit-trace-openb",
                            QUEUE,
                            "At high traffic BF-J/S and VQS-BF have a clear advantage, VQS-BF also over BF-J/S.",
                            BestFitPaper::trace)));

    private BestFitPaper() {}

    private static Finding stability(Measured measured, List<String> unstable, List<String> stable) {
        List<String> evidence = new ArrayList<>();
        int right = 0;
        for (String policy : unstable) {
            right += measured.unstable(policy, "") ? 1 : 0;
            evidence.add(measured.tell(policy, "", QUEUE) + ".");
        }
        for (String policy : stable) {
            right += measured.stable(policy, "") ? 1 : 0;
            evidence.add(measured.tell(policy, "", QUEUE) + ".");
        }
        return new Finding(
                right == unstable.size() + stable.size()
                        ? Verdict.REPRODUCED
                        : right >= 2 ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static Finding smallSizes(Measured measured) {
        List<String> evidence = new ArrayList<>();
        boolean vqsLongest = true;
        boolean alikeBelow = true;
        boolean apartAbove = false;
        for (String alpha : measured.values()) {
            evidence.add(tell(measured, "α", alpha));
            vqsLongest &= measured.isLarger(VQS, BF, alpha, QUEUE);
            vqsLongest &= isLonger(measured, VQS, VQS_BF, alpha);
            boolean vqsBfLonger = measured.isLarger(VQS_BF, BF, alpha, QUEUE);
            if (Double.parseDouble(alpha) <= 0.95) {
                alikeBelow &= !vqsBfLonger && !measured.isLarger(BF, VQS_BF, alpha, QUEUE);
            } else {
                apartAbove |= vqsBfLonger;
            }
        }
        return new Finding(
                vqsLongest && alikeBelow && apartAbove
                        ? Verdict.REPRODUCED
                        : vqsLongest ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static Finding largeSizes(Measured measured) {
        List<String> evidence = new ArrayList<>();
        int vqsLonger = 0;
        int vqsBfLonger = 0;
        for (String alpha : measured.values()) {
            evidence.add(tell(measured, "α", alpha));
            vqsLonger += isLonger(measured, VQS, VQS_BF, alpha) ? 1 : 0;
            vqsBfLonger += isLonger(measured, VQS_BF, BF, alpha) ? 1 : 0;
        }
        int all = measured.values().size();
        evidence.add("VQS has the longer queue than VQS-BF at " + vqsLonger + " of " + all
                + " intensities, VQS-BF than BF-J/S at " + vqsBfLonger + ".");
        return new Finding(
                vqsLonger == all && vqsBfLonger == all
                        ? Verdict.REPRODUCED
                        : vqsLonger > all / 2 && vqsBfLonger > all / 2
                                ? Verdict.DIRECTION_ONLY
                                : Verdict.NOT_REPRODUCED,
                evidence);
    }

    /** The longer queue, or of two that grow the one that grows faster. */
    private static boolean isLonger(Measured measured, String policy, String other, String value) {
        boolean bothGrow = measured.unstable(policy, value) && measured.unstable(other, value);
        return bothGrow
                ? measured.growth(policy, value) > measured.growth(other, value)
                : measured.isLarger(policy, other, value, QUEUE);
    }

    /** One trace is one sample: its means are compared without intervals. */
    private static Finding trace(Measured measured) {
        List<String> evidence = new ArrayList<>();
        boolean advantage = true;
        boolean vqsBfShortest = true;
        for (String scaling : measured.values()) {
            evidence.add(tell(measured, "scaling", scaling) + " " + measured.tell(FIFO, scaling, QUEUE) + ".");
            if (Double.parseDouble(scaling) >= 1.4) {
                advantage &= mean(measured, BF, scaling) < mean(measured, FIFO, scaling)
                        && mean(measured, BF, scaling) < mean(measured, VQS, scaling);
                vqsBfShortest &= mean(measured, VQS_BF, scaling) < mean(measured, BF, scaling);
            }
        }
        evidence.add(
                "One trace is one sample of a load that changes over the day: the means are compared as they are.");
        return new Finding(
                advantage && vqsBfShortest
                        ? Verdict.REPRODUCED
                        : advantage || vqsBfShortest ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static double mean(Measured measured, String policy, String value) {
        return measured.mean(policy, value, QUEUE);
    }

    private static String tell(Measured measured, String axis, String value) {
        return axis + " = " + value + ": " + measured.tell(BF, value, QUEUE) + "; "
                + measured.tell(VQS_BF, value, QUEUE) + "; " + measured.tell(VQS, value, QUEUE) + ".";
    }
}
