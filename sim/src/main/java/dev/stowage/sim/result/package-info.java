/**
 * Rows of the results file (JSON Lines, schema {@code stowage.results/1}); every field is described in docs/results.md.
 * Beside them is what is said of how they came about, a {@link dev.stowage.sim.result.Remark} each.
 */
@NullMarked
package dev.stowage.sim.result;

import org.jspecify.annotations.NullMarked;
