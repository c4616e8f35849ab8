package dev.stowage.policies.randomized;

/**
 * Which configurations a server may have, beyond the sums of its resources. It must be monotone: a feasible
 * configuration stays feasible when requests leave (Ghaderi 2016, section II, requires no more).
 */
@FunctionalInterface
public interface Configuration {
    /** Every configuration that the resources allow. */
    Configuration ANY = (counts, first, types, type) -> true;

    /**
     * Whether a server may take one more of a type.
     *
     * @param counts requests and dummies by type: those of the server are {@code counts[first + j]}, j from 0 to types
     *     - 1
     * @param first index of the server's type 0
     * @param types number of types
     * @param type the type to be added
     */
    boolean allows(int[] counts, int first, int types, int type);

    /**
     * At most {@code most} different types at a time, at least 1: a rule that cannot be expressed by sums of demands.
     */
    static Configuration atMostTypes(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at most " + most + " types on a server, must be at least 1");
        }
        return (counts, first, types, type) -> {
            int others = 0;
            for (int j = 0; j < types; j++) {
                others += j != type && counts[first + j] > 0 ? 1 : 0;
            }
            return others < most;
        };
    }
}
