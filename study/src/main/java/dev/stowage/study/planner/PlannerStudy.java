package dev.stowage.study.planner;

import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.sim.result.ResultRow;
import java.util.ArrayList;
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
 * Planners compared on the same random problems of single jobs, without a simulation, as in figures 4 and 5 of Shi,
 * Zhang, Robertazzi (TPDS 2017), section 6.1.1. Capacities of servers are respected, unlike in the paper's own set-up.
 */
public final class PlannerStudy {
    /** Problems per size, as in the paper. */
    static final int PROBLEMS = 50;

    static final String TAPRA = "TaPRA";
    static final String FAST = "TaPRA-fast";

    private final String name;
    private final String hash;
    private final String text;
    private final int problems;
    /** Values of the axes, and the problems of that size. */
    private final Map<Map<String, String>, PaperProblems> sizes;

    private final Map<String, Planner> planners;

    PlannerStudy(
            String name,
            String hash,
            String text,
            int problems,
            Map<Map<String, String>, PaperProblems> sizes,
            Map<String, Planner> planners) {
        this.name = name;
        this.hash = hash;
        this.text = text;
        this.problems = problems;
        this.sizes = new LinkedHashMap<>(sizes);
        this.planners = new LinkedHashMap<>(planners);
    }

    /** Name, also of the results directory. */
    public String name() {
        return name;
    }

    /** What is measured, as YAML. */
    public String text() {
        return text;
    }

    /** The amount of work, in words. */
    public String size() {
        int all = sizes.size() * problems;
        return all + (all == 1 ? " problem" : " problems") + " (" + sizes.size()
                + (sizes.size() == 1 ? " size" : " sizes") + ", " + problems + " of each) for " + planners.size()
                + (planners.size() == 1 ? " planner" : " planners");
    }

    /**
     * Plans all problems. Rows come in order of sizes and planners, whichever finishes first.
     *
     * @param threads problems at a time
     * @param version of this program, for the rows
     */
    public void measure(int threads, String version, Consumer<ResultRow> rows) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            // A warm-up for the JIT compiler, at a small size.
            solve(pool, PaperProblems.of(40, 6), 2 * threads);
            for (Map.Entry<Map<String, String>, PaperProblems> size : sizes.entrySet()) {
                List<SolvedProblem> solved = solve(pool, size.getValue(), problems);
                new PlannerRows(name, hash, version, size.getKey(), problems, solved).emit(rows);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private List<SolvedProblem> solve(ExecutorService pool, PaperProblems family, int count)
            throws InterruptedException {
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
}
