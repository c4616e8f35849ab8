package dev.stowage.policies.parallel;

import java.util.Arrays;

/** What a task costs on each server at given prices of rows and energy: L_ij sum of A_jk v_k / B_k + h e_ij. */
final class ServerPrices {
    private final PlanningProblem problem;
    /** Per server, of one unit of equivalent load. */
    private final double[] price;

    private final double energyPrice;

    /**
     * Prices.
     *
     * @param rowPrice v_k
     * @param energyPrice h
     */
    ServerPrices(PlanningProblem problem, double[] rowPrice, double energyPrice) {
        Limits limits = problem.limits;
        this.problem = problem;
        this.energyPrice = energyPrice;
        this.price = new double[limits.servers()];
        for (int j = 0; j < price.length; j++) {
            for (int e = limits.start[j]; limits.isOpen(j) && e < limits.start[j + 1]; e++) {
                price[j] += limits.coefficient[e] * rowPrice[limits.row[e]] / limits.limit[limits.row[e]];
            }
        }
    }

    /**
     * The cheapest servers of a task in rising order of cost, as many as there is room for; of equal ones the lowest
     * first. Returns how many there are. O(servers).
     */
    int cheapest(int task, int[] place, double[] cost) {
        double[] efficiency = problem.job.efficiency;
        double energy = energyPrice * problem.job.power[task];
        int from = task * price.length;
        int last = place.length - 1;
        int found = 0;
        Arrays.fill(cost, Double.POSITIVE_INFINITY);
        for (int j = 0; j < price.length; j++) {
            double here = problem.job.load[task] / efficiency[from + j] * (price[j] + energy);
            if (here < cost[last] && efficiency[from + j] > 0 && problem.limits.isOpen(j)) {
                int c = last;
                for (; c > 0 && here < cost[c - 1]; c--) {
                    cost[c] = cost[c - 1];
                    place[c] = place[c - 1];
                }
                cost[c] = here;
                place[c] = j;
                found = Math.min(found + 1, place.length);
            }
        }
        return found;
    }
}
