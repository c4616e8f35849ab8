package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.Arrays;

/**
 * The paper's formulas and algorithms word for word, everything from scratch for every movement: the reference
 * implementation.
 */
final class SlowPlanning {
    private static final double TOLERANCE = 1e-12;

    private final PlanningProblem problem;
    private final int tasks;
    private final int servers;

    SlowPlanning(PlanningProblem problem) {
        this.problem = problem;
        this.tasks = problem.job().tasks();
        this.servers = problem.limits().servers();
    }

    /** Equation (16). */
    double[] equation16(int[] server) {
        double[] amount = new double[tasks];
        for (int i = 0; i < tasks; i++) {
            amount[i] = Double.POSITIVE_INFINITY;
            for (int k = 0; k < problem.limits().rows(); k++) {
                double sum = 0;
                for (int j = 0; j < tasks; j++) {
                    sum += problem.limits().coefficient(server[j], k)
                            * problem.job().equivalentLoad(j, server[j]);
                }
                if (problem.limits().coefficient(server[i], k) > 0) {
                    double load = problem.job().equivalentLoad(i, server[i]);
                    amount[i] =
                            Math.min(amount[i], load / sum * problem.limits().limit(k));
                }
            }
        }
        return amount;
    }

    double[] times(int[] server) {
        double[] amount = equation16(server);
        double[] time = new double[tasks];
        for (int i = 0; i < tasks; i++) {
            time[i] = problem.job().equivalentLoad(i, server[i]) / amount[i];
        }
        return time;
    }

    double completion(int[] server) {
        return Arrays.stream(times(server)).max().orElseThrow();
    }

    double energy(int[] server) {
        double energy = 0;
        for (int i = 0; i < tasks; i++) {
            energy += problem.job().energy(i, server[i]);
        }
        return energy;
    }

    boolean withinBudget(int[] server) {
        return energy(server) <= problem.energyBudget() * (1 + TOLERANCE);
    }

    private boolean canRun(int task, int server) {
        for (int k = 0; k < problem.limits().rows(); k++) {
            if (problem.limits().coefficient(server, k) > 0 && problem.limits().limit(k) == 0) {
                return false;
            }
        }
        return problem.job().efficiency(task, server) > 0;
    }

    static int[] moved(int[] server, int task, int to) {
        int[] moved = server.clone();
        moved[task] = to;
        return moved;
    }

    /** Algorithm 2. */
    int[] repair(int[] start) {
        int[] server = start.clone();
        while (!withinBudget(server)) {
            int[] best = server;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < tasks; i++) {
                for (int j = 0; j < servers; j++) {
                    boolean saves = problem.job().energy(i, j) < problem.job().energy(i, server[i]);
                    if (saves && canRun(i, j)) {
                        double completion = completion(moved(server, i, j));
                        if (completion < least * (1 - TOLERANCE)) {
                            least = completion;
                            best = moved(server, i, j);
                        }
                    }
                }
            }
            server = best;
        }
        return server;
    }

    /** Phase III of Algorithm 1. */
    int[] search(int[] start) {
        int[] server = start.clone();
        while (true) {
            int[] next = step(server);
            if (next == server) {
                return server;
            }
            server = next;
        }
    }

    private int[] step(int[] server) {
        double[] time = times(server);
        double longest = Arrays.stream(time).max().orElseThrow();
        for (int i = 0; i < tasks; i++) {
            if (time[i] >= longest * (1 - TOLERANCE)) {
                int[] best = server;
                double least = time[i];
                for (int j = 0; j < servers; j++) {
                    int[] moved = moved(server, i, j);
                    if (canRun(i, j) && withinBudget(moved) && times(moved)[i] < least * (1 - TOLERANCE)) {
                        least = times(moved)[i];
                        best = moved;
                    }
                }
                if (best != server) {
                    return best;
                }
            }
        }
        return server;
    }

    /** Min-Min without REC: completion of a job of which only some tasks are placed, -1 for the others. */
    int[] minMin(Allocation allocation) {
        int[] server = new int[tasks];
        Arrays.fill(server, -1);
        for (int placed = 0; placed < tasks; placed++) {
            int[] best = server;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < tasks; i++) {
                for (int j = 0; j < servers; j++) {
                    if (server[i] < 0 && canRun(i, j)) {
                        double completion = partial(moved(server, i, j), allocation);
                        if (completion < least * (1 - TOLERANCE)) {
                            least = completion;
                            best = moved(server, i, j);
                        }
                    }
                }
            }
            server = best;
        }
        return server;
    }

    private double partial(int[] server, Allocation allocation) {
        int[] placed = Arrays.stream(server).filter(j -> j >= 0).toArray();
        double[] load = new double[placed.length];
        double[] efficiency = new double[placed.length * servers];
        int n = 0;
        for (int i = 0; i < tasks; i++) {
            if (server[i] >= 0) {
                load[n] = problem.job().load(i);
                for (int j = 0; j < servers; j++) {
                    efficiency[n * servers + j] = problem.job().efficiency(i, j);
                }
                n++;
            }
        }
        ParallelJob job = new ParallelJob(load, new double[placed.length], efficiency);
        return plan(new PlanningProblem(job, problem.limits(), 0), placed, allocation)
                .completion();
    }

    /** The plan of a server per task. */
    static Plan plan(PlanningProblem problem, int[] servers, Allocation allocation) {
        return Plan.of(Placement.of(problem, allocation, servers), allocation);
    }

    int[] mostEfficient() {
        int[] server = new int[tasks];
        for (int i = 0; i < tasks; i++) {
            double most = 0;
            for (int j = 0; j < servers; j++) {
                if (canRun(i, j) && problem.job().efficiency(i, j) > most) {
                    most = problem.job().efficiency(i, j);
                    server[i] = j;
                }
            }
        }
        return server;
    }

    /** The earliest completion of all placements within the budget; infinite if there is none. */
    double optimum() {
        return optimum(new int[tasks], 0);
    }

    private double optimum(int[] server, int task) {
        if (task == tasks) {
            return withinBudget(server) ? completion(server) : Double.POSITIVE_INFINITY;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int j = 0; j < servers; j++) {
            if (canRun(task, j)) {
                server[task] = j;
                best = Math.min(best, optimum(server, task + 1));
            }
        }
        return best;
    }

    /** SJS-Relax-LP as it is written, equations (49) to (54); 1 / T is not a number if it is infeasible. */
    double literalRelaxation() {
        LinearProgram program = LinearProgram.minimize();
        int parts = tasks * servers;
        for (int p = 0; p < parts; p++) {
            program.addRow(0, Double.POSITIVE_INFINITY);
        }
        program.addRow(Double.NEGATIVE_INFINITY, problem.energyBudget());
        for (int k = 0; k < problem.limits().rows(); k++) {
            program.addRow(Double.NEGATIVE_INFINITY, 0);
        }
        for (int i = 0; i < tasks; i++) {
            program.addRow(problem.job().load(i), problem.job().load(i));
        }
        int rows = problem.limits().rows();
        int[] limitRows = new int[rows];
        double[] limits = new double[rows];
        for (int k = 0; k < rows; k++) {
            limitRows[k] = parts + 1 + k;
            limits[k] = -problem.limits().limit(k);
        }
        program.addColumn(1, 0, Double.POSITIVE_INFINITY, limitRows, limits);
        for (int i = 0; i < tasks; i++) {
            for (int j = 0; j < servers; j++) {
                addPart(program, i, j, limitRows, parts + 1 + rows + i);
            }
        }
        try (LinearSolver solver = LinearSolvers.OJALGO.open(program)) {
            LinearSolution solution = solver.solve();
            return solution.objective();
        }
    }

    private void addPart(LinearProgram program, int i, int j, int[] limitRows, int loadRow) {
        int pair = i * servers + j;
        double efficiency = problem.job().efficiency(i, j);
        double most = efficiency == 0 ? 0 : Double.POSITIVE_INFINITY;
        double energy =
                efficiency == 0 ? 0 : problem.job().energy(i, j) / problem.job().load(i);
        program.addColumn(0, 0, most, new int[] {pair, tasks * servers, loadRow}, new double[] {-1, energy, 1});
        int[] rows = Arrays.copyOf(limitRows, limitRows.length + 1);
        double[] values = new double[rows.length];
        for (int k = 0; k < limitRows.length; k++) {
            values[k] = problem.limits().coefficient(j, k);
        }
        rows[limitRows.length] = pair;
        values[limitRows.length] = efficiency;
        program.addColumn(0, 0, Double.POSITIVE_INFINITY, rows, values);
    }

    /**
     * A small problem with nested and overlapping rows, coefficients other than 1, ties, and servers that some tasks
     * cannot use.
     */
    static PlanningProblem random(long seed, int mostTasks, int mostServers) {
        KeyedRandom random = new KeyedRandom().key(seed, Streams.of("slow-planning"), 0);
        int tasks = 1 + random.nextInt(mostTasks);
        int servers = 1 + random.nextInt(mostServers);
        boolean whole = random.nextInt(3) == 0;
        double[] load = new double[tasks];
        double[] power = new double[tasks];
        double[] efficiency = new double[tasks * servers];
        for (int i = 0; i < tasks; i++) {
            load[i] = whole ? 1 + random.nextInt(5) : 100 * random.nextDouble();
            power[i] = whole ? 1 : 2 * random.nextDouble();
            int sure = random.nextInt(servers);
            for (int j = 0; j < servers; j++) {
                boolean never = j != sure && random.nextInt(6) == 0;
                efficiency[i * servers + j] =
                        never ? 0 : whole ? (1 + random.nextInt(4)) / 4.0 : 0.1 + 0.9 * random.nextDouble();
            }
        }
        ParallelJob job = new ParallelJob(load, power, efficiency);
        Limits limits = limits(random, servers, whole);
        double least = new PlanningProblem(job, limits, Double.POSITIVE_INFINITY).minimumEnergy();
        return new PlanningProblem(job, limits, least * (1 + (random.nextInt(3) == 0 ? 0 : 0.6 * random.nextDouble())));
    }

    private static Limits limits(KeyedRandom random, int servers, boolean whole) {
        double[] capacity = new double[servers];
        for (int j = 0; j < servers; j++) {
            capacity[j] = whole ? 1 + random.nextInt(4) : 10 * random.nextDouble();
        }
        Limits.Builder rows = Limits.over(servers);
        for (int k = random.nextInt(4); k > 0; k--) {
            double[] coefficients = new double[servers];
            for (int j = 0; j < servers; j++) {
                coefficients[j] = random.nextInt(3);
            }
            rows.row("row", whole ? 1 + random.nextInt(9) : 0.1 + 20 * random.nextDouble(), coefficients);
        }
        return rows.capacities(capacity).build();
    }

    static int[] randomServers(KeyedRandom random, PlanningProblem problem) {
        int[] server = new int[problem.job().tasks()];
        for (int i = 0; i < server.length; i++) {
            do {
                server[i] = random.nextInt(problem.limits().servers());
            } while (!problem.canRun(i, server[i]));
        }
        return server;
    }
}
