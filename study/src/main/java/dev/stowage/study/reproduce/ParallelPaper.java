package dev.stowage.study.reproduce;

import java.util.List;
import java.util.Map;

/**
 * L. Shi, Z. Zhang, T. Robertazzi: Energy-Aware Scheduling of Embarrassingly Parallel Jobs and Resource Allocation in
 * Cloud. Its figures 4 and 5 plan single jobs, without a simulation.
 */
final class ParallelPaper {
    private static final String TASKS = "parallel-tasks";
    private static final String SERVERS = "parallel-servers";
    private static final String ONLINE = "parallel-fig6";

    static final Paper PAPER = new Paper(
            "parallel",
            "L. Shi, Z. Zhang, T. Robertazzi: Energy-Aware Scheduling of Embarrassingly Parallel Jobs and Resource"
                    + " Allocation in Cloud, IEEE TPDS 2017",
            List.of(
                    new PaperFigure(
                            "fig4a",
                            "Completion time of one job by number of tasks, 128 servers",
                            TASKS,
                            "job_completion_mean_s",
                            "TaPRA is smallest: at 200 tasks Min-Min is 100 % larger, MM-GA 50 %, GSA 30 % (over all"
                                    + " figures 40 % to 430 %); TaPRA-fast is almost the same.",
                            PlanJudges.completion(Map.of("Min-Min", 1.0, "MM-GA", 0.5, "GSA", 0.3), "200")),
                    new PaperFigure(
                            "fig4b",
                            "Amount of the resource held, by number of tasks, 128 servers",
                            TASKS,
                            "amount_held",
                            "With few tasks TaPRA and TaPRA-fast hold the most; with many, all hold similar amounts.",
                            PlanJudges.amounts(Map.of(), "40", "200")),
                    new PaperFigure(
                            "fig4c",
                            "Time to plan, by number of tasks, 128 servers",
                            TASKS,
                            "planning_cpu_s",
                            "At 100 tasks GSA takes 30 times as long as TaPRA and TaPRA-fast, Min-Min and MM-GA more"
                                    + " than 200 times.",
                            PlanJudges.times(Map.of("Min-Min", 200.0, "MM-GA", 200.0, "GSA", 30.0), "100")),
                    new PaperFigure(
                            "fig5a",
                            "Completion time of one job of 100 tasks by number of servers",
                            SERVERS,
                            "job_completion_mean_s",
                            "GSA is 80 % larger than TaPRA, MM-GA 260 %, Min-Min 430 % (over all figures 40"
                                    + " % to 430 %);"
                                    + " TaPRA-fast is similar.",
                            PlanJudges.completion(Map.of("Min-Min", 4.3, "MM-GA", 2.6, "GSA", 0.8), "432")),
                    new PaperFigure(
                            "fig5b",
                            "Amount of the resource held, by number of servers, 100 tasks",
                            SERVERS,
                            "amount_held",
                            "At 432 servers TaPRA and TaPRA-fast hold 15 % more than GSA, and 40 % more than Min-Min"
                                    + " and MM-GA; at 54 all"
                                    + " hold similar amounts.",
                            PlanJudges.amounts(Map.of("Min-Min", 0.4, "MM-GA", 0.4, "GSA", 0.15), "432", "54")),
                    new PaperFigure(
                            "fig5c",
                            "Time to plan, by number of servers, 100 tasks",
                            SERVERS,
                            "planning_cpu_s",
                            "At 432 servers TaPRA takes 33 s and TaPRA-fast 15; GSA 1000, Min-Min 4700, MM-GA 4800: 30"
                                    + " and 142 times"
                                    + " as long as TaPRA.",
                            PlanJudges.times(Map.of("Min-Min", 142.0, "MM-GA", 145.0, "GSA", 30.0), "432")),
                    new PaperFigure(
                            "fig6a",
                            "Mean completion time of jobs as they arrive, by order and planner",
                            ONLINE,
                            PaperFigure.COMPLETION_BY_ORDER,
                            "OnTaPRA (shortest job first) completes jobs sooner than all others, which take 60 % to"
                                    + " 280 % longer.",
                            OnlineJudges::orders),
                    new PaperFigure(
                            "fig6-drc",
                            "Mean completion time with and without the distribution of residual capacity",
                            ONLINE,
                            PaperFigure.NO_PICTURE,
                            "Without the distribution of residual capacity OnTaPRA, SLF, FCFS and LLF take 70 %, 15 %,"
                                    + " 110 % and 120 %"
                                    + " more.",
                            OnlineJudges::residualCapacity),
                    new PaperFigure(
                            "fig6b",
                            "Processor time of schedulers in a run, by order and planner",
                            ONLINE,
                            PaperFigure.SCHEDULER_TIME,
                            "TaPRA and TaPRA-fast take much less time than MM-GA and GSA, and OnTaPRA more than the"
                                    + " other orders.",
                            OnlineJudges::times),
                    new PaperFigure(
                            "fig6-fast",
                            "TaPRA-fast against TaPRA in all orders",
                            ONLINE,
                            PaperFigure.NO_PICTURE,
                            "TaPRA-fast is about 5 % worse than TaPRA and 10 times faster.",
                            OnlineJudges::fast)));

    private ParallelPaper() {}
}
