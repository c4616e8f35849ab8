/**
 * Placing by expected lifetimes: J. Ling et al., LAVA: Lifetime-Aware VM Allocation with Learned Distributions and
 * Adaptation to Mispredictions, MLSys 2025. Its scoring (NILAS) prefers the server whose time in use a request prolongs
 * least, in steps; its classes are of lifetimes, corrected when a request outlives its prediction.
 *
 * <p>Deviations: classes of time left are powers of two of a minute unless {@code classes=tenfold} asks for those of
 * the paper; a server is of the class of its time left, whatever its first request was; a prediction is a duration, and
 * one that is outlived doubles, where the paper asks a learned distribution again.
 */
@NullMarked
package dev.stowage.policies.lifetime;

import org.jspecify.annotations.NullMarked;
