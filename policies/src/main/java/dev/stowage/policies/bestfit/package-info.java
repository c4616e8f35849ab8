/**
 * The Best-Fit family and virtual queue scheduling.
 *
 * <p>K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters, IEEE INFOCOM
 * 2019, sections IV, V, VI and VIII.
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
 *   <tr><td>partition I, I_j, equation (6)</td><td>{@code Partition}</td></tr>
 *   <tr><td>J</td><td>parameter {@code levels}, {@code Levels}</td></tr>
 *   <tr><td>VQ_j, Q_j(t)</td><td>{@code VirtualQueues}</td></tr>
 *   <tr><td>K_RED, equation (7); k_j; &lt;k, Q&gt;, equation (8)</td><td>{@code ReducedConfigurations}</td></tr>
 *   <tr><td>active configuration, equation (9)</td><td>{@code ServerContents}</td></tr>
 *   <tr><td>VQS</td><td>{@code Vqs}, key {@code vqs}</td></tr>
 *   <tr><td>VQS-BF</td><td>{@code VqsBf}, key {@code vqs-bf}</td></tr>
 *   <tr><td>epsilon of Corollary 1</td><td>parameter {@code epsilon}</td></tr>
 *   <tr><td>stalling</td><td>parameter {@code stalling}, {@code Stalling}</td></tr>
 *   <tr><td>score of section VIII</td><td>{@link dev.stowage.policies.fit.Score}</td></tr>
 * </table>
 *
 * <p>Deviations and what the paper leaves open:
 *
 * <ul>
 *   <li>A slot is a step of the engine. In continuous time every arrival and every departure is a step of its own.
 *   <li>Step 1 of BF-J/S looks at servers with a departure in this slot, the new arrivals included in the queue; the
 *       paper schedules at the start of a slot and so says "previous time slot".
 *   <li>Ties: equal sizes go to the earlier arrival, equal residual capacities and equal scores to the lower server
 *       number. In BF-S equal scores go first to the larger request, by the sum of its scaled demands: on an empty
 *       server the score "occupied" is 0 for every request, and the rule then falls back to BF-S in one dimension.
 *   <li>A server that was added or came back counts as one that had a departure; so do, for requests that use a pool,
 *       all servers of a site in which part of a pool became free. Without that, requests would wait that fit.
 *   <li>BF-J and BF-S are to be performed in every slot over all jobs and servers. Here the searches that must fail are
 *       left out; the outcome is the same.
 *   <li>A request whose server was lost is treated as a new arrival with its old place in the order of arrival.
 *   <li>J of VQS is by default the smallest with 2^-J at most the smallest size declared or seen; it grows with smaller
 *       sizes. Corollary 1 gives {@code levels = adaptive}. All comparisons of sizes are exact.
 *   <li>VQS goes through the servers once per step. If that uncovers a head of a virtual queue that fits a server whose
 *       turn is over, the next step follows at once: the next slot, or 1 ns later in continuous time.
 *   <li>Ties of weights go to the configuration that stands first in (7). VQS-BF takes the earlier of two equal sizes.
 *   <li>Servers whose capacities differ by powers of two share a set of virtual queues, relative to the largest. For
 *       others there is a set per family, and a request joins the family where its virtual queue is shortest: with such
 *       routing the drift is at most that of any split of the load, so the fraction 2/3 of each family remains 2/3 of
 *       the whole.
 *   <li>In several resources (an extension, without the guarantee) the class of a request is that of its dominant
 *       resource, and requests fit by all their demands. To count each request as its largest demand in all resources
 *       would waste much.
 *   <li>The paper stalls a server of VQS when the weight of its configuration is "far from" the largest: here below a
 *       given fraction of it. A server of BF-J/S is stalled below a given fraction of its capacity, one half in the
 *       paper. Only servers that are not empty are stalled, and only while requests wait; otherwise no refill would
 *       ever happen.
 *   <li>Beyond the paper: {@code bf-due} is BF-J/S with those who wait in order of arrival, but for servers less than
 *       half full, and with a server held for a request that waits too long ({@link
 *       dev.stowage.policies.bestfit.BfDue}, with its two theorems).
 *   <li>Amounts of different resources are divided by the largest capacity any server had; unequal servers keep their
 *       own residual capacities.
 * </ul>
 */
@NullMarked
package dev.stowage.policies.bestfit;

import org.jspecify.annotations.NullMarked;
