package dev.stowage.optimize.lp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolver.ResultStatus;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPSolverParameters.DoubleParam;
import com.google.ortools.linearsolver.MPSolverParameters.IncrementalityValues;
import com.google.ortools.linearsolver.MPSolverParameters.IntegerParam;
import com.google.ortools.linearsolver.MPSolverParameters.LpAlgorithmValues;
import com.google.ortools.linearsolver.MPSolverParameters.PresolveValues;
import com.google.ortools.linearsolver.MPSolverParameters.ScalingValues;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is tried when GLOP gives up, as if it did: programs with which it does are large. */
class GlopSolverTest {
    private static final int ATTEMPTS = 5;

    @BeforeAll
    static void available() {
        Assumptions.assumeTrue(LinearSolvers.GLOP.available(), "GLOP has no native code for this platform");
    }

    /** Gives up in the first attempts, whatever they found. */
    private static final class GivingUp extends GlopSolver {
        private final List<MPSolver> solvers = new ArrayList<>();
        private final int times;
        private final ResultStatus status;

        GivingUp(LinearProgram program, int times, ResultStatus status) {
            super(program);
            this.times = times;
            this.status = status;
        }

        @Override
        ResultStatus solve(MPSolver one, MPSolverParameters how) {
            ResultStatus found = super.solve(one, how);
            solvers.add(one);
            return solvers.size() <= times ? status : found;
        }
    }

    /** max 3x + 2y, x + y <= 4, x + 4y <= 10, x <= 3: 11, as in {@link LinearProgramTest}. */
    private static LinearProgram program() {
        LinearProgram program = LinearProgram.maximize();
        program.addRow(Double.NEGATIVE_INFINITY, 4);
        program.addRow(Double.NEGATIVE_INFINITY, 10);
        program.addColumn(3, 0, 3, new int[] {0, 1}, new double[] {1, 1});
        program.addColumn(2, 0, Double.POSITIVE_INFINITY, new int[] {0, 1}, new double[] {1, 4});
        return program;
    }

    @ParameterizedTest
    @EnumSource(
            value = ResultStatus.class,
            names = {"ABNORMAL", "NOT_SOLVED"})
    void eachAttemptIsWithASolverOfItsOwnUntilOneDoes(ResultStatus status) {
        for (int times = 0; times < ATTEMPTS; times++) {
            try (GivingUp solver = new GivingUp(program(), times, status)) {
                LinearSolution solution = solver.solve();
                assertThat(solution.objective()).isCloseTo(11, within(1e-9));
                assertThat(solution.primal()).containsExactly(new double[] {3, 1}, within(1e-9));
                assertThat(solution.dual()).containsExactly(new double[] {2, 0}, within(1e-9));
                assertThat(solver.solvers).hasSize(times + 1).doesNotHaveDuplicates();
            }
        }
        try (GivingUp solver = new GivingUp(program(), ATTEMPTS, status)) {
            assertThatThrownBy(solver::solve)
                    .isInstanceOf(SolverException.class)
                    .hasMessage("GLOP gave up on 2 rows and 2 columns: " + status);
            assertThat(solver.solvers).hasSize(ATTEMPTS);
        }
    }

    @Test
    void whatIsSolvedAgainIsSolvedByTheSameSolver() {
        LinearProgram program = program();
        try (GivingUp solver = new GivingUp(program, 0, ResultStatus.ABNORMAL)) {
            solver.solve();
            // Worth 2 for each unit of the first row, so 1 more makes it worth having: 4 x 3 + 0 = 12.
            program.addColumn(3, 0, Double.POSITIVE_INFINITY, new int[] {0}, new double[] {1});
            assertThat(solver.solve().objective()).isCloseTo(12, within(1e-9));
            assertThat(solver.solvers).hasSize(2);
            assertThat(solver.solvers.get(1)).isSameAs(solver.solvers.get(0));
        }
    }

    /** Warm and tight, GLOP's own, without scaling, tight, the dual simplex. */
    @Test
    void attemptsAreAsDocumented() {
        List<MPSolverParameters> attempts = GlopSolver.attempts();
        MPSolverParameters own = new MPSolverParameters();
        assertThat(attempts).hasSize(ATTEMPTS);
        for (int n = 0; n < ATTEMPTS; n++) {
            MPSolverParameters one = attempts.get(n);
            boolean tight = n != 1;
            for (DoubleParam tolerance : List.of(DoubleParam.PRIMAL_TOLERANCE, DoubleParam.DUAL_TOLERANCE)) {
                assertThat(one.getDoubleParam(tolerance)).isEqualTo(tight ? 1e-9 : own.getDoubleParam(tolerance));
            }
            assertThat(one.getIntegerParam(IntegerParam.PRESOLVE))
                    .isEqualTo(
                            tight
                                    ? PresolveValues.PRESOLVE_OFF.swigValue()
                                    : own.getIntegerParam(IntegerParam.PRESOLVE));
            assertThat(one.getIntegerParam(IntegerParam.SCALING) == ScalingValues.SCALING_OFF.swigValue())
                    .isEqualTo(n == 2);
            assertThat(one.getIntegerParam(IntegerParam.LP_ALGORITHM) == LpAlgorithmValues.DUAL.swigValue())
                    .isEqualTo(n == 4);
        }
        assertThat(attempts.get(0).getIntegerParam(IntegerParam.INCREMENTALITY))
                .isEqualTo(IncrementalityValues.INCREMENTALITY_ON.swigValue());
        attempts.forEach(MPSolverParameters::delete);
        own.delete();
    }
}
