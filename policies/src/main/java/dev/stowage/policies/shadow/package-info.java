/**
 * Routing across data centers by virtual queues, and the baseline that the paper compares it with.
 *
 * <p>Y. Guo, A. L. Stolyar, A. Walid: Shadow-Routing Based Dynamic Algorithms for Virtual Machine Placement in a
 * Network Cloud, IEEE INFOCOM 2013.
 *
 * <table>
 * <caption>Symbols</caption>
 * <tr><th>paper</th><th>here</th></tr>
 * <tr><td>class i of VMs, data center j, physical machine (PM)</td><td>type, site (or block), server</td></tr>
 * <tr><td>a_ik; A_jk, beta_jk, beta*_j</td><td>{@code View.typeDemand}, {@code typePooledDemand}; {@link
 * dev.stowage.policies.shadow.Block#capacity}, {@code View.pooledCapacity},
 * {@link dev.stowage.policies.shadow.Block#up}</td></tr>
 * <tr><td>1 / mu_i, theta_1</td><td>{@link dev.stowage.policies.learn.ServiceTimes}</td></tr>
 * <tr><td>reduced set S_j, s</td><td>{@link dev.stowage.policies.shadow.ConfigurationSet}, a number in it</td></tr>
 * <tr><td>R_i</td><td>{@link dev.stowage.policies.shadow.Blocks#fitting}, of those the blocks with servers up</td></tr>
 * <tr><td>Q_jk, Q_ji, sigma, condition (8)</td><td>{@link dev.stowage.policies.shadow.VirtualSystem}, {@link
 * dev.stowage.policies.shadow.BlockQueues}</td></tr>
 * <tr><td>c, eta, gamma</td><td>{@link dev.stowage.policies.shadow.Work}, {@link
 * dev.stowage.policies.shadow.ShadowOptions#gamma}</td></tr>
 * <tr><td>phi, theta, (9), (18)</td><td>{@link dev.stowage.policies.shadow.UsageFractions}</td></tr>
 * <tr><td>Algorithm A; B; C and D</td><td>{@link dev.stowage.policies.shadow.AlgorithmA}; {@link
 * dev.stowage.policies.shadow.BlockServers}; {@link dev.stowage.policies.shadow.AlgorithmsCD}</td></tr>
 * <tr><td>z_i(s), s-PM</td><td>in {@link dev.stowage.policies.shadow.BlockServers}: requests in use,
 * designation</td></tr>
 * <tr><td>u_jk, v_nk</td><td>in {@link dev.stowage.policies.shadow.LoadBalancing}</td></tr>
 * </table>
 *
 * <p>Deviations and what the paper leaves open:
 * <ul>
 * <li>Virtual queues are whole numbers of which 2^30 are c, so what is added rounds by at most 5e-10 c, and weights of
 * configurations are exact however long they are kept up. Proposition 1 asks for rational parameters, too.
 * <li>In a step the queues grow first, then sigma and (8) are evaluated; sigma is computed for all blocks, those with
 * empty queues included. Ties go to the lowest site (as far as
 * roundings of 2^-30 c leave them ties) and to the first configuration in lexicographic order, the largest first.
 * <li>c and eta are set from the blocks and mean service times of the first request that is routed, and kept when
 * servers or service times change; only if an arrival would add more than 16 c are they set anew, and while undeclared
 * means are being learned ({@link dev.stowage.policies.shadow.Work}). eta follows the number of queues.
 * <li>gamma says how many steps of service a virtual queue is long. One step takes s_i c from it, so gamma has to grow
 * with the most slots s_i of a type in a server: with dozens of small requests to a server, and gamma 5, a service
 * empties the queues of the small types, and the next requests are spread by the squares of the numbers of servers,
 * whatever the optimum.
 * <li>Algorithm B compares (z + 1) / (s phi) among configurations with phi above 0: as printed, every untouched one has
 * ratio 0 however small its phi, and 0/0 where phi is 0. As long as no configuration that has the type was used, all
 * count alike. The printed rule from equal fractions is {@code ratio=literal}.
 * <li>If neither an s'-PM nor an empty server has room, the next best configuration with room is taken. Only if there
 * is none does the request wait, first in, first out per type and block: it was routed to the block. Servers that are
 * not up count in no sum.
 * <li>A site with several blocks (remark 1) has virtual queues (j, i) and a utilization for each block; the queues of
 * its pools are shared. In the simplified scheme routing sees the site's sums, and Algorithm D picks the block by the
 * least Q_ji / beta*_j, as Algorithm A confined to the site does.
 * <li>Remark 2: with {@code migration=real} requests do move, when a departure leaves a configuration with one server
 * more than ceil(max z_i / s_i), and no more than the emptiest of its servers holds. The paper counts as if they moved,
 * without moving them; that count is the gauge {@code idealised_servers}, also without migration.
 * <li>Beyond the paper: {@code shadow-consolidating} is shadow with real migration within a budget per hour ({@link
 * dev.stowage.policies.shadow.MoveBudget}; a departure looks at its own configuration only, so what the budget forbade
 * is made up for when another request leaves that configuration). {@code shadow-bfjs} routes by Algorithm A and packs
 * by BF-J/S ({@link dev.stowage.policies.shadow.BestFitLayer}), which needs no configurations below the routing layer;
 * in a slot arrivals come first.
 * <li>Where a server has more than {@code listed} maximal configurations, they are not listed. With {@code within}
 * above 0 condition (8) counts the heaviest configuration known in a block, and a service takes one that is lighter
 * than the heaviest by at most that part. Else the exact knapsack finds the
 * heaviest (of several one that the queues determine; then it is filled up), and Algorithm B knows those that were ever
 * used and one per type.
 * <li>A mean service time that is not declared is that of the requests seen so far, before the first the mean of those
 *     known.
 * <li>Baseline: R_i is the set of sites that could hold the request if empty; one that is full makes it wait. Fits are
 * &lt;=; the paper's Table III was made with &lt; ({@code strict-fit=true}; servers only).
 * <li>Constraints beyond sites are kept by the baseline only: the other schemes plan with the servers of a block as
 * equals. R_i is then the set of sites with a server that could hold the request and that its constraints admit now.
 * <li>Requests without a type, or with a demand other than their type's, are rejected: the algorithms know types only.
 * </ul>
 */
@NullMarked
package dev.stowage.policies.shadow;

import org.jspecify.annotations.NullMarked;
