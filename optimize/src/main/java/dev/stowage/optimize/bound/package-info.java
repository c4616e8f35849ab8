/**
 * The greatest load that any policy can support, with certificates on both sides.
 *
 * <p>Sources: J. Ghaderi, Randomized Algorithms for Scheduling VMs in the Cloud (capacity region C, section III); K.
 * Psychas and J. Ghaderi, Scheduling Jobs with Random Resource Requirements in Computing Clusters (definitions 1 to 4,
 * equation (4), Theorem 1).
 *
 * <table>
 * <caption>Symbols</caption>
 * <tr><td>rho_j</td><td>load of type j: arrivals per second times mean service time in seconds</td></tr>
 * <tr><td>K_l</td><td>configurations of a server of class l</td></tr>
 * <tr><td>zeta</td><td>scale: zeta * rho is on the boundary of C</td></tr>
 * <tr><td>rho*</td><td>{@link LoadBound}</td></tr>
 * <tr><td>X, X_j</td><td>{@code DemandPartition} and its classes</td></tr>
 * </table>
 */
@NullMarked
package dev.stowage.optimize.bound;

import org.jspecify.annotations.NullMarked;
