package dev.stowage.policies.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.optimize.lp.LinearSolvers;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What jobs, limits, problems and planners take, up to the last allowed number, and what they refuse. */
class InputsTest {
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    private static void refused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }

    @Test
    void jobs() {
        // Load 6 and power 2 at efficiency .5: 12 s with one unit, 24 J.
        ParallelJob job = new ParallelJob(new double[] {6, 1}, new double[] {2, 0}, new double[] {.5, 0, 1, 1});
        assertThat(job.tasks()).isEqualTo(2);
        assertThat(job.servers()).isEqualTo(2);
        assertThat(job.load(0)).isEqualTo(6);
        assertThat(job.totalLoad()).isEqualTo(7);
        assertThat(job.efficiency(0, 0)).isEqualTo(.5);
        assertThat(job.efficiency(1, 1)).isEqualTo(1);
        assertThat(job.equivalentLoad(0, 0)).isEqualTo(12);
        assertThat(job.equivalentLoad(0, 1)).isEqualTo(INFINITY);
        assertThat(job.energy(0, 0)).isEqualTo(24);
        double[] one = {1};
        refused(
                () -> new ParallelJob(new double[0], new double[0], new double[0]),
                "0 loads, 0 powers, 0 efficiencies; must be one load and one power per task, and one efficiency per"
                        + " task and server");
        refused(
                () -> new ParallelJob(new double[2], one, new double[4]),
                "2 loads, 1 powers, 4 efficiencies; must be one load and one power per task, and one efficiency per"
                        + " task and server");
        refused(
                () -> new ParallelJob(new double[2], new double[2], new double[3]),
                "2 loads, 2 powers, 3 efficiencies; must be one load and one power per task, and one efficiency per"
                        + " task and server");
        for (double load : new double[] {0, Double.NaN, INFINITY}) {
            refused(
                    () -> new ParallelJob(new double[] {load}, one, one),
                    "task 0: load " + load + ", must be a number above 0");
        }
        for (double power : new double[] {-1, Double.NaN, INFINITY}) {
            refused(
                    () -> new ParallelJob(one, new double[] {power}, one),
                    "task 0: power " + power + ", must be a number of at least 0");
        }
        refused(
                () -> new ParallelJob(new double[] {1, 1}, new double[2], new double[] {1, 1, 1, 1, 1, -.1}),
                "task 1 on server 2: efficiency -0.1, must be from 0 to 1");
    }

    @Test
    void limits() {
        Limits limits = Limits.over(3)
                .row("store", 5, new double[] {0, 2, 0})
                .range("rack", 0, 1, 3)
                .range("center", 9, 0, 3)
                .build();
        assertThat(limits.servers()).isEqualTo(3);
        assertThat(limits.rows()).isEqualTo(3);
        assertThat(limits.name(1)).isEqualTo("rack");
        assertThat(limits.limit(0)).isEqualTo(5);
        assertThat(limits.coefficient(1, 0)).isEqualTo(2);
        assertThat(limits.coefficient(0, 0)).isZero();
        assertThat(limits.isOpen(0)).isTrue();
        assertThat(limits.isOpen(1)).isFalse();
        assertThat(limits.closedBy(0)).isEqualTo(-1);
        assertThat(limits.closedBy(2)).isEqualTo(1);
        refused(() -> Limits.over(0), "servers 0, must be at least 1");
        Limits.Builder two = Limits.over(2);
        refused(() -> two.row("a", 1, new double[1]), "a: 1 coefficients for 2 servers, must be the same number");
        refused(() -> two.range("a", 1, -1, 1), "a: servers -1 to 0, must be within 0 to 1");
        refused(() -> two.range("a", 1, 1, 1), "a: servers 1 to 0, must be within 0 to 1");
        refused(() -> two.range("a", 1, 1, 3), "a: servers 1 to 2, must be within 0 to 1");
        refused(() -> two.capacities(new double[3]), "3 capacities for 2 servers, must be the same number");
        refused(() -> two.range("a", INFINITY, 0, 2), "a: limit Infinity, must be a number of at least 0");
        refused(() -> two.range("a", Double.NaN, 0, 2), "a: limit NaN, must be a number of at least 0");
        refused(
                () -> Limits.over(1).row("a", 1, new double[] {INFINITY}),
                "a: coefficient Infinity of server 0, must be a number of at least 0");
    }

    /** More rows and entries than there is room for at first: all stay as they were given. */
    @Test
    void manyLimits() {
        int servers = 30;
        double[] capacity = new double[servers];
        Arrays.setAll(capacity, j -> 100 + j);
        Limits.Builder rows = Limits.over(servers).capacities(capacity);
        for (int k = 0; k < 20; k++) {
            double[] coefficients = new double[servers];
            int factor = k + 1;
            Arrays.setAll(coefficients, j -> factor * (j + 1));
            rows.row("row " + k, k, coefficients);
        }
        Limits limits = rows.build();
        assertThat(limits.rows()).isEqualTo(servers + 20);
        for (int j = 0; j < servers; j++) {
            assertThat(limits.limit(j)).isEqualTo(100 + j);
            assertThat(limits.name(j)).isEqualTo("capacity of server " + j);
            assertThat(limits.coefficient(j, j)).isEqualTo(1);
            for (int k = 0; k < 20; k++) {
                assertThat(limits.coefficient(j, servers + k)).isEqualTo((k + 1) * (j + 1));
            }
        }
    }

    /** Server 1 is closed, so task 0 is best on 2, and task 1 on the lower of 0 and 2: 1 / .8 + 2 / .5 = 5.25. */
    @Test
    void problems() {
        ParallelJob job =
                new ParallelJob(new double[] {1, 1}, new double[] {1, 2}, new double[] {.5, 1, .8, .5, 1, .5});
        Limits limits =
                Limits.over(3).range("center", 4, 0, 3).range("closed", 0, 1, 2).build();
        PlanningProblem problem = new PlanningProblem(job, limits, 5.25);
        assertThat(problem.job()).isSameAs(job);
        assertThat(problem.limits()).isSameAs(limits);
        assertThat(problem.energyBudget()).isEqualTo(5.25);
        assertThat(problem.minimumEnergy()).isEqualTo(5.25);
        assertThat(problem.mostEfficientServer(0)).isEqualTo(2);
        assertThat(problem.mostEfficientServer(1)).isZero();
        assertThat(problem.canRun(0, 0)).isTrue();
        assertThat(problem.canRun(0, 1)).isFalse();
        assertThat(problem.isInfeasible()).isFalse();
        assertThat(new PlanningProblem(job, limits, 5.2).isInfeasible()).isTrue();
        // Within a relative 1e-12 is equal.
        assertThat(new PlanningProblem(job, limits, 5.25 * (1 - 5e-13)).isInfeasible())
                .isFalse();
        assertThat(new PlanningProblem(job, limits, 5.25 * (1 - 2e-12)).isInfeasible())
                .isTrue();
        assertThat(new PlanningProblem(job, limits, INFINITY).isInfeasible()).isFalse();
        for (double budget : new double[] {-1, Double.NaN}) {
            refused(() -> new PlanningProblem(job, limits, budget), "energy budget " + budget + ", must be at least 0");
        }
        Limits two = Limits.over(2).range("center", 4, 0, 2).build();
        refused(
                () -> new PlanningProblem(job, two, 1),
                "efficiencies for 3 servers and limits over 2, must be the same number");
    }

    @Test
    void trees() {
        refused(() -> new FatTree(0), "arity 0 of a fat tree, must be even and from 2 to 256");
        refused(() -> new FatTree(258), "arity 258 of a fat tree, must be even and from 2 to 256");
        assertThat(new FatTree(256).servers()).isEqualTo(256 * 256 * 256 / 4);
        refused(
                () -> new FatTree(2).limits(new double[3], FatTree.Fractions.PAPER, false),
                "3 capacities for 2 servers, must be the same number");
        assertThat(new FatTree.Fractions(1, 1, 1).pod()).isEqualTo(1);
        refused(() -> new FatTree.Fractions(0, 1, 1), "fraction 0.0 of the center, must be above 0 and at most 1");
        refused(() -> new FatTree.Fractions(1, 1.5, 1), "fraction 1.5 of the pod, must be above 0 and at most 1");
        refused(
                () -> new FatTree.Fractions(1, 1, Double.NaN),
                "fraction NaN of the rack, must be above 0 and at most 1");
        // Capacities 1, 2, ... 16 in racks of two and pods of four; half of each.
        double[] capacity = new double[16];
        Arrays.setAll(capacity, j -> j + 1);
        Limits limits = new FatTree(4).limits(capacity, new FatTree.Fractions(1, .5, .5), true);
        assertThat(limits.name(0)).isEqualTo("center");
        assertThat(limits.limit(0)).isEqualTo(136);
        assertThat(limits.name(2)).isEqualTo("pod 1");
        assertThat(limits.limit(2)).isEqualTo((5 + 6 + 7 + 8) / 2.0);
        assertThat(limits.coefficient(4, 2)).isEqualTo(1);
        assertThat(limits.coefficient(3, 2)).isZero();
        assertThat(limits.name(12)).isEqualTo("rack 7");
        assertThat(limits.limit(12)).isEqualTo((15 + 16) / 2.0);
        assertThat(limits.limit(13 + 15)).isEqualTo(16);
    }

    @Test
    void planners() {
        assertThat(new Planners.Genetic(2, 0, 0, 0).population()).isEqualTo(2);
        assertThat(new Planners.Genetic(2, 0, 1, 0).crossover()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new Planners.Genetic(1, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Planners.Genetic(2, -1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Planners.Genetic(2, 0, 1.1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Planners.Genetic(2, 0, -.1, 0));
        refused(
                () -> new Planners.Genetic(2, 0, 0, -1),
                "population 2 must be at least 2, generations 0 at least 0, crossover 0.0 from 0 to 1, mutations -1.0"
                        + " at least 0");
        assertThat(new Planners.Annealing(0, .1, 1).cooling()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new Planners.Annealing(-1, .1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Planners.Annealing(1, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Planners.Annealing(1, .1, 1.01));
        refused(
                () -> new Planners.Annealing(1, .1, 0),
                "steps 1 must be at least 0, start 0.1 above 0, cooling 0.0 above 0 and at most 1");
        assertThat(Planners.pricedSearch(Allocation.SHARED_OUT, LinearSolvers.OJALGO, 0))
                .isNotNull();
        refused(
                () -> Planners.pricedSearch(Allocation.SHARED_OUT, LinearSolvers.OJALGO, -1),
                "tries -1, must be at least 0");
        refused(
                () -> Planners.thriftySearch(Allocation.SHARED_OUT, LinearSolvers.OJALGO, -1),
                "tries -1, must be at least 0");
        refused(
                () -> Planners.tapraFast(Allocation.EQUAL_SHARE),
                "TaPRA divides by equation (16); EQUAL_SHARE is for the planners it is compared with");
        ParallelJob job = new ParallelJob(new double[] {1}, new double[] {2}, new double[] {.5});
        Limits limits = Limits.over(1).range("center", 1, 0, 1).build();
        refused(
                () -> Planners.relax(new PlanningProblem(job, limits, 3), LinearSolvers.OJALGO),
                "energy budget 3.0, must be at least 4.0, the least energy of any placement");
        refused(() -> PaperProblems.of(0, 4), "tasks 0, must be from 1 to 2097152");
    }
}
