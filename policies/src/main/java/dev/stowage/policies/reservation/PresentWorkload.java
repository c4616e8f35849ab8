package dev.stowage.policies.reservation;

import dev.stowage.core.policy.View;

/** Y: the running requests, as in the algorithm. */
final class PresentWorkload implements WorkloadReference {
    private final long[] present;

    /** The requests present per type, kept by the owner. */
    PresentWorkload(long[] present) {
        this.present = present;
    }

    @Override
    public long of(int type, View view) {
        return present[type];
    }
}
