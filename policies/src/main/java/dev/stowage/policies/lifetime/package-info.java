/**
 * Placing by expected lifetimes.
 *
 * <table>
 *   <caption>Literature and code</caption>
 *   <tr><th>literature</th><th>here</th></tr>
 *   <tr><td>temporal cost, non-invasive scoring (NILAS): J. Ling et al., LAVA: Lifetime-Aware VM Allocation with
 *       Learned Distributions and Adaptation to Mispredictions, MLSys 2025</td><td>{@link LeastExtension} in
 *       steps</td></tr>
 *   <tr><td>host lifetime classes, recycling, deadlines (LAVA, same paper)</td><td>{@link Lava}</td></tr>
 *   <tr><td>lifetime alignment: H. Barbalho et al., Virtual Machine Allocation with Lifetime Predictions, MLSys
 *       2023</td><td>{@link Alignment}</td></tr>
 *   <tr><td>classify by duration, first fit: R. Ren and X. Tang, Clairvoyant Dynamic Bin Packing for Job Scheduling
 *       with Minimum Server Usage Time, SPAA 2016</td><td>{@link DurationClasses}</td></tr>
 *   <tr><td>hybrid of general bins and bins by duration and time of arrival: Y. Azar and D. Vainstein, Tight Bounds for
 *       Clairvoyant Dynamic Bin Packing, SPAA 2017</td><td>{@link Hybrid}</td></tr>
 * </table>
 *
 * <p>Our own, and the default: NILAS in the finest steps, as long as expectations turn out good ({@link Trust}).
 *
 * <p>Deviations: a prediction is a duration, and one that is outlived doubles, where Ling et al. ask a learned
 * distribution again and the others do nothing (nor does the hybrid here). The steps of NILAS are the limits of LAVA's
 * classes. Of alignment it is said that a request goes to the servers whose class of time left is its own; that the
 * next ones are those of the nearest class is our reading. So is the hybrid, of which we had no full text: that a
 * request counts when it starts, that a type with bins of its own uses no general ones, and its size in several
 * resources. Servers are finite: where the theory opens a bin and there is none, any with room is taken.
 */
@NullMarked
package dev.stowage.policies.lifetime;

import org.jspecify.annotations.NullMarked;
