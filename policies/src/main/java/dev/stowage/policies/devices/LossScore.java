package dev.stowage.policies.devices;

/**
 * A score by what a server is estimated to lose: the more the loss falls with a request, or the less it grows, the
 * better. A part goes to the device with the greatest score, whole devices are the free ones.
 */
abstract class LossScore extends StateScore {
    private long[] after = {};

    /**
     * The loss of a server.
     *
     * @param state its state, but for what is free
     * @param otherFree what is free of the other resource
     * @param free what is free of each device, in any order
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
            take(state);
            for (int k = state.devices - state.wholes(demand); k < state.devices; k++) {
                after[k] = 0;
            }
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
        take(state);
        after[k] -= demand;
        return afterwards(state, other, before);
    }

    private void take(DeviceState state) {
        if (after.length == 0) {
            after = new long[state.free.length];
        }
        System.arraycopy(state.free, 0, after, 0, state.devices);
    }

    private double afterwards(DeviceState state, long other, double before) {
        return score(state, before - loss(state, state.otherFree - other, after));
    }
}
