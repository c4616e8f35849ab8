package dev.stowage.policies.devices;

import java.util.Arrays;

/**
 * A score by what a server is estimated to lose: the more the loss falls with a request, or the less it grows, the
 * better. A part goes to the device with the greatest score, whole devices are the free ones.
 */
abstract class LossScore extends StateScore {
    private long[] after = {};

    /**
     * The loss of a server.
     *
     * @param state its state, except for what is free
     * @param otherFree what is free of the other resource
     * @param free what is free of each device, in ascending order
     */
    abstract double loss(DeviceState state, long otherFree, long[] free);

    /** The score of a decrease of the loss. */
    abstract double score(DeviceState state, double decrease);

    @Override
    boolean namesDevices() {
        return true;
    }

    @Override
    double of(DeviceState state, long other, long demand) {
        double before = loss(state, state.otherFree, state.free);
        if (!state.isPart(demand)) {
            int wholes = state.wholes(demand);
            begin(state);
            Arrays.fill(after, 0, wholes, 0);
            System.arraycopy(state.free, 0, after, wholes, state.devices - wholes);
            return afterwards(state, other, before);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < state.devices; k++) {
            if (state.free[k] >= demand && (k == 0 || state.free[k] != state.free[k - 1])) {
                best = Math.max(best, part(state, other, demand, k, before));
            }
        }
        return best;
    }

    @Override
    double ofPart(DeviceState state, long other, long demand, int k) {
        return part(state, other, demand, k, loss(state, state.otherFree, state.free));
    }

    private double part(DeviceState state, long other, long demand, int k, double before) {
        begin(state);
        System.arraycopy(state.free, 0, after, 0, state.devices);
        long left = after[k] - demand;
        int place = k;
        for (; place > 0 && after[place - 1] > left; place--) {
            after[place] = after[place - 1];
        }
        after[place] = left;
        return afterwards(state, other, before);
    }

    private void begin(DeviceState state) {
        if (after.length == 0) {
            after = new long[state.free.length];
        }
    }

    private double afterwards(DeviceState state, long other, double before) {
        return score(state, before - loss(state, state.otherFree - other, after));
    }
}
