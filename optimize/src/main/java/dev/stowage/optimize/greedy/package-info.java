/**
 * Greedy packing for reward (Psychas and Ghaderi 2020, section 3): the configuration of greatest reward, the greedy
 * placement by such configurations, and its limit for many servers.
 */
@NullMarked
package dev.stowage.optimize.greedy;

import org.jspecify.annotations.NullMarked;
