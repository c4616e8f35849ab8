/** Expected lifetimes for the requests of a trace: true, with an error, learned, or worthless. */
@NullMarked
package dev.stowage.sim.predict;

import org.jspecify.annotations.NullMarked;
