package dev.stowage.optimize.lp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolver.ResultStatus;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * GLOP through OR-Tools' MPSolver, without its presolve except in the second attempt: with presolve, prices of
 * degenerate programs are wrong by 1e-8 to 1e-7, GLOP gives up some programs as abnormal, and no solve starts warm.
 * Columns added since the last solve are passed on at the next, which starts warm.
 */
class GlopSolver extends TwoPhases {
    /** Far below the tolerance of any caller, and reached by GLOP on scaled programs. */
    private static final double TOLERANCE = 1e-9;

    private final LinearProgram program;
    private MPSolver solver = MPSolver.createSolver("GLOP");
    /**
     * In order: warm and tight; then, each from a cold start, GLOP's own tolerance, without scaling, tight, the dual
     * simplex.
     */
    private final List<MPSolverParameters> attempts = attempts();

    private final List<MPConstraint> constraints = new ArrayList<>();
    private final List<MPVariable> variables = new ArrayList<>();

    GlopSolver(LinearProgram program) {
        this.program = program;
    }

    /** The parameters of each attempt; the caller owns their native memory. */
    static List<MPSolverParameters> attempts() {
        List<MPSolverParameters> attempts = List.of(
                new MPSolverParameters(),
                new MPSolverParameters(),
                new MPSolverParameters(),
                new MPSolverParameters(),
                new MPSolverParameters());
        tighten(attempts.get(0));
        attempts.get(0)
                .setIntegerParam(
                        MPSolverParameters.IntegerParam.INCREMENTALITY,
                        MPSolverParameters.IncrementalityValues.INCREMENTALITY_ON.swigValue());
        tighten(attempts.get(2));
        attempts.get(2)
                .setIntegerParam(
                        MPSolverParameters.IntegerParam.SCALING,
                        MPSolverParameters.ScalingValues.SCALING_OFF.swigValue());
        tighten(attempts.get(3));
        tighten(attempts.get(4));
        attempts.get(4)
                .setIntegerParam(
                        MPSolverParameters.IntegerParam.LP_ALGORITHM,
                        MPSolverParameters.LpAlgorithmValues.DUAL.swigValue());
        return attempts;
    }

    private static void tighten(MPSolverParameters parameters) {
        parameters.setDoubleParam(MPSolverParameters.DoubleParam.PRIMAL_TOLERANCE, TOLERANCE);
        parameters.setDoubleParam(MPSolverParameters.DoubleParam.DUAL_TOLERANCE, TOLERANCE);
        parameters.setIntegerParam(
                MPSolverParameters.IntegerParam.PRESOLVE, MPSolverParameters.PresolveValues.PRESOLVE_OFF.swigValue());
    }

    @Override
    boolean optimum(boolean withObjective) {
        ResultStatus status = attempt(withObjective, attempts.get(0));
        for (int n = 1; gaveUp(status) && n < attempts.size(); n++) {
            // Whether GLOP fails depends on its start and parameters: one of these attempts solves most programs.
            startAnew();
            status = attempt(withObjective, attempts.get(n));
        }
        if (gaveUp(status)) {
            throw new SolverException(
                    "GLOP gave up on " + program.rows() + " rows and " + program.columns() + " columns: " + status);
        }
        return status == ResultStatus.OPTIMAL;
    }

    private static boolean gaveUp(ResultStatus status) {
        return status == ResultStatus.ABNORMAL || status == ResultStatus.NOT_SOLVED;
    }

    private ResultStatus attempt(boolean withObjective, MPSolverParameters how) {
        addRows();
        addColumns();
        MPObjective objective = solver.objective();
        objective.clear();
        objective.setOptimizationDirection(program.maximizes());
        for (int j = 0; withObjective && j < program.columns(); j++) {
            objective.setCoefficient(variables.get(j), program.cost(j));
        }
        return solve(solver, how);
    }

    /** One attempt of one solver. */
    ResultStatus solve(MPSolver one, MPSolverParameters how) {
        return one.solve(how);
    }

    private void startAnew() {
        solver.delete();
        solver = MPSolver.createSolver("GLOP");
        constraints.clear();
        variables.clear();
    }

    private void addRows() {
        for (int i = constraints.size(); i < program.rows(); i++) {
            constraints.add(solver.makeConstraint(program.rowLower(i), program.rowUpper(i), ""));
        }
    }

    private void addColumns() {
        for (int j = variables.size(); j < program.columns(); j++) {
            MPVariable variable = solver.makeNumVar(program.columnLower(j), program.columnUpper(j), "");
            for (int e = 0; e < program.entries(j); e++) {
                constraints.get(program.entryRow(j, e)).setCoefficient(variable, program.entryValue(j, e));
            }
            variables.add(variable);
        }
    }

    @Override
    LinearSolution solution() {
        double[] primal = new double[variables.size()];
        for (int j = 0; j < primal.length; j++) {
            primal[j] = variables.get(j).solutionValue();
        }
        double[] dual = new double[constraints.size()];
        for (int i = 0; i < dual.length; i++) {
            dual[i] = constraints.get(i).dualValue();
        }
        return new LinearSolution(
                LinearSolution.Status.OPTIMAL, solver.objective().value(), primal, dual);
    }

    @Override
    public void close() {
        attempts.forEach(MPSolverParameters::delete);
        solver.delete();
    }
}
