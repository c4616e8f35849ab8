package dev.stowage.policies.parallel.online;

import dev.stowage.core.model.Efficiency;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo.Trait;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.FatTree.Fractions;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.Planners.Annealing;
import dev.stowage.policies.parallel.Planners.Genetic;
import java.util.List;
import java.util.stream.DoubleStream;

/** The policies of this package. */
public final class OnlinePolicies {
    private static final double NANOS = 1e9;
    private static final String EQUAL = "equal";
    private static final String UNIFORM = "uniform";
    /** Smaller than for planning a single job, because an online scheduler plans thousands of times. */
    private static final Genetic GENETIC = new Genetic(20, 20, 0.9, 1);

    private static final int SEARCH_TRIES = 20;
    private static final Annealing ANNEALING = new Annealing(10, 0.1, 0.8);
    private static final String PAPER =
            "L. Shi, Z. Zhang, T. Robertazzi: Energy-aware Scheduling of Embarrassingly Parallel Jobs and Resource"
                    + " Allocation"
                    + " in Cloud, TPDS 2017, Algorithms 3, 4 and 5";

    private static final Parameter ORDER = Parameter.word(
            "order",
            "which waiting job goes first: shortest completion, first come, smallest or largest load",
            JobOrder.SJF);
    private static final Parameter PLANNER = Parameter.word("planner", "plans one job", PlannerKey.TAPRA_FAST);
    private static final Parameter ALLOCATION = Parameter.word(
            "ga-allocation",
            "how mm-ga and gsa divide the resource among tasks; the paper does not say",
            Allocation.EQUAL_SHARE);
    private static final Parameter DRC = Parameter.flag(
            "drc", "whether what a server has left is distributed to its tasks until the next round", true);
    private static final Parameter PERIOD =
            Parameter.number("period-s", "time between rounds, seconds", 1e-3, 1e6, 10, 1);
    private static final Parameter MAR = Parameter.word(
            "mar", "for which orders nothing is scheduled when little capacity is free; the paper says sjf", Mar.ALL);
    private static final Parameter LEAST_FREE = Parameter.number(
            "least-free",
            "Max_Percent: little capacity is free (see mar) if it is at most this part of all",
            0,
            1,
            0.2,
            0);
    private static final Parameter CENTER =
            Parameter.number("center", "part of the center's free capacity that a job may hold", 1e-6, 1, 0.2, 1);
    private static final Parameter POD = Parameter.number("pod", "part of each pod's free capacity", 1e-6, 1, 0.2, 1);
    private static final Parameter RACK =
            Parameter.number("rack", "part of each rack's free capacity", 1e-6, 1, 0.3, 1);
    private static final Parameter ARITY = Parameter.integer(
                    "arity", "of the fat tree, even; auto: the smallest with room for all servers", 2, 256, 4, 4)
            .orWords("auto");
    private static final Parameter BUDGET = Parameter.number(
                    "budget-spread",
                    "the energy budget is uniform from the job's load to (1 + this) times it",
                    0,
                    100,
                    0.1,
                    0)
            .orElse("none");
    private static final Parameter EFFICIENCY = Parameter.perType(
                    "efficiency",
                    "efficiency of tasks on servers; an experiment sets it from its workload. Numbers are by kind of"
                            + " task, then class",
                    1e-6,
                    1,
                    EQUAL)
            .orWords(EQUAL, UNIFORM);
    private static final Parameter CLASSES = Parameter.perType(
            "classes",
            "number of servers of each class, in order of servers, if efficiency is a list of numbers",
            1,
            1e7,
            "one");

    private enum Mar {
        ALL,
        SJF
    }

    private enum PlannerKey {
        TAPRA_FAST,
        TAPRA,
        THRIFTY,
        THRIFTY_SEARCH,
        MM_GA,
        GSA
    }

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(Entry.of(
                    "ontapra",
                    "plans whole jobs of many tasks with a divisible resource, every few seconds; residual capacity is lent",
                    PAPER,
                    "none; shares of one planned job minimize its completion time on its servers (Theorem 1)",
                    List.of(
                            ORDER,
                            PLANNER,
                            ALLOCATION,
                            DRC,
                            PERIOD,
                            MAR,
                            LEAST_FREE,
                            CENTER,
                            POD,
                            RACK,
                            ARITY,
                            BUDGET,
                            EFFICIENCY,
                            CLASSES),
                    OnlinePolicies::make)
            .with(Trait.DRAWS, Trait.NEEDS_DIVISIBLE_RESOURCE));

    private OnlinePolicies() {}

    private static Policy make(Values values) {
        int arity = values.isWord(ARITY) ? 0 : (int) values.integer(ARITY);
        if (arity % 2 != 0) {
            throw new IllegalArgumentException("arity " + arity + " of a fat tree, must be even");
        }
        OnlineSettings settings = new OnlineSettings(
                values.word(ORDER, JobOrder.class),
                planner(values.word(PLANNER, PlannerKey.class), values.word(ALLOCATION, Allocation.class)),
                values.flag(DRC),
                StrictMath.round(NANOS * values.number(PERIOD)),
                values.word(MAR, Mar.class) == Mar.ALL,
                values.number(LEAST_FREE),
                new CenterLimits(new Fractions(values.number(CENTER), values.number(POD), values.number(RACK)), arity),
                values.isWord(BUDGET) ? Double.POSITIVE_INFINITY : values.number(BUDGET),
                efficiency(values));
        return new AtStart(
                1,
                view -> view.divisibleResource() == View.NONE
                        ? new NothingDivisible()
                        : new OnlineScheduler(settings, view));
    }

    private static Efficiency efficiency(Values values) {
        if (values.isWord(EFFICIENCY)) {
            return values.text(EFFICIENCY).equals(UNIFORM) ? Efficiency.UNIFORM : Efficiency.EQUAL;
        }
        double[] servers = values.isWord(CLASSES) ? new double[] {1} : values.perType(CLASSES);
        return Efficiency.table(
                DoubleStream.of(servers).mapToInt(one -> (int) one).toArray(), values.perType(EFFICIENCY));
    }

    private static Planner planner(PlannerKey key, Allocation allocation) {
        return switch (key) {
            case TAPRA_FAST -> Planners.tapraFast(Allocation.EQUATION_16);
            // One solver by name: two solvers may find different optima.
            case TAPRA -> Planners.tapra(Allocation.EQUATION_16, LinearSolvers.GLOP);
            case THRIFTY -> Planners.thrifty(Allocation.EQUATION_16, 0);
            case THRIFTY_SEARCH -> Planners.thriftySearch(Allocation.EQUATION_16, LinearSolvers.GLOP, SEARCH_TRIES);
            case MM_GA -> Planners.mmGa(allocation, GENETIC);
            case GSA -> Planners.gsa(allocation, GENETIC, ANNEALING);
        };
    }
}
