package dev.stowage.sim.measure;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How full servers are of one resource at the end of a run, or how full devices are.
 *
 * @param servers number of servers that have any of the resource, or of devices
 * @param quantiles held part of the capacity, at {@link RunSeries#PROBABILITIES}; empty without servers
 */
record ServerOccupancy(int servers, double[] quantiles) {
    /** The probabilities of distributions: every percent, denser in the tail. */
    static final double[] PROBABILITIES = probabilities();

    static ServerOccupancy of(View view, int resource) {
        double[] full = new double[view.servers()];
        int servers = 0;
        for (int server = 0; server < full.length; server++) {
            long capacity = view.capacity(server, resource);
            if (capacity > 0) {
                full[servers++] = (double) (capacity - view.free(server, resource)) / capacity;
            }
        }
        return of(Arrays.copyOf(full, servers));
    }

    static ServerOccupancy ofDevices(View view) {
        double amount = view.deviceAmount();
        return of(IntStream.range(0, view.servers())
                .mapToObj(server -> IntStream.range(0, Long.SIZE)
                        .filter(device -> (view.devicesOf(server) >>> device & 1) != 0)
                        .mapToDouble(device -> (amount - view.deviceFree(server, device)) / amount))
                .flatMapToDouble(each -> each)
                .toArray());
    }

    private static ServerOccupancy of(double[] full) {
        double[] sorted = full.clone();
        Arrays.sort(sorted);
        double[] quantiles = new double[full.length == 0 ? 0 : PROBABILITIES.length];
        Arrays.setAll(quantiles, i -> sorted[(int) Math.ceil(PROBABILITIES[i] * (sorted.length - 1))]);
        return new ServerOccupancy(full.length, quantiles);
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

    private static double[] probabilities() {
        List<Double> all = new ArrayList<>();
        for (int percent = 0; percent < 100; percent++) {
            all.add(percent / 100.0);
        }
        for (double tail : new double[] {0.99, 0.992, 0.995, 0.998, 0.999, 0.9995, 0.9998, 0.9999, 0.99999, 1}) {
            all.add(tail);
        }
        return all.stream().distinct().mapToDouble(Double::doubleValue).toArray();
    }
}
