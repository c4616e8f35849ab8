/**
 * The Best-Fit family.
 *
 * <p>K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters, IEEE INFOCOM 2019,
 * sections IV and VIII.
 *
 * <table>
 *   <caption>Paper and code</caption>
 *   <tr><th>paper</th><th>here</th></tr>
 *   <tr><td>R_j, size of job j</td><td>{@code View.demand}</td></tr>
 *   <tr><td>L servers</td><td>{@code View.servers}, those that are up</td></tr>
 *   <tr><td>Q(t), the queue</td><td>queue 0, with the pending requests of the step</td></tr>
 *   <tr><td>A(t), new arrivals of a slot</td><td>{@link dev.stowage.policies.fit.Undecided}</td></tr>
 *   <tr><td>servers with job departures</td><td>{@link dev.stowage.policies.fit.FreedRoom}</td></tr>
 *   <tr><td>residual capacity</td><td>{@code View.free}</td></tr>
 *   <tr><td>BF-J</td><td>{@link dev.stowage.policies.fit.JobByJob} with
 *     {@link dev.stowage.policies.fit.BestFit#servers}, key {@code bf-j}</td></tr>
 *   <tr><td>BF-S</td><td>{@code BfS}, key {@code bf-s}</td></tr>
 *   <tr><td>BF-J/S</td><td>{@code BfJs}, key {@code bf-js}</td></tr>
 *   <tr><td>score of section VIII</td><td>{@link dev.stowage.policies.fit.Score}</td></tr>
 * </table>
 *
 * <p>Deviations and what the paper leaves open:
 *
 * <ul>
 *   <li>A slot is a step of the engine. In continuous time every arrival and every departure is a step of its own.
 *   <li>Step 1 of BF-J/S looks at servers with a departure in this slot, the new arrivals included in the queue; the paper
 *       schedules at the start of a slot and so says "previous time slot".
 *   <li>Ties: equal sizes go to the earlier arrival, equal residual capacities and equal scores to the lower server number.
 *       In BF-S equal scores go first to the larger request, by the sum of its scaled demands: on an empty server the score
 *       "occupied" is 0 for every request, and the rule then falls back to BF-S in one dimension.
 *   <li>A server that was added or came back counts as one that had a departure; so do, for requests that use a pool, all
 *       servers of a site in which part of a pool became free. Without that, requests would wait that fit.
 *   <li>BF-J and BF-S are to be performed in every slot over all jobs and servers. Here the searches that must fail are
 *       left out; the outcome is the same.
 *   <li>A request whose server was lost is treated as a new arrival with its old place in the order of arrival.
 *   <li>Amounts of different resources are divided by the largest capacity any server had; unequal servers keep their own
 *       residual capacities.
 * </ul>
 */
@NullMarked
package dev.stowage.policies.bestfit;

import org.jspecify.annotations.NullMarked;
