/**
 * Scheduling by Poisson clocks, and the max-weight policies that the paper compares it with.
 *
 * <p>J. Ghaderi: Randomized Algorithms for Scheduling VMs in the Cloud, IEEE INFOCOM 2016.
 *
 * <table>
 * <caption>Symbols</caption>
 * <tr><th>paper</th><th>here</th></tr>
 * <tr><td>J, L</td><td>{@code View.types()}, servers that are up</td></tr>
 * <tr><td>Q_j; Q_j^l</td><td>length of queue j (central); of queue 1 + l J + j (distributed)</td></tr>
 * <tr><td>f, w_j = f(Q_j), exp(w_j)</td><td>{@link dev.stowage.policies.randomized.ClockRate}: the rate
 * itself</td></tr>
 * <tr><td>k^l, K_l</td><td>{@link dev.stowage.policies.randomized.Occupancy}, with {@link
 * dev.stowage.policies.randomized.Configuration} for what resources do not express</td></tr>
 * <tr><td>1/mu_j (of dummies)</td><td>{@code View.typeMeanService}, or
 * {@link dev.stowage.policies.learn.ServiceTimes}</td></tr>
 * </table>
 *
 * <p>Deviations and what the paper leaves open:
 * <ul>
 * <li>Q counts waiting requests only, before the tick. Ties of join-the-shortest-queue are broken uniformly at random.
 * <li>Rates are per {@code clock-unit-s}: the paper normalises mean service times to 1, so the default is their mean.
 * <li>A dummy lasts an exponential time with the declared mean service time of its type; where none is declared, with
 * the mean of the requests seen so far (before the first: the clock's unit).
 * <li>Ticks that would find no room are not simulated; the law of the process is the same.
 * <li>Requests without a type, or with a demand other than their type's, are rejected: the algorithms know types only.
 * <li>Servers that are not up have no clocks; what waits there is routed again. Pools of a site are checked at the
 *     tick.
 * </ul>
 */
@NullMarked
package dev.stowage.policies.randomized;

import org.jspecify.annotations.NullMarked;
