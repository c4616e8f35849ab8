package dev.stowage.study.reproduce;

import dev.stowage.study.row.TimedPolicies;
import java.util.List;

/**
 * A figure, or a claim, of a paper.
 *
 * @param key name on the command line, e.g. {@code fig1}
 * @param title what it shows
 * @param experiments experiments that give it, in order, files of {@code experiments/paper/} without their ending.
 *     Several are joined, with a sweep axis "experiment" before their own
 * @param metric metric that the picture shows against the sweep axis, or {@link #QUEUE_OVER_TIME}
 * @param claim what the paper says, in one line
 * @param judge decides whether it holds
 * @param optimum with {@link #SERVERS_BY_SITE}: hours after the warm-up from which an optimum holds, and the optimum
 */
public record PaperFigure(
        String key,
        String title,
        List<String> experiments,
        String metric,
        String claim,
        Judge judge,
        double[]... optimum) {
    /** The picture shows the part of each site's servers in use over time, and the optimum. */
    public static final String SERVERS_BY_SITE = "servers by site";

    /** The picture shows the mean completion time of jobs by order of the queue, with its bound. */
    public static final String COMPLETION_BY_ORDER = "completion by order";

    /**
     * Processor time of each scheduler in a run, by order of the queue. It is measured only where a figure shows it.
     */
    public static final String SCHEDULER_TIME = TimedPolicies.METRIC;

    /** The picture shows the reward over time and the bound for any policy. */
    public static final String REWARD_OVER_TIME = "reward over time";

    /** A table without a picture: the evidence shows everything. */
    public static final String NO_PICTURE = "no picture";

    /** The picture shows the queue over time. */
    public static final String QUEUE_OVER_TIME = "queue over time";

    /** A figure of some experiments. */
    public PaperFigure {
        experiments = List.copyOf(experiments);
    }

    /** Of one experiment. */
    public PaperFigure(
            String key,
            String title,
            String experiment,
            String metric,
            String claim,
            Judge judge,
            double[]... optimum) {
        this(key, title, List.of(experiment), metric, claim, judge, optimum);
    }
}
