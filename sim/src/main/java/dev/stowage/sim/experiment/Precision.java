package dev.stowage.sim.experiment;

/**
 * A precision that is wanted: replications are added until it is reached.
 *
 * @param metric name of a metric, as in docs/results.md
 * @param relative half-width of its interval over its mean, e.g. 0.02; for two policies, the relative difference that
 *     does not matter
 * @param mostReplications limit of the replications
 */
public record Precision(String metric, double relative, int mostReplications) {
    /** The default metric. */
    public static final String DEFAULT_METRIC = "wait_mean_s";
    /** The default limit of replications, unless the pilot has more. */
    public static final int MOST_REPLICATIONS = 200;
}
