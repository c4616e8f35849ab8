package dev.stowage.policies.devices;

import dev.stowage.core.policy.View;

/** How well a request suits servers in a state in which it has room; the greatest score wins. */
abstract class StateScore {
    /** Called first, when the policy starts or is restored. */
    void begin(View view) {}

    /** Changes when scores and traits of before no longer hold. */
    int version() {
        return 0;
    }

    /** What of a server the score looks at beside what is free: 0 to 2^53 - 1. */
    long trait(View view, int server) {
        return 0;
    }

    /**
     * The score, from nothing but the state and the request.
     *
     * @param other what the request demands of the other resource
     * @param demand what it demands in devices
     */
    abstract double of(DeviceState state, long other, long demand);

    /** The same if a part goes to the k-th device. */
    double ofPart(DeviceState state, long other, long demand, int k) {
        return of(state, other, demand);
    }

    /** Whether the score depends on the device that a part goes to; else it goes where the engine puts it. */
    boolean namesDevices() {
        return false;
    }

    /** The reason given for placements. */
    abstract String reason();
}
