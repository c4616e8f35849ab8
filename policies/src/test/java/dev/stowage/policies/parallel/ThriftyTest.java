package dev.stowage.policies.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Planner {@code thrifty}, and the bound that knows that tasks are not divided. */
class ThriftyTest {
    private static final double ROUNDING = 1e-9;
    private static final Planner THRIFTY = Planners.thrifty(Allocation.EQUATION_16, 50);

    @Test
    void serversAreInOrderOfEnergyThenOfNumber() {
        for (long seed = 0; seed < 200; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed, 4, 40);
            EnergyOrder order = new EnergyOrder(problem);
            for (int i = 0; i < problem.job().tasks(); i++) {
                int task = i;
                int[] expected = IntStream.range(0, problem.limits().servers())
                        .filter(j -> problem.canRun(task, j))
                        .boxed()
                        .sorted(Comparator.comparingDouble(
                                        (Integer j) -> problem.job().energy(task, j))
                                .thenComparing(j -> j))
                        .mapToInt(j -> j)
                        .toArray();
                assertThat(order.of(task)).as("seed %d", seed).containsExactly(expected);
            }
        }
    }

    @Test
    void betweenTheBoundsAndTapraFast() {
        int optimal = 0;
        int improved = 0;
        int tighter = 0;
        for (long seed = 0; seed < 300; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed, 5, 4);
            Plan plan = THRIFTY.plan(problem, seed);
            double optimum = new SlowPlanning(problem).optimum();
            assertThat(problem.withinBudget(plan.energy())).as("seed %d", seed).isTrue();
            assertThat(plan.completion())
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(optimum * (1 - ROUNDING))
                    .isLessThanOrEqualTo(TapraFast.place(problem).completion() * (1 + ROUNDING))
                    .isCloseTo(new SlowPlanning(problem).completion(plan.servers()), within(ROUNDING * optimum));
            assertThat(new TargetTime(problem).leastTogether())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(optimum * (1 + ROUNDING));
            optimal += plan.completion() <= optimum * (1 + ROUNDING) ? 1 : 0;
            improved += plan.completion() < TapraFast.place(problem).completion() * (1 - ROUNDING) ? 1 : 0;

            Relaxation relaxation = Planners.relax(problem, LinearSolvers.OJALGO);
            double bound = Planners.wholeTaskBound(problem, relaxation, plan.completion(), LinearSolvers.OJALGO);
            assertThat(bound)
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(relaxation.bound())
                    .isLessThanOrEqualTo(optimum * (1 + ROUNDING));
            tighter += bound > relaxation.bound() * 1.01 ? 1 : 0;
        }
        assertThat(optimal).isGreaterThan(290);
        assertThat(improved).isGreaterThan(5);
        assertThat(tighter).isGreaterThan(100);
    }

    /** It went on for minutes with tries that could not improve the plan. */
    @Test
    void aPlanAtTheBoundIsNotTriedAgain() {
        int tasks = 4000;
        double[] ones = new double[tasks];
        java.util.Arrays.fill(ones, 1);
        double[] efficiency = new double[2 * tasks];
        java.util.Arrays.fill(efficiency, 1);
        PlanningProblem problem = new PlanningProblem(
                new ParallelJob(ones, ones, efficiency),
                Limits.over(2).capacities(new double[] {1, 3}).build(),
                Double.POSITIVE_INFINITY);
        assertThat(new TargetTime(problem).leastTogether()).isEqualTo(1000);
        KeyedRandom random = Thrifty.random(1);
        assertThat(Thrifty.place(problem, 1, random).completion()).isEqualTo(1000);
        assertThat(random.nextLong())
                .as("the first number")
                .isEqualTo(Thrifty.random(1).nextLong());
    }

    /** Loads 10 and 20 on two servers of 1, each task half as efficient on the other's: energy 30 at least. */
    @Test
    void wholeTasksByHand() {
        Limits limits = Limits.over(2).capacities(new double[] {1, 1}).build();
        ParallelJob job = new ParallelJob(new double[] {10, 20}, new double[] {1, 1}, new double[] {1, 0.5, 0.5, 1});
        PlanningProblem problem = new PlanningProblem(job, limits, Double.POSITIVE_INFINITY);
        assertThat(THRIFTY.plan(problem, 1).completion()).isCloseTo(20, within(ROUNDING));
        Relaxation relaxation = Planners.relax(problem, LinearSolvers.OJALGO);
        // Divided, a part f of the second task takes 40 f beside the first one's 10: 20 (1 - f) = 10 + 40 f.
        assertThat(relaxation.bound()).isCloseTo(100 / 6.0, within(1e-6));
        assertThat(Planners.wholeTaskBound(problem, relaxation, 20, LinearSolvers.OJALGO))
                .isCloseTo(20, within(20 * 2e-4));
    }

    @Test
    void aSeedGivesOnePlanAndTriesNeverMakeItLater() {
        for (long seed = 1; seed <= 3; seed++) {
            PlanningProblem problem = PaperProblems.of(60, 6).problem(seed);
            if (!problem.isInfeasible()) {
                Plan plan = THRIFTY.plan(problem, seed);
                assertThat(THRIFTY.plan(problem, seed).servers()).containsExactly(plan.servers());
                assertThat(plan.completion())
                        .isLessThanOrEqualTo(Planners.thrifty(Allocation.EQUATION_16, 0)
                                .plan(problem, seed)
                                .completion());
            }
        }
        PlanningProblem none = SlowPlanning.random(3, 5, 4);
        PlanningProblem infeasible = new PlanningProblem(none.job(), none.limits(), none.minimumEnergy() * 0.99);
        assertThat(THRIFTY.plan(infeasible, 1).feasible()).isFalse();
    }

    @Test
    void badInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Planners.thrifty(Allocation.EQUATION_16, -1))
                .withMessage("tries -1, must be at least 0");
        assertThatIllegalArgumentException().isThrownBy(() -> Planners.thrifty(Allocation.EQUAL_SHARE, 1));
    }
}
