/**
 * Admission for reward by slots reserved in advance.
 *
 * <p>K. Psychas, J. Ghaderi: A Theory of Auto-Scaling for Resource Reservation in Cloud Services, 2020
 * (arXiv:2005.13744).
 *
 * <table>
 * <caption>Symbols</caption>
 * <tr><th>paper</th><th>here</th></tr>
 * <tr><td>L; J</td><td>{@code Fleet.size}, servers that take part; {@code View.types()}</td></tr>
 * <tr><td>u_j; U(k), MaxReward</td><td>{@code View.typeReward}; {@link dev.stowage.optimize.greedy.MaxReward}</td></tr>
 * <tr><td>k^l, k-hat^l, c^l</td><td>{@code Slots.configuration}, {@code Slots.filled}; index c = size -
 * {@code Stacks.position}</td></tr>
 * <tr><td>X_k</td><td>{@code Stacks.size}</td></tr>
 * <tr><td>X-hat, k[i]</td><td>{@link dev.stowage.optimize.greedy.GreedyPlacement}</td></tr>
 * <tr><td>Y, Y-hat, g(L)</td><td>{@code Dra.present}, {@code Dra.left}, {@code Slack}</td></tr>
 * <tr><td>rank, I*</td><td>{@code Groups.rank}, {@code Groups.reach}, both from 0; rank J + 1 is
 * {@code Groups.UNRANKED}</td></tr>
 * <tr><td>AG_j, RG_j</td><td>{@code Groups.accept}, {@code Groups.reject}</td></tr>
 * <tr><td>x^(g), U^(g)</td><td>{@link dev.stowage.optimize.greedy.GlobalGreedy}</td></tr>
 * </table>
 *
 * <p>Deviations and what the paper leaves open:
 * <ul>
 * <li>Reject Group: rank beyond I* and index 1, so at most one server of each configuration is emptied at a time. (All
 * servers of rank beyond I* is another reading of the text; it does not tend to the greedy limit.)
 * <li>CRA gives the oldest servers of a configuration its rank, as the prose says; the printed loop is off by one.
 * <li>An empty server to be reassigned is the lowest-numbered of those without rank at that moment, those of later
 * configurations included. It becomes the newest of its new configuration.
 * <li>GPA: see {@link dev.stowage.optimize.greedy.GreedyPlacement}. Servers it does not need keep their configuration.
 * <li>AG_j: lowest rank, then largest index, then lowest server. RG_j: highest rank, then lowest server; of its jobs of
 * the type the one placed there first.
 * <li>A rejected arrival leads to no CRA. g(L) is at least 1: from an empty start 0 would reject everything for ever.
 * <li>Types that fit no server of a class, or demand nothing, take no part in its GPA; requests of types that fit
 * nowhere are refused by the engine, requests that demand nothing or have no type or a demand of their own are
 * rejected.
 * <li>A server that holds anything else (a dummy, such a request) is set aside, counted in no L, until that has left.
 * Then, as at the start, its placement is its configuration; an empty server has the zero configuration.
 * <li>A drained or lost server leaves its stack, a returned or new one joins as at the start; L and g(L) follow, and an
 * update is made at once, also if updates are periodic. What runs on a draining server counts in Y: its successors will
 * want slots.
 * <li>Several classes of servers: see {@code Dra}. The paper postpones this; by the order of classes, one after the
 * other, its argument for 1/2 holds for the greedy assignment. Each site has classes of its own, and jobs do not
 * migrate between sites.
 * <li>Pooled resources are looked at when a request is placed; GPA does not know them.
 * </ul>
 */
@NullMarked
package dev.stowage.policies.reservation;

import org.jspecify.annotations.NullMarked;
