package dev.stowage.sim.unit;

import java.util.Comparator;
import java.util.Locale;

/**
 * Which run of an experiment a unit is. Keys are in the order of the rows: points, policies, replications.
 *
 * @param point number of the point of the sweep, from 0
 * @param policy number of the policy in the experiment, from 0
 * @param replication number of the replication, from 0
 */
public record UnitKey(int point, int policy, int replication) implements Comparable<UnitKey> {
    private static final Comparator<UnitKey> ORDER = Comparator.comparingInt(UnitKey::point)
            .thenComparingInt(UnitKey::policy)
            .thenComparingInt(UnitKey::replication);

    @Override
    public int compareTo(UnitKey other) {
        return ORDER.compare(this, other);
    }

    /** The file of the unit below the directory of all units: a directory for each point. */
    public String fileName() {
        return String.format(Locale.ROOT, "point-%d/policy-%d-replication-%d.unit", point, policy, replication);
    }

    @Override
    public String toString() {
        return "point " + point + ", policy " + policy + ", replication " + replication;
    }
}
