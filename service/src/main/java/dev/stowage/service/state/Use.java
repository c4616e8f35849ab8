package dev.stowage.service.state;

/** The use of a tenant in the system. */
final class Use {
    private final long[] amounts;
    private int requests;

    Use(int resources) {
        amounts = new long[resources];
    }

    int requests() {
        return requests;
    }

    long amount(int resource) {
        return amounts[resource];
    }

    /** Adds one request or, with -1, removes one. */
    void change(long[] demand, int sign) {
        requests += sign;
        for (int r = 0; r < amounts.length; r++) {
            amounts[r] += sign * demand[r];
        }
    }
}
