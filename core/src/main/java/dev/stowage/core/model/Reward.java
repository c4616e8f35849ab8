package dev.stowage.core.model;

/**
 * The unit of rewards: whole micro-units per hour of service. Price lists are per hour and full of equal sums; rounded
 * to another unit they would not be equal any more.
 */
public final class Reward {
    /** This much is one unit per second. */
    public static final double ONE_PER_SECOND = 3600e6;

    private Reward() {}
}
