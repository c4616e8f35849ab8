/**
 * Greedy packing for reward (Psychas and Ghaderi 2020, section 3): the configuration of greatest reward, servers given
 * to such configurations until a type has no requests left, and the limit of that for many servers.
 */
@NullMarked
package dev.stowage.optimize.greedy;

import org.jspecify.annotations.NullMarked;
