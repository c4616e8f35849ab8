package dev.stowage.study.size;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What is there at the moment that decides a bound. */
final class Present {
    private Present() {}

    /**
     * Which resource is fullest and which type holds most of it; null where nothing is held.
     *
     * @param held by type and resource
     */
    static Sizing.@Nullable Binding most(ServerFleet fleet, long[][] held, PeakBound bound, List<String> types) {
        List<String> resources = fleet.resources();
        double[] sum = new double[resources.size()];
        for (long[] ofType : held) {
            for (int r = 0; r < ofType.length; r++) {
                sum[r] += ofType[r];
            }
        }
        double[] capacity = fleet.capacity(bound.level());
        int named = resources.indexOf(bound.resource());
        int fullest = named >= 0
                ? named
                : IntStream.range(0, sum.length)
                        .filter(r -> capacity[r] > 0)
                        .boxed()
                        .max((a, b) -> Double.compare(sum[a] / capacity[a], sum[b] / capacity[b]))
                        .orElse(0);
        if (sum[fullest] == 0) {
            return null;
        }
        int type = IntStream.range(0, held.length)
                .boxed()
                .max((a, b) -> Long.compare(held[a][fullest], held[b][fullest]))
                .orElse(0);
        return new Sizing.Binding(
                resources.get(fullest), bound.atNanos() / 3600e9, types.get(type), held[type][fullest] / sum[fullest]);
    }
}
