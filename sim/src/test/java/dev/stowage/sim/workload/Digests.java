package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** One number for the first requests of a workload. */
final class Digests {
    static String of(Workload workload, long seed, int requests) {
        long digest = 0;
        RequestStream stream = workload.open(seed);
        for (int i = 0; i < requests && stream.next(); i++) {
            digest = KeyedRandom.mix(digest ^ stream.arrivalNanos());
            digest = KeyedRandom.mix(digest ^ stream.type());
            for (int r = 0; r < workload.resources().size(); r++) {
                digest = KeyedRandom.mix(digest ^ stream.demand(r));
            }
            digest = KeyedRandom.mix(digest ^ stream.workNanos());
            digest = KeyedRandom.mix(digest ^ stream.rewardMicros());
        }
        return Long.toHexString(digest);
    }

    private Digests() {}
}
