package dev.stowage.optimize.lp;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.structure.Access1D;
import org.ojalgo.structure.Mutate1D;

/**
 * ojAlgo's simplex. Each solve builds the program anew, as a minimisation in which each row is an equality with the
 * row's value as another variable: (sum of a_ij x_j) - r_i = 0. ojAlgo's modelling layer is not used: its presolve
 * turns rows into bounds and loses their shadow prices.
 */
final class OjAlgoSolver extends TwoPhases {
    private final LinearProgram program;
    private Optimisation.@Nullable Result result;

    OjAlgoSolver(LinearProgram program) {
        this.program = program;
    }

    @Override
    boolean optimum(boolean withObjective) {
        int columns = program.columns();
        int rows = program.rows();
        double[] objective = new double[columns + rows];
        double[] lower = new double[columns + rows];
        double[] upper = new double[columns + rows];
        var builder = org.ojalgo.optimisation.linear.LinearSolver.newBuilder(objective);
        Mutate1D[] equality = new Mutate1D[rows];
        for (int i = 0; i < rows; i++) {
            equality[i] = builder.equality(0);
            equality[i].set(columns + i, -1);
            lower[columns + i] = program.rowLower(i);
            upper[columns + i] = program.rowUpper(i);
        }
        for (int j = 0; j < columns; j++) {
            objective[j] = withObjective ? sign() * program.cost(j) : 0;
            lower[j] = program.columnLower(j);
            upper[j] = program.columnUpper(j);
            for (int e = 0; e < program.entries(j); e++) {
                equality[program.entryRow(j, e)].set(j, program.entryValue(j, e));
            }
        }
        try {
            result = builder.objective(objective).lower(lower).upper(upper).solve();
        } catch (RuntimeException e) {
            // Its simplex runs out of its arrays on some programs that are numerically hard.
            throw new SolverException("ojAlgo gave up: " + e);
        }
        return result.getState().isOptimal();
    }

    private int sign() {
        return program.maximizes() ? -1 : 1;
    }

    @Override
    LinearSolution solution() {
        Optimisation.Result optimum = Objects.requireNonNull(result);
        Access1D<?> multipliers = optimum.getDualSolution()
                .orElseThrow(() -> new SolverException("ojAlgo gave no shadow prices"))
                .get();
        double[] primal = new double[program.columns()];
        double objective = 0;
        for (int j = 0; j < primal.length; j++) {
            primal[j] = optimum.doubleValue(j);
            objective += program.cost(j) * primal[j];
        }
        double[] dual = new double[program.rows()];
        for (int i = 0; i < dual.length; i++) {
            dual[i] = -sign() * multipliers.doubleValue(i);
        }
        return new LinearSolution(LinearSolution.Status.OPTIMAL, objective, primal, dual);
    }

    @Override
    public void close() {
        result = null;
    }
}
