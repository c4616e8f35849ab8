package dev.stowage.policies.parallel;

import java.util.Arrays;

/**
 * The solution of SJS-Relax-LP, equations (49) to (54): the job completion time if tasks could be divided among
 * servers. It is a lower bound of every plan's.
 *
 * <p>Its certificate is a price per row and one for energy. For prices v_k of sum 1 and h, both at least 0, every plan
 * takes at least sum over i of min over j of (L_ij sum of A_jk v_k / B_k + h e_ij) - h E_MAX; {@link #bound} is that,
 * computed without trust in the solver.
 */
public final class Relaxation {
    private final Problem problem;
    private final double time;
    private final double bound;
    private final int[] task;
    private final int[] server;
    private final double[] fraction;
    private final double[] rowPrice;
    private final double energyPrice;

    Relaxation(
            Problem problem,
            double time,
            double bound,
            int[] task,
            int[] server,
            double[] fraction,
            double[] rowPrice,
            double energyPrice) {
        this.problem = problem;
        this.time = time;
        this.bound = bound;
        this.task = task;
        this.server = server;
        this.fraction = fraction;
        this.rowPrice = rowPrice;
        this.energyPrice = energyPrice;
    }

    /** T, the optimum of the relaxed program, seconds. */
    public double time() {
        return time;
    }

    /** The certified lower bound, seconds: at most T, but for rounding equal to it. */
    public double bound() {
        return bound;
    }

    /** v_k: by how much faster the job would be, relatively, per relative rise of a row's limit. */
    public double rowPrice(int row) {
        return rowPrice[row];
    }

    /** h: seconds by which T falls per unit of energy budget. */
    public double energyPrice() {
        return energyPrice;
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

    /** Number of parts above 0. */
    public int parts() {
        int parts = 0;
        for (double one : fraction) {
            parts += one > 0 ? 1 : 0;
        }
        return parts;
    }

    /**
     * Per task the servers where it is cheapest at the prices, in rising order of price, at most so many. What a task
     * costs there is its part of the bound.
     */
    int[][] cheapest(int most) {
        ServerPrices prices = new ServerPrices(problem, rowPrice, energyPrice);
        int[][] cheapest = new int[problem.job.tasks()][];
        int[] place = new int[most];
        double[] cost = new double[most];
        for (int i = 0; i < cheapest.length; i++) {
            int found = prices.cheapest(i, place, cost);
            cheapest[i] = Arrays.copyOf(place, found);
        }
        return cheapest;
    }

    /** Per task the server of its largest part, equation (55); of parts equal within 1e-9 the lowest server. */
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
        return largest;
    }
}
