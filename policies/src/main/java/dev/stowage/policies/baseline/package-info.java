/**
 * Baselines for comparison.
 *
 * <ul>
 *   <li>First fit and best fit with loss: a request that fits nowhere at once is rejected (with equal requests and one
 *       resource this is the Erlang loss system).
 *   <li>First fit and best fit with a queue: at the end of every step each request in order of arrival is placed if it
 *       fits somewhere; one that does not fit does not block those after it. With best fit this is BF-J
 *       ({@link dev.stowage.policies.bestfit}).
 *   <li>FIFO-FF: the head of the queue blocks all others. Psychas, Ghaderi: Scheduling Jobs with Random Resource
 *       Requirements in Computing Clusters (INFOCOM 2019), section VII-B, after Hadoop's default scheduler.
 * </ul>
 *
 * <table>
 *   <caption>Paper and code</caption>
 *   <tr><th>paper</th><th>here</th></tr>
 *   <tr><td>FIFO-FF</td><td>{@code FifoFirstFit}</td></tr>
 *   <tr><td>first server that has sufficient capacity</td><td>{@link dev.stowage.policies.fit.FirstFit}</td></tr>
 * </table>
 *
 * <p>Deviation: none. A request whose server was lost goes to the end of the queue under FIFO-FF, and keeps its place
 * in the order of arrival under the others.
 */
@NullMarked
package dev.stowage.policies.baseline;

import org.jspecify.annotations.NullMarked;
