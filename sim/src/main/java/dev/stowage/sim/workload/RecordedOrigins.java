package dev.stowage.sim.workload;

import java.util.List;

/** Origins that are known for every request. */
public final class RecordedOrigins implements Origins {
    private final List<RequestOrigin> all;
    private final int[] ofRequest;

    /**
     * With the origin of each request, in order of arrival.
     *
     * @throws IllegalArgumentException if a number is not that of an origin
     */
    public RecordedOrigins(List<RequestOrigin> all, int[] ofRequest) {
        this.all = List.copyOf(all);
        this.ofRequest = ofRequest.clone();
        for (int origin : ofRequest) {
            Parameters.check(origin >= 0 && origin < all.size(), "origin", origin, "0 to " + (all.size() - 1));
        }
    }

    @Override
    public List<RequestOrigin> all() {
        return all;
    }

    @Override
    public Cursor open(long seed) {
        return new Cursor() {
            private int request;

            @Override
            public int next(long arrivalNanos) {
                return ofRequest[request++];
            }
        };
    }
}
