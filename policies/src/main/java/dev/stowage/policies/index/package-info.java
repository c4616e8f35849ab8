/**
 * Placement indexes: find an item that fits, and the one that fits best, without a full scan.
 *
 * <p>An index holds numbered items (servers, or waiting jobs), each with whole-unit values and an order key. Every
 * answer is decided by values and order keys alone, never by the history of insertions, so an index can be rebuilt from
 * a restored state and goes on giving the same answers. Nothing is allocated once the arrays have grown to the largest
 * item number.
 *
 * <ul>
 *   <li>{@link dev.stowage.policies.index.OrderedIndex}: one resource, nearest value from above or below.
 *   <li>{@link dev.stowage.policies.index.DominanceIndex}: several resources, largest linear score among the points
 *       below a limit; with equal scores the first in order, which is first fit.
 * </ul>
 */
@NullMarked
package dev.stowage.policies.index;

import org.jspecify.annotations.NullMarked;
