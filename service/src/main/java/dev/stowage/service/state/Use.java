package dev.stowage.service.state;

/** What a tenant has in the system. */
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

    /** One request more or, with -1, less. */
    void change(long[] demand, int sign) {
        requests += sign;
        for (int r = 0; r < amounts.length; r++) {
            amounts[r] += sign * demand[r];
        }
    }
}
