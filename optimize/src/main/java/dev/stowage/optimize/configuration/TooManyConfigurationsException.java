package dev.stowage.optimize.configuration;

import java.util.Arrays;

/** A server has more configurations than the caller's limit. */
public final class TooManyConfigurationsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyConfigurationsException(int limit, int types, long[] capacity) {
        super("a server of capacity " + Arrays.toString(capacity) + " has more than " + limit + " configurations of "
                + types + " types; work with Knapsack, which lists none");
    }
}
