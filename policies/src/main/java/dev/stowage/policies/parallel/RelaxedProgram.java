package dev.stowage.policies.parallel;

import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.optimize.lp.SolverException;
import dev.stowage.policies.parallel.Relaxation.PriceSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * SJS-Relax-LP, reduced: p_ij = l_ij / lambda_ij is put in, and each server has a variable for how much of it is used,
 * so that a part of a task is in three rows, not in all of its server's. Parts are columns, generated as prices ask for
 * them.
 *
 * <p>In units that make all numbers close to 1: T in {@code unit}, the completion time that TaPRA-fast reaches; use of
 * a server in the most that its rows allow, g_j = min over k of B_k / A_jk.
 *
 * <pre>
 *   minimise T
 *   task i:   sum over j of y_ij                                    = 1
 *   energy:   sum of e_ij y_ij                                      &lt;= E_MAX
 *   server j: sum over i of L_ij y_ij / (unit g_j) - w_j            &lt;= 0
 *   row k:    sum over j of A_jk g_j w_j / B_k - T                  &lt;= 0
 * </pre>
 *
 * <p>A round of pricing costs O(tasks x servers). It ends when no part has a negative reduced cost, or the master's
 * optimum has met the bound that its prices certify. If the solver gives up, ojAlgo goes on with the same columns; if
 * that gives up too, the best round counts.
 */
final class RelaxedProgram {
    /** Parts, reduced costs and gaps below this are nothing. */
    static final double ACCURACY = 1e-9;

    private static final double CONVERGED = 1e-12;
    private static final double TRUSTED_GAP = 1e-7;
    private static final int PARTS_PER_ROUND = 10;
    /** Tasks and servers with which GLOP takes minutes, not hours. */
    private static final int MOST_ROWS = 20_000;
    /** Rows x columns that ojAlgo solves in minutes. */
    private static final long MOST_FOR_OJALGO = 50_000_000;

    private final PlanningProblem problem;
    private final ParallelJob job;
    private final Limits limits;
    private final int tasks;
    private final int servers;
    private final double unit;
    /** Of the objective, so that prices of tasks are close to 1. */
    private final double scale;

    private final boolean hasBudget;
    private final LinearProgram program = LinearProgram.minimize();
    private final double[] most;
    /** One bit per task and server: whether the part is a column. */
    private final long[] present;

    private final int firstPart;
    private int parts;
    private int[] partTask = new int[64];
    private int[] partServer = new int[64];

    private final Placement start;
    private Prices best;
    private @Nullable LinearSolution last;

    private RelaxedProgram(PlanningProblem problem) {
        this.problem = problem;
        this.job = problem.job;
        this.limits = problem.limits;
        this.tasks = job.tasks();
        this.servers = limits.servers();
        this.start = TapraFast.place(problem);
        this.best = Prices.closedForm(problem);
        this.unit = start.completion();
        this.scale = tasks;
        // A budget of 0 is feasible where no task takes energy, and then it is none.
        this.hasBudget = problem.energyBudget < Double.POSITIVE_INFINITY && problem.energyBudget > 0;
        this.most = new double[servers];
        this.present = new long[((tasks * servers) >> 6) + 1];
        addRows();
        addUses();
        this.firstPart = program.columns();
        for (int i = 0; i < tasks; i++) {
            addPart(i, problem.mostEfficientServer(i));
            addPart(i, start.server(i));
        }
    }

    /** Solves the relaxation of a feasible problem, by ojAlgo if the solver gives up; not at all if it is too large. */
    static Relaxation solve(PlanningProblem problem, LinearSolvers solver) {
        int rows = problem.job.tasks() + problem.limits.servers();
        if (rows > MOST_ROWS) {
            String tooLarge = "tasks and servers are " + rows + ", and above " + MOST_ROWS + " it would take hours";
            return new RelaxedProgram(problem).relaxation(PriceSource.CLOSED_FORM, List.of(tooLarge));
        }
        return solver == LinearSolvers.OJALGO
                ? solve(problem, List.of(RelaxedProgram::openOjAlgo))
                : solve(problem, List.of(solver::open, RelaxedProgram::openOjAlgo));
    }

    private static LinearSolver openOjAlgo(LinearProgram program) {
        long numbers = (long) program.rows() * program.columns();
        if (numbers > MOST_FOR_OJALGO) {
            throw new SolverException("ojAlgo was not asked: " + program.rows() + " rows and " + program.columns()
                    + " columns would take it long");
        }
        return LinearSolvers.OJALGO.open(program);
    }

    /** Asks solvers in turn, each of which goes on where the one before gave up. */
    static Relaxation solve(PlanningProblem problem, List<Function<LinearProgram, LinearSolver>> solvers) {
        RelaxedProgram relaxed = new RelaxedProgram(problem);
        List<String> givenUp = new ArrayList<>();
        for (Function<LinearProgram, LinearSolver> open : solvers) {
            try (LinearSolver solver = open.apply(relaxed.program)) {
                relaxed.generate(solver);
                return relaxed.relaxation(givenUp.isEmpty() ? PriceSource.SOLVER : PriceSource.OJALGO, givenUp);
            } catch (SolverException e) {
                givenUp.add(e.getMessage());
            }
        }
        return relaxed.relaxation(relaxed.last == null ? PriceSource.CLOSED_FORM : PriceSource.LAST_ROUND, givenUp);
    }

    private void addRows() {
        for (int i = 0; i < tasks; i++) {
            program.addRow(1, 1);
        }
        program.addRow(Double.NEGATIVE_INFINITY, hasBudget ? 1 : 0);
        for (int j = 0; j < servers + limits.rows(); j++) {
            program.addRow(Double.NEGATIVE_INFINITY, 0);
        }
    }

    private int energyRow() {
        return tasks;
    }

    private int serverRow(int server) {
        return tasks + 1 + server;
    }

    private int limitRow(int row) {
        return tasks + 1 + servers + row;
    }

    /** The columns T and w_j. */
    private void addUses() {
        int[] all = new int[limits.rows()];
        double[] minusOne = new double[limits.rows()];
        for (int k = 0; k < all.length; k++) {
            all[k] = limitRow(k);
            minusOne[k] = -1;
        }
        program.addColumn(scale, 0, Double.POSITIVE_INFINITY, all, minusOne);
        for (int j = 0; j < servers; j++) {
            if (limits.isOpen(j)) {
                addUse(j);
            }
        }
    }

    private void addUse(int server) {
        int from = limits.start[server];
        int entries = limits.start[server + 1] - from;
        most[server] = Double.POSITIVE_INFINITY;
        for (int e = from; e < from + entries; e++) {
            most[server] = Math.min(most[server], limits.limit[limits.row[e]] / limits.coefficient[e]);
        }
        int[] rows = new int[entries + 1];
        double[] values = new double[entries + 1];
        for (int e = 0; e < entries; e++) {
            rows[e] = limitRow(limits.row[from + e]);
            values[e] = limits.coefficient[from + e] * most[server] / limits.limit[limits.row[from + e]];
        }
        rows[entries] = serverRow(server);
        values[entries] = -1;
        program.addColumn(0, 0, Double.POSITIVE_INFINITY, rows, values);
    }

    private boolean addPart(int task, int server) {
        int bit = task * servers + server;
        if (((present[bit >> 6] >> bit) & 1) != 0) {
            return false;
        }
        present[bit >> 6] |= 1L << bit;
        double use = job.equivalentLoad(task, server) / (unit * most[server]);
        if (hasBudget) {
            program.addColumn(
                    0, 0, Double.POSITIVE_INFINITY, new int[] {task, serverRow(server), energyRow()}, new double[] {
                        1, use, job.energy(task, server) / problem.energyBudget
                    });
        } else {
            program.addColumn(
                    0, 0, Double.POSITIVE_INFINITY, new int[] {task, serverRow(server)}, new double[] {1, use});
        }
        if (parts == partTask.length) {
            partTask = Arrays.copyOf(partTask, 2 * parts);
            partServer = Arrays.copyOf(partServer, 2 * parts);
        }
        partTask[parts] = task;
        partServer[parts++] = server;
        return true;
    }

    private void generate(LinearSolver solver) {
        while (true) {
            LinearSolution solution = solver.solve();
            if (!solution.optimal()) {
                throw new SolverException(
                        "the relaxed program is feasible and bounded, the solver says " + solution.status());
            }
            boolean more = price(solution);
            last = solution;
            double time = unit * solution.objective() / scale;
            double gap = 1 - best.bound() / time;
            if (gap <= CONVERGED || !more) {
                if (!(Math.abs(gap) <= TRUSTED_GAP)) {
                    throw new SolverException("the relaxed program's optimum " + time + " and the bound of its prices "
                            + best.bound() + " do not meet");
                }
                return;
            }
        }
    }

    /**
     * Prices of rows and energy, made right in sign and sum; adds the parts that they ask for, and keeps the prices if
     * their bound is the best so far. Returns whether there was a part to add.
     */
    private boolean price(LinearSolution solution) {
        double[] rowPrice = new double[limits.rows()];
        double sum = 0;
        for (int k = 0; k < rowPrice.length; k++) {
            rowPrice[k] = Math.max(0, -solution.dual()[limitRow(k)]);
            sum += rowPrice[k];
        }
        if (!(sum > 0 && sum < Double.POSITIVE_INFINITY)) {
            throw new SolverException("the relaxed program's rows have prices of sum " + sum);
        }
        for (int k = 0; k < rowPrice.length; k++) {
            rowPrice[k] /= sum;
        }
        double energyPrice =
                hasBudget ? unit * (Math.max(0, -solution.dual()[energyRow()]) / sum) / problem.energyBudget : 0;
        ServerPrices prices = new ServerPrices(problem, rowPrice, energyPrice);
        double bound = hasBudget ? -energyPrice * problem.energyBudget : 0;
        int before = parts;
        int[] cheapest = new int[PARTS_PER_ROUND];
        double[] cost = new double[PARTS_PER_ROUND];
        for (int i = 0; i < tasks; i++) {
            int found = prices.cheapest(i, cheapest, cost);
            double paid = unit * (solution.dual()[i] / scale - ACCURACY / tasks);
            bound += cost[0];
            for (int c = 0; c < found && cost[c] < paid; c++) {
                addPart(i, cheapest[c]);
            }
        }
        if (bound > best.bound()) {
            best = new Prices(rowPrice, energyPrice, bound);
        }
        return parts > before;
    }

    private Relaxation relaxation(PriceSource source, List<String> givenUp) {
        return new Relaxation(
                problem,
                last == null ? unit : unit * last.objective() / scale,
                best,
                Arrays.copyOf(partTask, parts),
                Arrays.copyOf(partServer, parts),
                last == null ? wholeTasks() : fractions(last),
                source,
                String.join("; ", givenUp));
    }

    private double[] fractions(LinearSolution solution) {
        double[] fraction = new double[parts];
        for (int p = 0; p < parts; p++) {
            double value = firstPart + p < solution.primal().length ? solution.primal()[firstPart + p] : 0;
            fraction[p] = value > ACCURACY ? value : 0;
        }
        return fraction;
    }

    private double[] wholeTasks() {
        double[] fraction = new double[parts];
        for (int p = 0; p < parts; p++) {
            fraction[p] = start.server(partTask[p]) == partServer[p] ? 1 : 0;
        }
        return fraction;
    }
}
