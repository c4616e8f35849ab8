package dev.stowage.policies.parallel;

import java.util.Arrays;

/**
 * The solution of SJS-Relax-LP, equations (49) to (54): the job completion time if tasks could be divided among
 * servers. It is a lower bound of every plan's.
 *
 * <p>Its certificate is a price per row and one for energy. For prices v_k of sum 1 and h, both at least 0, every plan
 * takes at least sum over i of min over j of (L_ij sum of A_jk v_k / B_k + h e_ij) - h E_MAX; {@link #bound} is this
 * value, which does not depend on the solver being right. So there is a bound even if no solver could finish:
 * {@link #source}.
 */
public final class Relaxation {
    /** How the prices were found, best first. */
    public enum PriceSource {
        /** The optimum, by the solver that was asked for. */
        SOLVER,
        /** The optimum, by ojAlgo after the solver that was asked for gave up. */
        OJALGO,
        /** No optimum: the solvers gave up after some rounds; the best bound of those rounds. */
        LAST_ROUND,
        /**
         * No optimum: the solvers gave up at once, or the program is too large for them; prices in proportion to
         * limits, and whole tasks where TaPRA-fast puts them.
         */
        CLOSED_FORM
    }

    private final PlanningProblem problem;
    private final double time;
    private final Prices prices;
    private final int[] task;
    private final int[] server;
    private final double[] fraction;
    private final PriceSource source;
    private final String givenUp;

    Relaxation(
            PlanningProblem problem,
            double time,
            Prices prices,
            int[] task,
            int[] server,
            double[] fraction,
            PriceSource source,
            String givenUp) {
        this.problem = problem;
        this.time = time;
        this.prices = prices;
        this.task = task;
        this.server = server;
        this.fraction = fraction;
        this.source = source;
        this.givenUp = givenUp;
    }

    /** How it was found. */
    public PriceSource source() {
        return source;
    }

    /**
     * The messages of the solvers that gave up, or why none was used, for people; empty if the first found an optimum.
     */
    public String givenUp() {
        return givenUp;
    }

    /**
     * T, the least time of a division of tasks that was found, seconds: the optimum of the relaxed program if a solver
     * finished.
     */
    public double time() {
        return time;
    }

    /** The certified lower bound, seconds: at most T; except for rounding equal to it if a solver finished. */
    public double bound() {
        return prices.bound();
    }

    /**
     * v_k, the row prices of the bound: by how much faster the job would be, relatively, per relative rise of a row's
     * limit.
     */
    public double rowPrice(int row) {
        return prices.ofRow()[row];
    }

    /** h: seconds by which T falls per unit of energy budget. */
    public double energyPrice() {
        return prices.ofEnergy();
    }

    /** l_ij / Load_i, the part of a task on a server. O(parts). */
    public double fraction(int ofTask, int onServer) {
        for (int p = 0; p < task.length; p++) {
            if (task[p] == ofTask && server[p] == onServer) {
                return fraction[p];
            }
        }
        return 0;
    }

    /**
     * Per task the servers where it is cheapest at the prices, in ascending order of price, at most {@code most}. The
     * cost of a task there is its part of the bound.
     */
    int[][] cheapest(int most) {
        ServerPrices ofServers = new ServerPrices(problem, prices.ofRow(), prices.ofEnergy());
        int[][] cheapest = new int[problem.job.tasks()][];
        int[] place = new int[most];
        double[] cost = new double[most];
        for (int i = 0; i < cheapest.length; i++) {
            int found = ofServers.cheapest(i, place, cost);
            cheapest[i] = Arrays.copyOf(place, found);
        }
        return cheapest;
    }

    /**
     * Per task the server of its largest part, equation (55); of parts equal within 1e-9 the lowest server. For a task
     * without parts, the server where it is most efficient.
     */
    int[] largestParts() {
        int[] largest = new int[problem.job.tasks()];
        double[] size = new double[largest.length];
        Arrays.fill(largest, Placement.NONE);
        for (int p = 0; p < task.length; p++) {
            int i = task[p];
            double lead = fraction[p] - size[i];
            if (lead > RelaxedProgram.ACCURACY
                    || (largest[i] != Placement.NONE && lead >= -RelaxedProgram.ACCURACY && server[p] < largest[i])) {
                largest[i] = server[p];
                size[i] = Math.max(size[i], fraction[p]);
            }
        }
        for (int i = 0; i < largest.length; i++) {
            largest[i] = largest[i] == Placement.NONE ? problem.mostEfficientServer(i) : largest[i];
        }
        return largest;
    }
}
