package dev.stowage.policies.parallel;

import java.util.Arrays;

/**
 * Max-min fair amounts per equivalent load: all tasks grow at the same pace, amount L_i x, until a row is full; its
 * tasks keep what they have, the others grow on. The first row is full at 1 / (job completion time), so that is the
 * same as with equation (16); a task's last row k is full at no less than B_k / (sum of P_jk L_j), so no task gets
 * less.
 *
 * <p>O(rounds x rows + tasks x rows per server), at most one round per row or task.
 */
final class ProgressiveFilling {
    private final Placement placement;
    private final ParallelJob job;
    private final Limits limits;
    /** Per row, sum of P_ik L_i over tasks that still grow. */
    private final double[] growing;
    /** Per row, how much is left for them. */
    private final double[] left;

    private final boolean[] full;

    ProgressiveFilling(Placement placement) {
        this.placement = placement;
        this.job = placement.problem.job;
        this.limits = placement.problem.limits;
        this.growing = new double[limits.rows()];
        this.left = limits.limit.clone();
        this.full = new boolean[limits.rows()];
    }

    double[] amounts() {
        double[] amount = new double[job.tasks()];
        int grow = amount.length;
        while (grow > 0) {
            addUp(amount);
            int row = tightest();
            double pace = left[row] / growing[row];
            for (int k = 0; k < full.length; k++) {
                // Rows that are full at the same pace except for rounding are treated together, so that rounding errors
                // are not distributed.
                full[k] |= growing[k] > 0 && left[k] / growing[k] <= pace * (1 + PlanningProblem.TOLERANCE);
            }
            grow -= settle(amount, pace);
        }
        return amount;
    }

    private void addUp(double[] amount) {
        System.arraycopy(limits.limit, 0, left, 0, left.length);
        Arrays.fill(growing, 0);
        for (int i = 0; i < amount.length; i++) {
            double load = job.equivalentLoad(i, placement.server(i));
            for (int e = limits.start[placement.server(i)]; e < limits.start[placement.server(i) + 1]; e++) {
                if (amount[i] > 0) {
                    left[limits.row[e]] -= limits.coefficient[e] * amount[i];
                } else {
                    growing[limits.row[e]] += limits.coefficient[e] * load;
                }
            }
        }
    }

    private int tightest() {
        int tightest = -1;
        for (int k = 0; k < growing.length; k++) {
            if (growing[k] > 0 && (tightest < 0 || left[k] / growing[k] < left[tightest] / growing[tightest])) {
                tightest = k;
            }
        }
        return tightest;
    }

    private int settle(double[] amount, double pace) {
        int settled = 0;
        for (int i = 0; i < amount.length; i++) {
            if (amount[i] == 0 && inFullRow(placement.server(i))) {
                amount[i] = job.equivalentLoad(i, placement.server(i)) * pace;
                settled++;
            }
        }
        return settled;
    }

    private boolean inFullRow(int server) {
        for (int e = limits.start[server]; e < limits.start[server + 1]; e++) {
            if (full[limits.row[e]]) {
                return true;
            }
        }
        return false;
    }
}
