package dev.stowage.sim.unit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Distributes units to shards so that all shards take about the same time: the longest unit first, each to the shard
 * that has least so far (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969). The same units and costs give
 * the same shards everywhere.
 */
public final class Shards {
    private Shards() {}

    /** The load of a shard so far. */
    private record ShardLoad(double cost, int units, int shard) {}

    /**
     * The units of each shard, in order of their keys. Some shards are empty if there are more shards than units.
     *
     * @param units in any order
     * @param costs how long each takes, in any unit of time
     * @param shards at least 1
     */
    public static List<List<UnitKey>> deal(List<UnitKey> units, double[] costs, int shards) {
        List<List<UnitKey>> dealt = new ArrayList<>();
        PriorityQueue<ShardLoad> loads = new PriorityQueue<>(Comparator.comparingDouble(ShardLoad::cost)
                .thenComparingInt(ShardLoad::units)
                .thenComparingInt(ShardLoad::shard));
        for (int shard = 0; shard < shards; shard++) {
            dealt.add(new ArrayList<>());
            loads.add(new ShardLoad(0, 0, shard));
        }
        IntStream.range(0, units.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(unit -> -costs[unit])
                        .thenComparing(units::get))
                .forEachOrdered(unit -> {
                    ShardLoad least = loads.remove();
                    dealt.get(least.shard).add(units.get(unit));
                    loads.add(new ShardLoad(least.cost + costs[unit], least.units + 1, least.shard));
                });
        dealt.forEach(own -> own.sort(Comparator.naturalOrder()));
        return dealt;
    }
}
