/**
 * Units of an experiment, (point, policy, replication): what a run measured, as a file that any process can write and
 * another one read. docs/internals/units.md has the bytes.
 */
@NullMarked
package dev.stowage.sim.unit;

import org.jspecify.annotations.NullMarked;
