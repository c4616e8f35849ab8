package dev.stowage.policies.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.optimize.lp.SolverException;
import dev.stowage.policies.parallel.Relaxation.PriceSource;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a relaxation is where solvers give up: certified all the same, and it says so. */
class FallbackTest {
    /** ojAlgo, until it gives up after so many rounds. */
    private static Function<LinearProgram, LinearSolver> givesUpAfter(int rounds) {
        return program -> new LinearSolver() {
            private final LinearSolver solver = LinearSolvers.OJALGO.open(program);
            private int left = rounds;

            @Override
            public LinearSolution solve() {
                if (left-- == 0) {
                    throw new SolverException("gave up after " + rounds);
                }
                return solver.solve();
            }

            @Override
            public void close() {
                solver.close();
            }
        };
    }

    /** Adds up the bound from the prices alone. */
    private static double certified(Relaxation relaxation, PlanningProblem problem) {
        Limits limits = problem.limits();
        double sum = Double.isInfinite(problem.energyBudget()) ? 0 : -relaxation.energyPrice() * problem.energyBudget();
        for (int i = 0; i < problem.job().tasks(); i++) {
            double least = Double.POSITIVE_INFINITY;
            for (int j = 0; j < limits.servers(); j++) {
                if (!problem.canRun(i, j)) {
                    continue;
                }
                double price = relaxation.energyPrice() * problem.job().power[i];
                for (int k = 0; k < limits.rows(); k++) {
                    price += limits.coefficient(j, k) * relaxation.rowPrice(k) / limits.limit(k);
                }
                least = Math.min(least, problem.job().equivalentLoad(i, j) * price);
            }
            sum += least;
        }
        return sum;
    }

    @Test
    void anotherSolverGoesOn() {
        for (long seed = 0; seed < 60; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed, 8, 6);
            Relaxation one = Planners.relax(problem, LinearSolvers.OJALGO);
            assertThat(one.source()).isEqualTo(PriceSource.SOLVER);
            assertThat(one.givenUp()).isEmpty();
            for (int rounds = 0; rounds < 2; rounds++) {
                Relaxation other = RelaxedProgram.solve(
                        problem, List.of(givesUpAfter(rounds), program -> LinearSolvers.OJALGO.open(program)));
                assertThat(other.bound()).isCloseTo(one.bound(), within(1e-9 * one.bound()));
                if (other.source() == PriceSource.OJALGO) {
                    assertThat(other.givenUp()).isEqualTo("gave up after " + rounds);
                } else {
                    assertThat(rounds).as("one round was enough").isEqualTo(1);
                }
            }
        }
    }

    @Test
    void theBestRoundCounts() {
        int unfinished = 0;
        int better = 0;
        for (long seed = 0; seed < 200; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed / 2, 12, 8);
            double optimum = Planners.relax(problem, LinearSolvers.OJALGO).time();
            double closedForm = Prices.closedForm(problem).bound();
            Relaxation relaxation = RelaxedProgram.solve(problem, List.of(givesUpAfter(1 + (int) seed % 2)));
            assertThat(relaxation.bound())
                    .as("seed %d", seed)
                    .isCloseTo(certified(relaxation, problem), within(1e-12 * optimum))
                    .isBetween(closedForm, optimum * (1 + 1e-9));
            assertThat(relaxation.time()).isGreaterThanOrEqualTo(optimum * (1 - 1e-9));
            unfinished += relaxation.source() == PriceSource.LAST_ROUND ? 1 : 0;
            better += relaxation.bound() > closedForm * (1 + 1e-9) ? 1 : 0;
            Placement placement = Tapra.place(problem, relaxation);
            assertThat(problem.withinBudget(placement.energy())).isTrue();
        }
        assertThat(unfinished).isGreaterThan(60);
        assertThat(better).isGreaterThan(60);
    }

    @Test
    void withoutASolverThereIsAClosedForm() {
        for (long seed = 0; seed < 100; seed++) {
            PlanningProblem problem = SlowPlanning.random(seed, 5, 4);
            Relaxation relaxation = RelaxedProgram.solve(problem, List.of(givesUpAfter(0), givesUpAfter(0)));
            assertThat(relaxation.source()).isEqualTo(PriceSource.CLOSED_FORM);
            assertThat(relaxation.givenUp()).isEqualTo("gave up after 0; gave up after 0");
            assertThat(relaxation.bound())
                    .as("seed %d", seed)
                    .isPositive()
                    .isCloseTo(certified(relaxation, problem), within(1e-12 * relaxation.bound()))
                    .isLessThanOrEqualTo(new SlowPlanning(problem).optimum() * (1 + 1e-9));
            // Each task is in one part, where TaPRA-fast puts it: then there is nothing left to move.
            assertThat(Tapra.place(problem, relaxation).servers())
                    .containsExactly(TapraFast.place(problem).servers());
            assertThat(relaxation.time()).isEqualTo(TapraFast.place(problem).completion());
        }
    }

    @Test
    void whatIsTooLargeForALinearProgramHasAClosedForm() {
        PlanningProblem problem = PaperProblems.of(20_000, 4).problem(1);
        PlanningProblem free = new PlanningProblem(problem.job(), problem.limits(), Double.POSITIVE_INFINITY);
        Plan plan = Planners.tapra(Allocation.EQUATION_16, LinearSolvers.best()).plan(free, 1);
        assertThat(plan.relaxation()).hasValueSatisfying(relaxation -> {
            assertThat(relaxation.source()).isEqualTo(PriceSource.CLOSED_FORM);
            assertThat(relaxation.givenUp()).contains("tasks and servers make 20016 rows");
            assertThat(relaxation.bound()).isLessThanOrEqualTo(plan.completion());
        });
        assertThat(plan.servers())
                .containsExactly(
                        Planners.tapraFast(Allocation.EQUATION_16).plan(free, 1).servers());
    }

    /**
     * Loads 10 and 20 on servers of capacity 1, center 2: (10 + 20) / 2 by each family of rows, and by all together.
     */
    @Test
    void closedFormByHand() {
        Limits limits = Limits.over(2)
                .range("center", 2, 0, 2)
                .capacities(new double[] {1, 1})
                .build();
        ParallelJob job = new ParallelJob(new double[] {10, 20}, new double[] {1, 1}, new double[] {1, 0.5, 0.5, 1});
        Prices prices = Prices.closedForm(new PlanningProblem(job, limits, 1000));
        assertThat(prices.bound()).isCloseTo(15, within(1e-12));
        // A center of 1 is tighter than the servers: (10 + 20) / 1, the price is all on it.
        Limits tight = Limits.over(2)
                .range("center", 1, 0, 2)
                .capacities(new double[] {1, 1})
                .build();
        prices = Prices.closedForm(new PlanningProblem(job, tight, 1000));
        assertThat(prices.bound()).isCloseTo(30, within(1e-12));
        assertThat(prices.ofRow()).containsExactly(1, 0, 0);
    }

    @Test
    void aPlannerHandsOverTheRelaxationThatItSolved() {
        PlanningProblem problem = PaperProblems.of(30, 6).problem(1);
        Relaxation relaxation = Planners.relax(problem, LinearSolvers.OJALGO);
        for (Planner planner : List.of(
                Planners.tapra(Allocation.EQUATION_16, LinearSolvers.OJALGO),
                Planners.pricedSearch(Allocation.EQUATION_16, LinearSolvers.OJALGO, 3))) {
            assertThat(planner.plan(problem, 1).relaxation())
                    .hasValueSatisfying(one -> assertThat(one.bound()).isEqualTo(relaxation.bound()));
        }
        assertThat(Planners.tapraFast(Allocation.EQUATION_16).plan(problem, 1).relaxation())
                .isEmpty();
    }

    /** A budget of 0 is kept where no task takes energy. */
    @Test
    void withoutEnergyNoBudgetIsNeeded() {
        Limits limits = Limits.over(1).capacities(new double[] {2}).build();
        ParallelJob job = new ParallelJob(new double[] {10, 20}, new double[] {0, 0}, new double[] {1, 1});
        for (LinearSolvers solver : LinearSolvers.values()) {
            if (solver.available()) {
                assertThat(Planners.relax(new PlanningProblem(job, limits, 0), solver)
                                .bound())
                        .isCloseTo(15, within(1e-9));
            }
        }
    }
}
