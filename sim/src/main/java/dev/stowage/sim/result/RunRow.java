package dev.stowage.sim.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * One replication of one policy at one sweep point.
 *
 * @param origin where the row comes from
 * @param replication number of the replication, from 0
 * @param seed seed of the replication
 * @param digest digest of the engine at the end, 16 hex digits
 * @param warmupSeconds length of the warm-up that was cut from the start, in simulated seconds
 * @param horizonSeconds end of the run, in simulated seconds
 * @param metrics value of every metric by name, e.g. {@code wait_mean_s}, {@code
 *     utilization{site=dc1,resource=cpu_milli}}; a metric that does not exist in the run (no request waited, say) is
 *     absent
 * @param blocks the metrics that policies are compared in, block by block; only for a single run on given requests,
 *     such as those of a trace; otherwise replications are compared
 */
public record RunRow(
        Origin origin,
        int replication,
        long seed,
        String digest,
        double warmupSeconds,
        double horizonSeconds,
        Map<String, Double> metrics,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, TimeBlocks> blocks)
        implements ResultRow {
    /** Rows from before there were blocks have none. */
    @SuppressWarnings("NullAway") // read from JSON
    public RunRow {
        blocks = blocks == null ? Map.of() : blocks;
    }

    /** A replication without blocks. */
    public RunRow(
            Origin origin,
            int replication,
            long seed,
            String digest,
            double warmupSeconds,
            double horizonSeconds,
            Map<String, Double> metrics) {
        this(origin, replication, seed, digest, warmupSeconds, horizonSeconds, metrics, Map.of());
    }
}
