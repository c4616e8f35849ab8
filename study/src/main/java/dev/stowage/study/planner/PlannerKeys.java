package dev.stowage.study.planner;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.Planners.Annealing;
import dev.stowage.policies.parallel.Planners.Genetic;

/** Planners and allocations by the keys that commands and studies use. */
public final class PlannerKeys {
    /** The keys of planners. */
    public static final String PLANNERS =
            "tapra, tapra-fast, thrifty, priced-search, thrifty-search, min-min, mm-ga, gsa";

    /** The keys of allocations. */
    public static final String ALLOCATIONS = "equation-16, shared-out, equal-share";

    private static final int TRIES = 300;

    private PlannerKeys() {}

    /**
     * The planner of a key.
     *
     * @throws IllegalArgumentException if there is none, or if it does not have that allocation
     */
    public static Planner planner(String key, Allocation allocation) {
        return switch (key) {
            case "tapra" -> Planners.tapra(allocation, LinearSolvers.best());
            case "tapra-fast" -> Planners.tapraFast(allocation);
            case "thrifty" -> Planners.thrifty(allocation, TRIES);
            case "priced-search" -> Planners.pricedSearch(allocation, LinearSolvers.best(), TRIES);
            case "thrifty-search" -> Planners.thriftySearch(allocation, LinearSolvers.best(), TRIES);
            case "min-min" -> Planners.minMin(allocation);
            case "mm-ga" -> Planners.mmGa(allocation, Genetic.MM_GA);
            case "gsa" -> Planners.gsa(allocation, Genetic.GSA, Annealing.GSA);
            default -> throw new IllegalArgumentException("'" + key + "' must be one of " + PLANNERS);
        };
    }

    /**
     * The allocation of a key.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Allocation allocation(String key) {
        return switch (key) {
            case "equation-16" -> Allocation.EQUATION_16;
            case "shared-out" -> Allocation.SHARED_OUT;
            case "equal-share" -> Allocation.EQUAL_SHARE;
            default -> throw new IllegalArgumentException("'" + key + "' must be one of " + ALLOCATIONS);
        };
    }

    /** Its name in tables. */
    static String label(String key, Allocation allocation) {
        String planner = switch (key) {
            case "tapra" -> PlannerStudy.TAPRA;
            case "tapra-fast" -> PlannerStudy.FAST;
            case "thrifty" -> "thrifty";
            case "priced-search" -> "priced search";
            case "thrifty-search" -> "thrifty search";
            case "min-min" -> "Min-Min";
            case "mm-ga" -> "MM-GA";
            case "gsa" -> "GSA";
            default -> key;
        };
        return switch (allocation) {
            case EQUATION_16 -> planner;
            case SHARED_OUT -> planner + " shared";
            case EQUAL_SHARE -> planner + " equal";
        };
    }
}
