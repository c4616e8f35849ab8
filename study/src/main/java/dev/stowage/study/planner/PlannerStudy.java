package dev.stowage.study.planner;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.FatTree;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.Planners.Annealing;
import dev.stowage.policies.parallel.Planners.Genetic;
import dev.stowage.sim.result.ResultRow;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Figures 4 and 5 of Shi, Zhang, Robertazzi (TPDS 2017): every planner on the same random problems of section 6.1.1,
 * without a simulation. Capacities of servers are held, which the paper's own set-up does not do.
 */
public final class PlannerStudy {
    /** Problems per size, as in the paper. */
    public static final int PROBLEMS = 50;

    static final String TAPRA = "TaPRA";
    static final String FAST = "TaPRA-fast";
    private static final int TASKS = 100;
    private static final int ARITY = 8;
    private static final int TRIES = 300;

    private final String name;
    private final String title;
    private final int problems;
    /** Value of the axis, and problems of that size. */
    private final Map<Map<String, String>, PaperProblems> sizes = new LinkedHashMap<>();

    private PlannerStudy(String name, String title, int problems) {
        this.name = name;
        this.title = title;
        this.problems = problems;
    }

    /**
     * The study of a name.
     *
     * @param problems random problems per size, some of which may be infeasible
     */
    public static Optional<PlannerStudy> find(String name, int problems) {
        return switch (name) {
            case "parallel-tasks" -> Optional.of(byTasks(name, problems, 40, 70, 100, 150, 200));
            case "parallel-servers" -> Optional.of(byServers(name, problems, 6, 8, 10, 12));
            default -> Optional.empty();
        };
    }

    private static PlannerStudy byTasks(String name, int problems, int... tasks) {
        PlannerStudy study = new PlannerStudy(name, "Planners of one job, 128 servers", problems);
        for (int each : tasks) {
            study.sizes.put(Map.of("tasks", Integer.toString(each)), PaperProblems.of(each, ARITY));
        }
        return study;
    }

    private static PlannerStudy byServers(String name, int problems, int... arities) {
        PlannerStudy study = new PlannerStudy(name, "Planners of one job of 100 tasks", problems);
        for (int arity : arities) {
            String servers = Integer.toString(new FatTree(arity).servers());
            study.sizes.put(Map.of("servers", servers), PaperProblems.of(TASKS, arity));
        }
        return study;
    }

    /**
     * The planners; those that the paper compares with TaPRA in both allocations, because it does not say which they
     * had.
     */
    static Map<String, Planner> planners() {
        Map<String, Planner> planners = new LinkedHashMap<>();
        planners.put(TAPRA, Planners.tapra(Allocation.EQUATION_16, LinearSolvers.best()));
        planners.put(FAST, Planners.tapraFast(Allocation.EQUATION_16));
        planners.put("priced search", Planners.pricedSearch(Allocation.EQUATION_16, LinearSolvers.best(), TRIES));
        for (Allocation allocation : List.of(Allocation.EQUATION_16, Allocation.EQUAL_SHARE)) {
            String how = allocation == Allocation.EQUATION_16 ? "" : " equal";
            planners.put("Min-Min" + how, Planners.minMin(allocation));
            planners.put("MM-GA" + how, Planners.mmGa(allocation, Genetic.MM_GA));
            planners.put("GSA" + how, Planners.gsa(allocation, Genetic.GSA, Annealing.GSA));
        }
        return planners;
    }

    public String name() {
        return name;
    }

    /** What is measured, as YAML. */
    public String text() {
        return "study: planners\nname: " + name + "\ntitle: " + title + "\npoints: " + sizes.keySet() + "\nproblems: "
                + problems + "\nplanners: [" + String.join(", ", planners().keySet()) + "]\n";
    }

    /**
     * Plans all problems. Rows come in order of sizes and planners, whatever is finished first.
     *
     * @param threads problems at a time
     * @param version of this program, for the rows
     */
    public void measure(int threads, String version, Consumer<ResultRow> rows) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            // Once for the compiler, at a small size.
            solve(pool, PaperProblems.of(40, 6), 2 * threads);
            for (Map.Entry<Map<String, String>, PaperProblems> size : sizes.entrySet()) {
                List<SolvedProblem> solved = solve(pool, size.getValue(), problems);
                new PlannerRows(name, hash(), version, size.getKey(), problems, solved).emit(rows);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static List<SolvedProblem> solve(ExecutorService pool, PaperProblems family, int count)
            throws InterruptedException {
        Map<String, Planner> planners = planners();
        List<Future<Optional<SolvedProblem>>> futures = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            int seed = i;
            futures.add(pool.submit(() -> SolvedProblem.of(family.problem(seed), seed, planners)));
        }
        List<SolvedProblem> solved = new ArrayList<>();
        for (Future<Optional<SolvedProblem>> future : futures) {
            try {
                future.get().ifPresent(solved::add);
            } catch (ExecutionException e) {
                throw new IllegalStateException("planning failed: " + e.getCause(), e.getCause());
            }
        }
        return solved;
    }

    private String hash() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime has no SHA-256", e);
        }
    }
}
