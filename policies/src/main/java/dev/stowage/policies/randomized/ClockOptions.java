package dev.stowage.policies.randomized;

/**
 * The parameters that Algorithms 1 and 2 leave open.
 *
 * @param scale scale of f, see {@link ClockRate}
 * @param exponent exponent of f
 * @param unitNanos unit of time of the clocks, nanoseconds; 0 for the mean of the declared mean service times
 * @param dummies what a tick does when its queue is empty
 * @param configuration which configurations a server may have
 */
public record ClockOptions(
        double scale, double exponent, double unitNanos, Dummies dummies, Configuration configuration) {
    /** The paper's: f(x) = log(10 (1 + x)), dummies always, any configuration that fits. */
    public static final ClockOptions PAPER = new ClockOptions(10, 1, 0, Dummies.ALWAYS, Configuration.ANY);
}
