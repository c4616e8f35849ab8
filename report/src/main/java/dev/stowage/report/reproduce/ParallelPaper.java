package dev.stowage.report.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * L. Shi, Z. Zhang, T. Robertazzi: Energy-Aware Scheduling of Embarrassingly Parallel Jobs and Resource Allocation in Cloud. Its
 * figures 4 and 5 plan single jobs without a simulation: {@code bench/run-planners}.
 */
final class ParallelPaper {
    private static final String COMPLETION = "job_completion_mean_s";
    private static final List<String> ORDERS = List.of("SJF", "SLF", "FCFS", "LLF");

    static final Paper PAPER = new Paper(
            "parallel",
            "L. Shi, Z. Zhang, T. Robertazzi: Energy-Aware Scheduling of Embarrassingly Parallel Jobs and Resource"
                    + " Allocation in Cloud, IEEE TPDS 2017",
            List.of(
                    new PaperFigure(
                            "fig6a",
                            "Mean completion time of jobs by order of the queue",
                            "parallel-fig6",
                            PaperFigure.NO_PICTURE,
                            "OnTaPRA (shortest job first) completes jobs sooner than SLF, FCFS and LLF, by 60 % and more.",
                            ParallelPaper::orders),
                    new PaperFigure(
                            "fig6-drc",
                            "Mean completion time with and without the distribution of residual capacity",
                            "parallel-fig6",
                            PaperFigure.NO_PICTURE,
                            "Distributing residual capacity shortens the completion times.",
                            ParallelPaper::residualCapacity)));

    private ParallelPaper() {}

    private static Finding orders(Measured measured) {
        List<String> evidence = new ArrayList<>();
        double first = measured.estimate("SJF", "", COMPLETION).mean();
        int sooner = 0;
        int much = 0;
        for (String order : ORDERS) {
            double mean = measured.estimate(order, "", COMPLETION).mean();
            evidence.add(String.format(
                    Locale.ROOT,
                    "%s: %s s, %+.0f %% against SJF.",
                    order,
                    Measured.number(mean),
                    100 * (mean / first - 1)));
            sooner += mean > first ? 1 : 0;
            much += mean >= 1.6 * first ? 1 : 0;
        }
        int others = ORDERS.size() - 1;
        return new Finding(
                much == others
                        ? Verdict.REPRODUCED
                        : sooner == others ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static Finding residualCapacity(Measured measured) {
        List<String> evidence = new ArrayList<>();
        int shorter = 0;
        for (String order : ORDERS) {
            double with = measured.estimate(order, "", COMPLETION).mean();
            double without = measured.estimate(order + " NDRC", "", COMPLETION).mean();
            evidence.add(String.format(
                    Locale.ROOT,
                    "%s: %s s with it, %s s without.",
                    order,
                    Measured.number(with),
                    Measured.number(without)));
            shorter += with < without ? 1 : 0;
        }
        return new Finding(
                shorter == ORDERS.size()
                        ? Verdict.REPRODUCED
                        : shorter > 0 ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }
}
