package dev.stowage.optimize.bound;

import java.util.ArrayList;
import java.util.List;

/**
 * Configurations in use at once, on no more servers of each class than there are.
 *
 * @param shares servers by class and configuration, those above 0
 * @param slots by type, the requests that all of them hold
 */
record Mix(List<SupportableLoad.Share> shares, double[] slots) {
    /**
     * The answer of a solver, made feasible: negative numbers become 0, and if a class would use more servers than it
     * has, all of its configurations are scaled down in proportion.
     *
     * @param servers by column, as the solver returned them
     * @param columns class and configuration of each
     */
    static Mix of(double[] servers, List<SupportableLoad.Share> columns, List<ServerClass> classes, int types) {
        double[] used = new double[classes.size()];
        for (int c = 0; c < servers.length; c++) {
            used[columns.get(c).serverClass()] += Math.max(0, servers[c]);
        }
        double[] slots = new double[types];
        List<SupportableLoad.Share> shares = new ArrayList<>();
        for (int c = 0; c < servers.length; c++) {
            SupportableLoad.Share column = columns.get(c);
            int l = column.serverClass();
            double share = Math.max(0, servers[c]) * Math.min(1, classes.get(l).servers() / used[l]);
            if (share > 0) {
                shares.add(new SupportableLoad.Share(l, column.counts(), share));
                for (int j = 0; j < types; j++) {
                    slots[j] += share * column.counts()[j];
                }
            }
        }
        return new Mix(shares, slots);
    }
}
