package dev.stowage.sim.measure;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * How full servers are of one resource at the end of a run.
 *
 * @param servers those that have any of the resource
 * @param quantiles held part of the capacity, at {@link RunSeries#PROBABILITIES}; empty without servers
 */
record ServerOccupancy(int servers, double[] quantiles) {
    static ServerOccupancy of(View view, int resource) {
        double[] full = new double[view.servers()];
        int servers = 0;
        for (int server = 0; server < full.length; server++) {
            long capacity = view.capacity(server, resource);
            if (capacity > 0) {
                full[servers++] = (double) (capacity - view.free(server, resource)) / capacity;
            }
        }
        double[] sorted = Arrays.copyOf(full, servers);
        Arrays.sort(sorted);
        double[] quantiles = new double[servers == 0 ? 0 : RunSeries.PROBABILITIES.length];
        Arrays.setAll(quantiles, i -> sorted[(int) Math.ceil(RunSeries.PROBABILITIES[i] * (sorted.length - 1))]);
        return new ServerOccupancy(servers, quantiles);
    }

    void write(StateWriter out) {
        out.putNumber(servers);
        out.putNumber(quantiles.length);
        for (double quantile : quantiles) {
            out.putDouble(quantile);
        }
    }

    static ServerOccupancy read(StateReader in) {
        int servers = (int) in.getNumber();
        double[] quantiles = new double[(int) in.getNumber()];
        Arrays.setAll(quantiles, i -> in.getDouble());
        return new ServerOccupancy(servers, quantiles);
    }
}
