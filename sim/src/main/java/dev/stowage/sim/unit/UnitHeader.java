package dev.stowage.sim.unit;

/**
 * What a unit says of itself.
 *
 * @param stamp what it belongs to
 * @param key which run it is
 * @param dealing how its run came to be, which changes nothing that is measured
 */
public record UnitHeader(UnitStamp stamp, UnitKey key, Dealing dealing) {
    /**
     * How the run of a unit came to be.
     *
     * @param shards among how many shards the units were dealt; 0 if they were not
     * @param base directory against which files that the experiment names are resolved
     */
    public record Dealing(int shards, String base) {}
}
