package dev.stowage.policies.fit;

import java.util.Arrays;

/** Which part of an index each waiting request is in. */
final class WaitingParts {
    private static final int NONE = -1;

    private int[] parts = new int[0];

    void put(int job, int part) {
        if (job >= parts.length) {
            int old = parts.length;
            parts = Arrays.copyOf(parts, job + (job >> 1) + 16);
            Arrays.fill(parts, old, parts.length, NONE);
        }
        parts[job] = part;
    }

    boolean contains(int job) {
        return job < parts.length && parts[job] != NONE;
    }

    /** Removes a request, which must be in a part; returns its part. */
    int take(int job) {
        if (!contains(job)) {
            throw new IllegalStateException("job " + job + " does not wait");
        }
        int part = parts[job];
        parts[job] = NONE;
        return part;
    }

    void clear() {
        Arrays.fill(parts, NONE);
    }
}
