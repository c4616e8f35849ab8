package dev.stowage.policies.parallel;

/**
 * A price per row, of sum 1, and one for energy, all at least 0, with the lower bound that they certify: sum over i of
 * min over j of (L_ij sum of A_jk v_k / B_k + h e_ij) - h E_MAX. For any prices, no plan completes earlier.
 *
 * @param ofRow v_k
 * @param ofEnergy h, 0 without a budget
 * @param bound seconds
 */
record Prices(double[] ofRow, double ofEnergy, double bound) {
    /** Number of rows of a server that {@link #closedForm} tries. */
    private static final int MOST_FAMILIES = 8;

    /**
     * Prices without a linear program: in proportion to limits, over all rows, or over the first, second, ... rows of
     * all servers (in a fat tree: center, pods, racks, servers); the best of these. O(tasks x servers).
     */
    static Prices closedForm(PlanningProblem problem) {
        Limits limits = problem.limits;
        Prices best = proportional(problem, limits.limit);
        int families = MOST_FAMILIES;
        for (int j = 0; j < limits.servers(); j++) {
            families = Math.min(families, limits.start[j + 1] - limits.start[j]);
        }
        for (int f = 0; f < families; f++) {
            double[] weight = new double[limits.rows()];
            for (int j = 0; j < limits.servers(); j++) {
                int row = limits.row[limits.start[j] + f];
                weight[row] = limits.limit[row];
            }
            Prices prices = proportional(problem, weight);
            best = prices.bound > best.bound ? prices : best;
        }
        return best;
    }

    private static Prices proportional(PlanningProblem problem, double[] weight) {
        double sum = 0;
        for (double one : weight) {
            sum += one;
        }
        double[] ofRow = new double[weight.length];
        for (int k = 0; k < ofRow.length; k++) {
            ofRow[k] = weight[k] / sum;
        }
        ServerPrices servers = new ServerPrices(problem, ofRow, 0);
        int[] place = new int[1];
        double[] cost = new double[1];
        double bound = 0;
        for (int i = 0; i < problem.job.tasks(); i++) {
            servers.cheapest(i, place, cost);
            bound += cost[0];
        }
        return new Prices(ofRow, 0, bound);
    }
}
