package dev.stowage.policies.shadow;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The virtual queues (j, i) of a block, and the weights sum of s_i Q_ji of its configurations s, updated with every
 * change. Lengths are whole numbers, so the weights are exact. An arrival costs time in the configurations that have
 * its type, a service in those that have a type of the served one.
 *
 * <p>If the configurations are not listed, two bounds of the heaviest weight are kept ({@link WeightBound}), and
 * {@link #settle} makes it exact; if nearly the heaviest is enough, the heaviest known one is used instead.
 * Configurations are added only when they serve: the moment at which bounds are settled depends on cached data, but
 * decisions must not.
 */
final class BlockQueues {
    private final ConfigurationSet configurations;
    private final long most;
    private final long[] lengths;
    private long[] weights;
    /** The lowest of the heaviest configurations known. */
    private int heaviest;

    /** Null if the heaviest known configuration is enough. */
    private final @Nullable WeightBound bound;

    /**
     * Empty queues.
     *
     * @param most the limit of a queue's length; a longer queue is cut to it
     */
    BlockQueues(ConfigurationSet configurations, int types, long most) {
        this.configurations = configurations;
        this.most = most;
        lengths = new long[types];
        bound = configurations.knownWillDo() ? null : new WeightBound(configurations, types);
        weights = new long[configurations.size()];
    }

    /** The same queues with another bound of their lengths. */
    BlockQueues withMost(long other) {
        BlockQueues copy = new BlockQueues(configurations, lengths.length, other);
        copy.restore(lengths);
        return copy;
    }

    long length(int type) {
        return lengths[type];
    }

    long[] lengths() {
        return lengths;
    }

    /** The weight of the heaviest configuration is not below this. */
    long lower() {
        return bound == null ? weights[heaviest] : Math.max(bound.lower(), weights[heaviest]);
    }

    /** The weight of the heaviest configuration is not above this. */
    long upper() {
        return bound == null ? weights[heaviest] : bound.upper();
    }

    void add(int type, long work) {
        long added = Math.min(work, most - lengths[type]);
        lengths[type] += added;
        int count = configurations.havingCount(type);
        for (int k = 0; k < count; k++) {
            int configuration = configurations.having(type, k);
            int slots = configurations.slots(type, k);
            weights[configuration] += slots * added;
            if (isHeavier(configuration)) {
                heaviest = configuration;
            }
        }
        if (bound != null) {
            bound.added(type, added, lengths[type]);
        }
    }

    private boolean isHeavier(int configuration) {
        return weights[configuration] > weights[heaviest]
                || (weights[configuration] == weights[heaviest] && configuration < heaviest);
    }

    /** Makes both bounds equal to the weight of the heaviest configuration. */
    void settle() {
        if (bound != null && lower() < upper()) {
            bound.settle(lengths, weights[heaviest]);
        }
    }

    /** The heaviest configuration: ties to the lowest; if not listed, the one that the knapsack finds. */
    int heaviest() {
        if (configurations.isListed()) {
            return heaviest;
        }
        int found = configurations.knownWillDo()
                ? configurations.improved(lengths, heaviest)
                : configurations.heaviest(lengths, weights[heaviest]);
        takeInNew();
        return found;
    }

    private void takeInNew() {
        int known = weights.length;
        weights = Arrays.copyOf(weights, configurations.size());
        for (int configuration = known; configuration < weights.length; configuration++) {
            for (int type : configurations.typesOf(configuration)) {
                weights[configuration] += lengths[type] * configurations.count(configuration, type);
            }
        }
    }

    /** Removes {@code work} times its counts of a configuration from the queues, as far as they go. */
    void serve(int served, long work) {
        for (int type : configurations.typesOf(served)) {
            long removed = Math.min(lengths[type], work * configurations.count(served, type));
            lengths[type] -= removed;
            int count = configurations.havingCount(type);
            for (int k = 0; k < count; k++) {
                weights[configurations.having(type, k)] -= configurations.slots(type, k) * removed;
            }
        }
        if (bound != null) {
            bound.shortened(lengths);
        }
        heaviest = 0;
        for (int configuration = 1; configuration < weights.length; configuration++) {
            if (weights[configuration] > weights[heaviest]) {
                heaviest = configuration;
            }
        }
    }

    /** Takes over lengths, as far as they are allowed. */
    void restore(long[] saved) {
        takeInNew();
        for (int type = 0; type < lengths.length; type++) {
            add(type, saved[type]);
        }
    }
}
