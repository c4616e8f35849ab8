package dev.stowage.sim.result;

import org.jspecify.annotations.Nullable;

/**
 * A mean and how far to trust it.
 *
 * @param mean the estimate
 * @param halfWidth half-width of the confidence interval; null if one run gives no interval
 * @param confidence level of the interval, e.g. 0.95
 * @param method {@code replications}, {@code batch-means} or {@code single-run}; {@code proven} if nothing was
 *     estimated
 * @param count replications or batches behind the interval
 */
public record Estimate(double mean, @Nullable Double halfWidth, double confidence, String method, int count) {}
