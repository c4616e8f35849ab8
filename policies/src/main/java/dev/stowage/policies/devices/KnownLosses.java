package dev.stowage.policies.devices;

import dev.stowage.policies.index.PointTable;
import java.util.Arrays;

/** Losses that were worked out, by what they depend on; all are forgotten when there are {@value #MOST}. */
final class KnownLosses {
    /** No loss is known. */
    static final double UNKNOWN = -1;

    private static final int MOST = 1 << 16;
    private static final int BESIDE = 3;

    private double[] key = {};
    private double[] losses = {};
    private PointTable table = new PointTable(0);

    /** Forgets all, for servers with at most so many devices. */
    void clear(int devices) {
        key = new double[BESIDE + devices];
        table = new PointTable(key.length);
    }

    /**
     * The loss, at least 0, or {@link #UNKNOWN}.
     *
     * @param other what the loss depends on of the free amount of the other resource
     * @param free of each device, in ascending order
     */
    double find(DeviceState state, int other, long[] free) {
        if (state.devices + BESIDE > key.length || table.bound() >= MOST) {
            clear(state.devices);
        }
        Arrays.fill(key, 0);
        key[0] = state.trait;
        key[1] = other;
        key[2] = state.devices;
        for (int i = 0; i < state.devices; i++) {
            key[BESIDE + i] = free[i];
        }
        int known = table.find(key);
        return known == PointTable.NONE ? UNKNOWN : losses[known];
    }

    /** Adds the loss that was just not found. */
    void add(double loss) {
        int number = table.add(key);
        if (number >= losses.length) {
            losses = Arrays.copyOf(losses, 2 * number + 16);
        }
        losses[number] = loss;
    }
}
