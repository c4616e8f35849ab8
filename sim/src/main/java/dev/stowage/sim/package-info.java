/** The simulator. */
@NullMarked
package dev.stowage.sim;

import org.jspecify.annotations.NullMarked;
