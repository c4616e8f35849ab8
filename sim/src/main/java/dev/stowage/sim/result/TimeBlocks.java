package dev.stowage.sim.result;

/**
 * A metric of one run in blocks of time of equal length, from the end of the warm-up: used to compare policies on the
 * same requests.
 *
 * @param widthSeconds length of a block, simulated seconds; policies that ran longer may have longer ones, by a power
 *     of two
 * @param numerators per block the mean over time, or the numerator of a ratio
 * @param denominators per block the denominator of a ratio; empty where the metric is a mean over time
 */
public record TimeBlocks(double widthSeconds, double[] numerators, double[] denominators) {}
