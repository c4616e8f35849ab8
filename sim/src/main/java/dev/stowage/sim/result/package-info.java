/**
 * Rows of the results file (JSON Lines, schema {@code stowage.results/1}); every field is described in docs/results.md.
 */
@NullMarked
package dev.stowage.sim.result;

import org.jspecify.annotations.NullMarked;
