package dev.stowage.policies.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AllocationTest {
    private static final double EXACT = 1e-12;

    /** Figure 2: racks {s1, s2} and {s3} with 30 each, servers of 35, 10 and 30, all efficiencies 1. */
    static PlanningProblem figure2() {
        Limits limits = Limits.over(3)
                .range("rack 0", 30, 0, 2)
                .range("rack 1", 30, 2, 3)
                .capacities(new double[] {35, 10, 30})
                .build();
        double[] one = new double[12];
        Arrays.fill(one, 1);
        double[] power = {1, 1, 1, 1};
        return new PlanningProblem(
                new ParallelJob(new double[] {100, 200, 400, 500}, power, one), limits, Double.POSITIVE_INFINITY);
    }

    @Test
    void figure2ScheduleB() {
        // Rack 0: (100 + 500) / 30 = 20; rack 1: (200 + 400) / 30 = 20; server 0: 600 / 35 is less.
        Plan plan = SlowPlanning.plan(figure2(), new int[] {0, 2, 2, 0}, Allocation.EQUATION_16);
        assertThat(plan.completion()).isEqualTo(20);
        assertThat(plan.amounts()).containsExactly(new double[] {5, 10, 20, 25}, within(EXACT));
        assertThat(plan.energy()).isEqualTo(1200);
        assertThat(new SlowPlanning(figure2()).optimum()).isCloseTo(20, within(EXACT));
    }

    @Test
    void figure2EqualShares() {
        // Two tasks in each rack: 15 each; the longest is 500 / 15.
        Plan plan = SlowPlanning.plan(figure2(), new int[] {0, 2, 2, 0}, Allocation.EQUAL_SHARE);
        assertThat(plan.amounts()).containsExactly(15, 15, 15, 15);
        assertThat(plan.completion()).isCloseTo(500 / 15.0, within(EXACT));
    }

    @Test
    void whatEquation16Leaves() {
        // Rows: servers 0 and 1 together 4, server 0 alone 1. Loads 6 on server 0, 2 on server 1.
        // Equation (16): row times 8 / 4 = 2 and 6 / 1 = 6: c = (6 / 6, 2 / 2) = (1, 1), so the pair's row has 2 to
        // spare.
        // Filling: at pace 1/6 server 0 is full, c_0 = 1; then task 1 alone gets what the pair has left, 3.
        Limits limits =
                Limits.over(2).range("pair", 4, 0, 2).range("first", 1, 0, 1).build();
        ParallelJob job = new ParallelJob(new double[] {6, 2}, new double[] {1, 1}, new double[] {1, 1, 1, 1});
        PlanningProblem problem = new PlanningProblem(job, limits, 100);
        Plan plain = SlowPlanning.plan(problem, new int[] {0, 1}, Allocation.EQUATION_16);
        Plan shared = SlowPlanning.plan(problem, new int[] {0, 1}, Allocation.SHARED_OUT);
        assertThat(plain.amounts()).containsExactly(1, 1);
        assertThat(shared.amounts()).containsExactly(1, 3);
        assertThat(shared.completion()).isEqualTo(plain.completion()).isEqualTo(6);
        assertThat(shared.time(1)).isCloseTo(2 / 3.0, within(EXACT));
    }

    @Test
    void equation16IsOptimal() {
        for (long seed = 0; seed < 200; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed, 6, 5);
            int[] servers = SlowPlanning.randomServers(new KeyedRandom().key(seed, 1, 1), problem);
            Plan plan = SlowPlanning.plan(problem, servers, Allocation.EQUATION_16);
            assertThat(plan.amounts())
                    .as("seed %d", seed)
                    .containsExactly(new SlowPlanning(problem).equation16(servers), within(1e-9));
            assertThat(plan.completion())
                    .as("seed %d", seed)
                    .isCloseTo(1 / largestPace(problem, servers), within(1e-9 * plan.completion()));
        }
    }

    /** OptRA with x = 1 / et: maximise x such that c_i >= L_i x and every row holds; linear in c and x. */
    private static double largestPace(PlanningProblem problem, int[] servers) {
        LinearProgram program = LinearProgram.maximize();
        int tasks = servers.length;
        for (int i = 0; i < tasks; i++) {
            program.addRow(0, Double.POSITIVE_INFINITY);
        }
        for (int k = 0; k < problem.limits().rows(); k++) {
            program.addRow(Double.NEGATIVE_INFINITY, problem.limits().limit(k));
        }
        int[] all = new int[tasks];
        double[] loads = new double[tasks];
        for (int i = 0; i < tasks; i++) {
            all[i] = i;
            loads[i] = -problem.job().equivalentLoad(i, servers[i]);
        }
        program.addColumn(1, 0, Double.POSITIVE_INFINITY, all, loads);
        for (int i = 0; i < tasks; i++) {
            int[] rows = new int[problem.limits().rows() + 1];
            double[] values = new double[rows.length];
            rows[0] = i;
            values[0] = 1;
            for (int k = 1; k < rows.length; k++) {
                rows[k] = tasks + k - 1;
                values[k] = problem.limits().coefficient(servers[i], k - 1);
            }
            program.addColumn(0, 0, Double.POSITIVE_INFINITY, rows, values);
        }
        try (LinearSolver solver = LinearSolvers.OJALGO.open(program)) {
            return solver.solve().objective();
        }
    }

    @Test
    void sharedOutGivesNobodyLessAndLeavesNothing() {
        for (long seed = 0; seed < 300; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed, 8, 6);
            int[] servers = SlowPlanning.randomServers(new KeyedRandom().key(seed, 1, 2), problem);
            Plan plain = SlowPlanning.plan(problem, servers, Allocation.EQUATION_16);
            Plan shared = SlowPlanning.plan(problem, servers, Allocation.SHARED_OUT);
            assertThat(shared.completion()).isEqualTo(plain.completion());
            double longest = 0;
            for (int i = 0; i < servers.length; i++) {
                assertThat(shared.amount(i)).as("seed %d", seed).isGreaterThanOrEqualTo(plain.amount(i) * (1 - EXACT));
                longest = Math.max(longest, shared.time(i));
                assertThat(hasFullRow(problem, shared, i)).as("seed %d", seed).isTrue();
            }
            assertThat(longest).as("seed %d", seed).isCloseTo(plain.completion(), within(EXACT * plain.completion()));
        }
    }

    @Test
    void everyAllocationKeepsTheRows() {
        for (long seed = 0; seed < 300; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed, 8, 6);
            int[] servers = SlowPlanning.randomServers(new KeyedRandom().key(seed, 1, 3), problem);
            for (Allocation allocation : Allocation.values()) {
                Plan plan = SlowPlanning.plan(problem, servers, allocation);
                double longest = 0;
                for (int i = 0; i < servers.length; i++) {
                    longest = Math.max(longest, plan.time(i));
                }
                assertThat(plan.completion()).isCloseTo(longest, within(EXACT * longest));
                for (int k = 0; k < problem.limits().rows(); k++) {
                    assertThat(used(problem, plan, k))
                            .as("seed %d, %s, row %d", seed, allocation, k)
                            .isLessThanOrEqualTo(problem.limits().limit(k) * (1 + 1e-9));
                }
            }
        }
    }

    private static boolean hasFullRow(PlanningProblem problem, Plan plan, int task) {
        for (int k = 0; k < problem.limits().rows(); k++) {
            if (problem.limits().coefficient(plan.server(task), k) > 0
                    && used(problem, plan, k) >= problem.limits().limit(k) * (1 - 1e-9)) {
                return true;
            }
        }
        return false;
    }

    private static double used(PlanningProblem problem, Plan plan, int row) {
        double used = 0;
        for (int i = 0; i < problem.job().tasks(); i++) {
            used += problem.limits().coefficient(plan.server(i), row) * plan.amount(i);
        }
        return used;
    }

    @Test
    void mistakes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limits.over(2).row("rack 3", 5, new double[] {1, -0.5}))
                .withMessage("rack 3: coefficient -0.5 of server 1, must be a number of at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limits.over(2).range("rack 3", -1, 0, 2))
                .withMessage("rack 3: limit -1.0, must be a number of at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limits.over(2).range("rack 3", 1, 0, 1).build())
                .withMessageStartingWith("server 1 must be in a row");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ParallelJob(new double[] {1, -2}, new double[2], new double[] {1, 1}))
                .withMessage("task 1: load -2.0, must be a number above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ParallelJob(new double[] {1, 2}, new double[2], new double[] {1, 1.5}))
                .withMessage("task 1 on server 0: efficiency 1.5, must be from 0 to 1");
        Limits limits =
                Limits.over(3).range("center", 4, 0, 3).range("rack 7", 0, 0, 2).build();
        ParallelJob job = new ParallelJob(new double[] {1}, new double[1], new double[] {1, 1, 0});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlanningProblem(job, limits, 5))
                .withMessage(
                        "task 0 cannot run on any server: its efficiency is 0 on 1 of them, and 2 are in a row that"
                                + " allows nothing (rack 7, limit 0)");
    }
}
