package dev.stowage.policies.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.optimize.lp.LinearSolvers;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same problem and seed give the same plan, with every release and on every JVM: to change one is a decision. */
class PinnedPlansTest {
    /** Hashes of the servers of four problems, of which the third is infeasible. */
    private static final Map<String, String> PINNED = Map.of(
            "tapra",
            "94fe7ebe 5f8923c6 none 22ffab34",
            "tapra-fast",
            "c6db607f cf31507c none 1c8b4834",
            "thrifty",
            "579743b8 eb611471 none d5df579c",
            "priced-search",
            "cf0a0faa 9b9192ed none 98228419",
            "thrifty-search",
            "cf0a0faa 9b9192ed none 98228419",
            "min-min",
            "4715d9fd fb5fe91a none a3718d96",
            "min-min, equal",
            "4715da15 d80559d7 none cac789cd",
            "mm-ga",
            "4715d9fd e9c835d5 none a3718d96",
            "gsa",
            "c6db607f fb3b1330 none 484798e8",
            "gsa, equal",
            "c6db607f bd827359 none daa4f26b");

    private static final Planners.Genetic SMALL = new Planners.Genetic(12, 15, 0.9, 1);
    private static final Planners.Annealing COOLING = new Planners.Annealing(10, 0.1, 0.8);

    private static Map<String, Planner> planners() {
        Map<String, Planner> planners = new LinkedHashMap<>();
        planners.put("tapra", Planners.tapra(Allocation.EQUATION_16, LinearSolvers.OJALGO));
        planners.put("tapra-fast", Planners.tapraFast(Allocation.EQUATION_16));
        planners.put("thrifty", Planners.thrifty(Allocation.EQUATION_16, 40));
        planners.put("priced-search", Planners.pricedSearch(Allocation.EQUATION_16, LinearSolvers.OJALGO, 40));
        planners.put("thrifty-search", Planners.thriftySearch(Allocation.EQUATION_16, LinearSolvers.OJALGO, 40));
        planners.put("min-min", Planners.minMin(Allocation.SHARED_OUT));
        planners.put("min-min, equal", Planners.minMin(Allocation.EQUAL_SHARE));
        planners.put("mm-ga", Planners.mmGa(Allocation.EQUATION_16, SMALL));
        planners.put("gsa", Planners.gsa(Allocation.EQUATION_16, SMALL, COOLING));
        planners.put("gsa, equal", Planners.gsa(Allocation.EQUAL_SHARE, SMALL, COOLING));
        return planners;
    }

    @Test
    void plansAreThoseOfBefore() {
        Map<String, String> plans = new LinkedHashMap<>();
        planners().forEach((name, planner) -> {
            StringBuilder text = new StringBuilder();
            for (long seed = 1; seed <= 4; seed++) {
                Plan plan = planner.plan(PaperProblems.of(14, 6).problem(seed), seed);
                text.append(text.length() == 0 ? "" : " ")
                        .append(plan.feasible() ? Integer.toHexString(Arrays.hashCode(plan.servers())) : "none");
            }
            plans.put(name, text.toString());
        });
        assertThat(plans).isEqualTo(PINNED);
    }
}
