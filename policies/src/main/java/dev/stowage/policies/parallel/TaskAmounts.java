package dev.stowage.policies.parallel;

/**
 * The amounts of the resource that tasks get, their servers known: the analytical solution of OptRA, and its variants.
 */
final class TaskAmounts {
    private TaskAmounts() {}

    static double[] of(Placement placement, Allocation allocation) {
        if (allocation == Allocation.SHARED_OUT) {
            return new ProgressiveFilling(placement).amounts();
        }
        return allocation == Allocation.EQUATION_16 ? proportional(placement) : equal(placement);
    }

    /**
     * c_i = min over the rows of i of L_i B_k / (sum of P_jk L_j): equation (16). The quotient of the sum and B_k is
     * the row's time, so c_i is L_i over the largest time of its rows. O(tasks x rows per server).
     */
    private static double[] proportional(Placement placement) {
        double[] amount = new double[placement.problem.job.tasks()];
        for (int i = 0; i < amount.length; i++) {
            amount[i] = placement.problem.job.equivalentLoad(i, placement.server(i)) / placement.timeOf(i);
        }
        return amount;
    }

    /** c_i = min over the rows of i of B_k / (sum of P_jk). */
    private static double[] equal(Placement placement) {
        Limits limits = placement.problem.limits;
        double[] amount = new double[placement.problem.job.tasks()];
        double[] weight = new double[limits.rows()];
        for (int i = 0; i < amount.length; i++) {
            for (int e = limits.start[placement.server(i)]; e < limits.start[placement.server(i) + 1]; e++) {
                weight[limits.row[e]] += limits.coefficient[e];
            }
        }
        for (int i = 0; i < amount.length; i++) {
            amount[i] = Double.POSITIVE_INFINITY;
            for (int e = limits.start[placement.server(i)]; e < limits.start[placement.server(i) + 1]; e++) {
                amount[i] = Math.min(amount[i], limits.limit[limits.row[e]] / weight[limits.row[e]]);
            }
        }
        return amount;
    }
}
