package dev.stowage.bench;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.FatTree;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.Plan;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.Planners.Annealing;
import dev.stowage.policies.parallel.Planners.Genetic;
import dev.stowage.policies.parallel.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Figures 4 and 5 of Shi, Zhang, Robertazzi (TPDS 2017) as a table: every planner on the same random problems; completion times with
 * half-widths of 95 % (normal), medians, ratios to the lower bound, amounts held, run times relative to TaPRA-fast in the same run.
 *
 * <p>Arguments: number of problems, then sizes as TASKSxARITY, e.g. {@code 50 40x8 100x8 200x8 100x6 100x12}; {@code paper} leaves out
 * the capacities of servers, as the paper does.
 */
public final class PlannerComparison {
    private static final double NORMAL_95 = 1.96;

    private PlannerComparison() {}

    /** Prints the tables as Markdown. */
    public static void main(String[] arguments) {
        boolean serverRows = !Arrays.asList(arguments).contains("paper");
        int problems = Integer.parseInt(arguments[0]);
        // Once for the JIT, at a small size.
        compare(new PaperProblems(40, new FatTree(6), FatTree.Fractions.PAPER, serverRows), 5);
        for (String size : arguments) {
            if (size.matches("\\d+x\\d+")) {
                String[] parts = size.split("x", -1);
                FatTree tree = new FatTree(Integer.parseInt(parts[1]));
                PaperProblems family =
                        new PaperProblems(Integer.parseInt(parts[0]), tree, FatTree.Fractions.PAPER, serverRows);
                System.out.printf(Locale.ROOT, "%n%s tasks, %d servers: ", parts[0], tree.servers());
                System.out.println(compare(family, problems));
            }
        }
    }

    private static Map<String, Planner> planners() {
        Map<String, Planner> planners = new LinkedHashMap<>();
        planners.put("TaPRA", Planners.tapra(Allocation.EQUATION_16, LinearSolvers.best()));
        planners.put("TaPRA-fast", Planners.tapraFast(Allocation.EQUATION_16));
        planners.put("priced search", Planners.pricedSearch(Allocation.EQUATION_16, LinearSolvers.best(), 300));
        for (Allocation allocation : new Allocation[] {Allocation.EQUATION_16, Allocation.EQUAL_SHARE}) {
            String how = allocation == Allocation.EQUATION_16 ? ", equation (16)" : ", equal share";
            planners.put("Min-Min" + how, Planners.minMin(allocation));
            planners.put("MM-GA" + how, Planners.mmGa(allocation, Genetic.MM_GA));
            planners.put("GSA" + how, Planners.gsa(allocation, Genetic.GSA, Annealing.GSA));
        }
        return planners;
    }

    private static String compare(PaperProblems family, int problems) {
        List<Problem> feasible = new ArrayList<>();
        List<Double> bounds = new ArrayList<>();
        for (int seed = 1; seed <= problems; seed++) {
            Problem problem = family.problem(seed);
            if (!problem.isInfeasible()) {
                feasible.add(problem);
                bounds.add(Planners.relax(problem, LinearSolvers.best()).bound());
            }
        }
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d feasible problems, %d infeasible; mean bound %.1f s%n%n",
                feasible.size(),
                problems - feasible.size(),
                bounds.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN)));
        text.append(
                "| planner | mean s | median s | against TaPRA | median ratio to bound | held | time, ms | time / TaPRA-fast |\n");
        text.append("|---|---|---|---|---|---|---|---|\n");
        Map<String, Figures> all = new LinkedHashMap<>();
        planners().forEach((name, planner) -> all.put(name, Figures.of(planner, feasible, bounds)));
        Figures tapra = Objects.requireNonNull(all.get("TaPRA"));
        Figures fast = Objects.requireNonNull(all.get("TaPRA-fast"));
        all.forEach((name, figures) -> text.append(figures.row(name, tapra, fast)));
        return text.toString();
    }

    /** What one planner reached. */
    private record Figures(double[] completion, double[] ratio, double held, double millis) {
        static Figures of(Planner planner, List<Problem> problems, List<Double> bounds) {
            double[] completion = new double[problems.size()];
            double[] ratio = new double[completion.length];
            double held = 0;
            long nanos = 0;
            for (int p = 0; p < completion.length; p++) {
                long start = System.nanoTime();
                Plan plan = planner.plan(problems.get(p), p);
                nanos += System.nanoTime() - start;
                completion[p] = plan.completion();
                ratio[p] = plan.completion() / bounds.get(p);
                held += plan.totalAmount() / completion.length;
            }
            return new Figures(completion, ratio, held, nanos / 1e6 / completion.length);
        }

        double mean() {
            return Arrays.stream(completion).average().orElse(Double.NaN);
        }

        String row(String name, Figures tapra, Figures fast) {
            double mean = mean();
            double squares =
                    Arrays.stream(completion).map(x -> (x - mean) * (x - mean)).sum();
            double half = NORMAL_95 * Math.sqrt(squares / (completion.length - 1) / completion.length);
            return String.format(
                    Locale.ROOT,
                    "| %s | %.1f +- %.1f | %.1f | %+.1f %% | %.3f | %.1f | %.2f | %.1f |%n",
                    name,
                    mean,
                    half,
                    median(completion),
                    100 * (mean / tapra.mean() - 1),
                    median(ratio),
                    held,
                    millis,
                    millis / fast.millis);
        }

        private static double median(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
        }
    }
}
