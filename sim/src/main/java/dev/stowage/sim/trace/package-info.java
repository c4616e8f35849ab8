/**
 * Request traces and server lists: reading the public formats and the canonical one, statistics, transforms, writing.
 *
 * <p>{@link dev.stowage.sim.trace.TraceReader} reads a file into a {@link dev.stowage.sim.trace.Trace} and a
 * {@link dev.stowage.sim.trace.LoadReport}; {@link dev.stowage.sim.trace.TraceFormats} lists the formats. The columns
 * of every format, their units, source and mapping are in {@code docs/traces.md}.
 */
@NullMarked
package dev.stowage.sim.trace;

import org.jspecify.annotations.NullMarked;
