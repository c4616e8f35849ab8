package dev.stowage.sim.unit;

/**
 * The header of a unit.
 *
 * @param stamp what it belongs to
 * @param key which run it is
 * @param dealing how its run was started, which does not affect what is measured
 */
public record UnitHeader(UnitStamp stamp, UnitKey key, Dealing dealing) {
    /**
     * How the run of a unit was started.
     *
     * @param shards number of shards among which the units were distributed; 0 without shards
     * @param base directory against which files that the experiment names are resolved
     */
    public record Dealing(int shards, String base) {}
}
