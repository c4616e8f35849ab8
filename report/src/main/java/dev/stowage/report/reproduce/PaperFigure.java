package dev.stowage.report.reproduce;

/**
 * A figure, or a claim, of a paper.
 *
 * @param key name on the command line, e.g. {@code fig1}
 * @param title what it shows
 * @param experiment experiment that gives it, a file of {@code experiments/paper/} without its ending
 * @param metric metric that the picture shows against the sweep axis, or {@link #QUEUE_OVER_TIME}
 * @param claim what the paper says, in one line
 * @param judge decides whether it holds
 */
public record PaperFigure(String key, String title, String experiment, String metric, String claim, Judge judge) {
    /** The picture shows the queue over time. */
    public static final String QUEUE_OVER_TIME = "queue over time";
}
