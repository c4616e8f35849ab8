package dev.stowage.bench;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.Policies;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.PlanningProblem;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RunObserver;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Processor time of planning beside its aim, as a Markdown table: median and range over problems of the paper's
 * evaluation, the same in every round, after warm-up rounds for the compiler. For plans it is the time of the planning
 * thread, which does nothing else; for a run that of the process, including garbage collection and compiler.
 *
 * <p>Argument: the experiment of the paper's online evaluation, of which the first policy is run once per round.
 */
public final class PlannerSpeed {
    private static final double MILLIS = 1e6;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private PlannerSpeed() {}

    /** Prints the table. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println("| what | median, ms | range, ms | aim, ms |");
        System.out.println("|---|---|---|---|");
        Planner fast = Planners.tapraFast(Allocation.EQUATION_16);
        Planner tapra = Planners.tapra(Allocation.EQUATION_16, LinearSolvers.best());
        row("TaPRA-fast, 100 tasks, 432 servers", 1, times(problems(100, 12, 20), fast, 20));
        row("TaPRA, 100 tasks, 432 servers", 300, times(problems(100, 12, 20), tapra, 2));
        row("TaPRA-fast, 1,000 tasks, 3,456 servers", 50, times(problems(1000, 24, 3), fast, 10));
        row("TaPRA-fast, 300,000 tasks, 128 servers", 10000, times(problems(300_000, 8, 1), fast, 2));
        row("relaxed program, 1,000 tasks, 1,024 servers", 5000, times(problems(1000, 16, 3), PlannerSpeed::relax, 1));
        row("OnTaPRA, the paper's hour, 54 servers", 1000, runs(Path.of(arguments[0]), 10));
    }

    /** Something to do with a problem. */
    private interface Work {
        void on(PlanningProblem problem);
    }

    private static void relax(PlanningProblem problem) {
        Planners.relax(problem, LinearSolvers.best());
    }

    private static List<PlanningProblem> problems(int tasks, int arity, int count) {
        List<PlanningProblem> problems = new ArrayList<>();
        for (int seed = 1; problems.size() < count; seed++) {
            PlanningProblem problem = PaperProblems.of(tasks, arity).problem(seed);
            if (!problem.isInfeasible()) {
                problems.add(problem);
            }
        }
        return problems;
    }

    private static double[] times(List<PlanningProblem> problems, Planner planner, int rounds) {
        return times(problems, problem -> planner.plan(problem, 1), rounds);
    }

    /** Per problem in the last round. */
    private static double[] times(List<PlanningProblem> problems, Work work, int rounds) {
        double[] millis = new double[problems.size()];
        for (int round = 0; round <= rounds; round++) {
            for (int p = 0; p < millis.length; p++) {
                long start = THREADS.getCurrentThreadCpuTime();
                work.on(problems.get(p));
                millis[p] = (THREADS.getCurrentThreadCpuTime() - start) / MILLIS;
            }
        }
        return millis;
    }

    /** Per replication, after a warm-up one for the compiler. */
    private static double[] runs(Path file, int replications) throws IOException, InterruptedException {
        Policies policies = new Policies();
        Experiment all = ExperimentReader.read(
                        file.toString(), Files.readString(file), Path.of(""), List.of(), policies)
                .points()
                .get(0);
        double[] millis = new double[replications];
        for (int r = -1; r < replications; r++) {
            Experiment one = new Experiment(
                    all.name(),
                    all.hash(),
                    all.point(),
                    all.cluster(),
                    all.workload(),
                    all.origins(),
                    all.policies().subList(0, 1),
                    all.steps(),
                    all.slotNanos(),
                    all.end(),
                    all.warmUp(),
                    ExperimentRunner.seed(all.seed(), Math.max(r, 0)),
                    1,
                    all.confidence(),
                    all.changes(),
                    all.speedOneShare(),
                    false);
            long start = ProcessTime.nanos();
            new ExperimentRunner(
                            policies, "", 1, ProgressListener.NONE, (point, policy, replication) -> RunObserver.NONE)
                    .run(List.of(one), row -> {});
            millis[Math.max(r, 0)] = (ProcessTime.nanos() - start) / MILLIS;
        }
        return millis;
    }

    private static void row(String what, double most, double[] millis) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.3g | %.3g to %.3g | %,.0f |%n",
                what,
                sorted[sorted.length / 2],
                sorted[0],
                sorted[sorted.length - 1],
                most);
    }
}
