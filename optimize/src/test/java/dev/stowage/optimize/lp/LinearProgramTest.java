package dev.stowage.optimize.lp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LinearProgramTest {
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    /**
     * max 3x + 2y, x + y <= 4, x + 4y <= 10, x <= 3: at x = 3, y = 1 rows 4 and 7; the first row is worth 2 (a unit
     * more is a unit of y), the second is slack; 3 - 2 = 1 is what the bound of x is worth: 4 * 2 + 3 * 1 = 11.
     */
    @ParameterizedTest
    @EnumSource
    void maximizes(LinearSolvers solvers) {
        LinearProgram program = LinearProgram.maximize();
        program.addRow(-INFINITY, 4);
        program.addRow(-INFINITY, 10);
        column(program, 3, 0, 3, 1, 1);
        column(program, 2, 0, INFINITY, 1, 4);
        LinearSolution solution = solve(solvers, program);
        assertThat(solution.objective()).isCloseTo(11, within(1e-9));
        assertThat(solution.primal()).containsExactly(new double[] {3, 1}, within(1e-9));
        assertThat(solution.dual()).containsExactly(new double[] {2, 0}, within(1e-9));
    }

    /**
     * min 2x + 3y, x + y >= 2, x - y = 1, and x + 2y <= 9 slack: x = 1.5, y = 0.5, 4.5. Prices: p + q = 2 and p - q =
     * 3, so p = 2.5, q = -0.5; 2 * 2.5 - 1 * 0.5 = 4.5.
     */
    @ParameterizedTest
    @EnumSource
    void minimizes(LinearSolvers solvers) {
        LinearProgram program = LinearProgram.minimize();
        program.addRow(2, INFINITY);
        program.addRow(1, 1);
        program.addRow(-5, 9);
        column(program, 2, 0, INFINITY, 1, 1, 1);
        column(program, 3, -INFINITY, INFINITY, 1, -1, 2);
        LinearSolution solution = solve(solvers, program);
        assertThat(solution.objective()).isCloseTo(4.5, within(1e-9));
        assertThat(solution.dual()).containsExactly(new double[] {2.5, -0.5, 0}, within(1e-9));
    }

    /**
     * A price has the sign of the change whichever side of a row binds: max x with x - y >= ... is set by y <= 5 - x.
     */
    @ParameterizedTest
    @EnumSource
    void pricesOfLowerBoundsInProgramsThatMaximize(LinearSolvers solvers) {
        LinearProgram program = LinearProgram.maximize();
        program.addRow(-7, INFINITY);
        column(program, 2, 0, INFINITY, -1);
        LinearSolution solution = solve(solvers, program);
        // -x >= -7: x = 7, objective 14; with -6 it would be 12.
        assertThat(solution.objective()).isCloseTo(14, within(1e-9));
        assertThat(solution.dual()).containsExactly(new double[] {-2}, within(1e-9));
    }

    @ParameterizedTest
    @EnumSource
    void infeasibleAndUnbounded(LinearSolvers solvers) {
        LinearProgram infeasible = LinearProgram.maximize();
        infeasible.addRow(3, INFINITY);
        column(infeasible, 1, 0, 1, 1);
        column(infeasible, 1, 0, 1, 1);
        assertThat(solve(solvers, infeasible).status()).isEqualTo(LinearSolution.Status.INFEASIBLE);
        LinearProgram unbounded = LinearProgram.maximize();
        unbounded.addRow(-INFINITY, 3);
        column(unbounded, 1, 0, INFINITY, 1);
        column(unbounded, 1, 0, INFINITY, -1);
        assertThat(solve(solvers, unbounded).status()).isEqualTo(LinearSolution.Status.UNBOUNDED);
    }

    /**
     * Cutting stock by hand: 10 = 2 * 5 or 2 * 2 + 2 * 3; with the second cut known one piece of stock is worth more.
     */
    @ParameterizedTest
    @EnumSource
    void columnsMayComeLater(LinearSolvers solvers) {
        available(solvers);
        LinearProgram program = LinearProgram.minimize();
        program.addRow(10, INFINITY);
        program.addRow(6, INFINITY);
        column(program, 1, 0, INFINITY, 5, 0);
        column(program, 1, 0, INFINITY, 0, 3);
        try (LinearSolver solver = solvers.open(program)) {
            // 10 / 5 + 6 / 3
            assertThat(certified(program, solver.solve()).objective()).isCloseTo(4, within(1e-9));
            column(program, 1, 0, INFINITY, 2, 2);
            // 3 of the mixed cut give 6 and 6; the other 4 take 0.8.
            assertThat(certified(program, solver.solve()).objective()).isCloseTo(3.8, within(1e-9));
        }
    }

    /** Both solvers find the same optimum on random programs, and each is certified. */
    @Test
    void theSolversAgree() {
        available(LinearSolvers.GLOP);
        KeyedRandom random = new KeyedRandom();
        int optimal = 0;
        for (int seed = 0; seed < 300; seed++) {
            random.key(seed, 2, 0);
            LinearProgram program = random(random);
            LinearSolution glop = solve(LinearSolvers.GLOP, program);
            LinearSolution ojAlgo = solve(LinearSolvers.OJALGO, program);
            assertThat(ojAlgo.status()).as("seed %d", seed).isEqualTo(glop.status());
            if (glop.optimal()) {
                optimal++;
                assertThat(ojAlgo.objective()).as("seed %d", seed).isCloseTo(glop.objective(), within(1e-6));
            }
        }
        assertThat(optimal).isBetween(50, 250);
    }

    private static LinearProgram random(KeyedRandom random) {
        LinearProgram program = random.nextInt(2) == 0 ? LinearProgram.maximize() : LinearProgram.minimize();
        int rows = 1 + random.nextInt(6);
        for (int i = 0; i < rows; i++) {
            double lower = random.nextInt(10) - 5;
            int kind = random.nextInt(4);
            program.addRow(kind == 0 ? -INFINITY : lower, kind == 1 ? INFINITY : lower + kind * random.nextInt(8));
        }
        int columns = 1 + random.nextInt(8);
        for (int j = 0; j < columns; j++) {
            double[] values = new double[rows];
            for (int i = 0; i < rows; i++) {
                values[i] = random.nextInt(3) == 0 ? random.nextInt(11) - 5 : 0;
            }
            double lower = random.nextInt(8) == 0 ? -INFINITY : -random.nextInt(3);
            double upper = random.nextInt(3) > 0 ? INFINITY : random.nextInt(6);
            column(program, random.nextInt(13) - 6, lower, upper, values);
        }
        return program;
    }

    /** A solution that is wrong in any one way is refused: the check does not lean on the solver. */
    @Test
    void theCertificateFindsWhatIsWrong() {
        LinearProgram program = LinearProgram.maximize();
        program.addRow(-INFINITY, 4);
        column(program, 3, 0, INFINITY, 1);
        assertThat(certificate(program, 4, 3).holds(1e-12)).isTrue();
        assertThat(certificate(program, 4.1, 3).primalResidual()).isCloseTo(0.025, within(1e-12));
        assertThat(certificate(program, -0.5, 3).primalResidual()).isEqualTo(0.5);
        // A price of 2 leaves a reduced cost of 1 on a column without upper bound.
        assertThat(certificate(program, 4, 2).dualResidual()).isEqualTo(1);
        // A price of the wrong sign counts as none.
        assertThat(certificate(program, 4, -3).dualResidual()).isEqualTo(3);
        // Feasible on both sides but neither optimal: 3 * 3 = 9 against 4 * 3 = 12 and 4 * 4 = 16.
        assertThat(certificate(program, 3, 3)).isEqualTo(new Certificate(0, 0, 9, 12));
        assertThat(certificate(program, 4, 4)).isEqualTo(new Certificate(0, 0, 12, 16));
        assertThat(certificate(program, Double.NaN, 3).holds(1)).isFalse();
    }

    /** A residual, or a gap, of exactly the tolerance is within it. */
    @Test
    void theToleranceItselfIsAllowed() {
        assertThat(new Certificate(0.5, 0, 1, 1).holds(0.5)).isTrue();
        assertThat(new Certificate(0.6, 0, 1, 1).holds(0.5)).isFalse();
        assertThat(new Certificate(0, 0.5, 1, 1).holds(0.5)).isTrue();
        assertThat(new Certificate(0, 0.6, 1, 1).holds(0.5)).isFalse();
        assertThat(new Certificate(0, 0, 2, 3).gap()).isEqualTo(0.5);
        assertThat(new Certificate(0, 0, 2, 3).holds(0.5)).isTrue();
        assertThat(new Certificate(0, 0, 2, 3.5).holds(0.5)).isFalse();
        // Below 1 the gap is absolute.
        assertThat(new Certificate(0, 0, 0, 0.25).gap()).isEqualTo(0.25);
    }

    /** OR-Tools has native code for these. */
    @Test
    void theFastestIsTakenWhereItWorks() {
        assertThat(LinearSolvers.OJALGO.available()).isTrue();
        String arch = System.getProperty("os.arch");
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux") && (arch.equals("amd64") || arch.equals("aarch64")));
        assertThat(LinearSolvers.GLOP.available()).isTrue();
        assertThat(LinearSolvers.best()).isEqualTo(LinearSolvers.GLOP);
    }

    /** More columns and entries than there is room for at first: all stay as they were given. */
    @Test
    void grows() {
        LinearProgram program = LinearProgram.maximize();
        int[] rows = new int[20];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = program.addRow(-i, i);
        }
        for (int j = 0; j < 40; j++) {
            double[] values = new double[j % 3 == 0 ? 20 : 5];
            for (int e = 0; e < values.length; e++) {
                values[e] = 100 * j + e;
            }
            assertThat(program.addColumn(j, -j, 2 * j, Arrays.copyOf(rows, values.length), values))
                    .isEqualTo(j);
        }
        assertThat(program.rowLower(19)).isEqualTo(-19);
        assertThat(program.rowUpper(19)).isEqualTo(19);
        for (int j = 0; j < 40; j++) {
            assertThat(program.cost(j)).isEqualTo(j);
            assertThat(program.columnLower(j)).isEqualTo(-j);
            assertThat(program.columnUpper(j)).isEqualTo(2 * j);
            assertThat(program.entries(j)).isEqualTo(j % 3 == 0 ? 20 : 5);
            for (int e = 0; e < program.entries(j); e++) {
                assertThat(program.entryRow(j, e)).isEqualTo(e);
                assertThat(program.entryValue(j, e)).isEqualTo(100 * j + e);
            }
        }
    }

    private static Certificate certificate(LinearProgram program, double primal, double dual) {
        return Certificate.of(
                program,
                new LinearSolution(LinearSolution.Status.OPTIMAL, 12, new double[] {primal}, new double[] {dual}));
    }

    @Test
    void badInput() {
        LinearProgram program = LinearProgram.minimize();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> program.addRow(2, 1))
                .withMessageContaining("2.0 to 1.0");
        assertThatIllegalArgumentException().isThrownBy(() -> program.addRow(Double.NaN, 1));
        program.addRow(0, 1);
        int[] none = {};
        double[] nothing = {};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> program.addColumn(Double.NaN, 0, 1, none, nothing))
                .withMessage("column 0: objective NaN, must be finite");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> program.addColumn(1, 0, 1, new int[] {1}, new double[] {1}))
                .withMessageContaining("row 1, must be one of the 1 rows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> program.addColumn(1, 0, 1, new int[] {0, 0}, new double[] {1, 1}))
                .withMessageContaining("occur once");
        program.addColumn(1, 0, 1, none, nothing);
        assertThatIllegalStateException()
                .isThrownBy(() -> program.addRow(0, 1))
                .withMessageContaining("rows must come first");
    }

    private static void column(LinearProgram program, double cost, double lower, double upper, double... values) {
        int[] rows = new int[values.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i;
        }
        program.addColumn(cost, lower, upper, rows, values);
    }

    private static LinearSolution solve(LinearSolvers solvers, LinearProgram program) {
        available(solvers);
        try (LinearSolver solver = solvers.open(program)) {
            return certified(program, solver.solve());
        }
    }

    private static LinearSolution certified(LinearProgram program, LinearSolution solution) {
        if (solution.optimal()) {
            Certificate certificate = Certificate.of(program, solution);
            assertThat(certificate.holds(1e-7)).as("%s", certificate).isTrue();
            assertThat(certificate.objective()).isCloseTo(solution.objective(), within(1e-7));
        }
        return solution;
    }

    private static void available(LinearSolvers solvers) {
        Assumptions.assumeTrue(solvers.available(), solvers + " has no native code for this platform");
    }
}
