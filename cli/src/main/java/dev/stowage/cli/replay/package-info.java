/** Plays recordings again, of runs and of a service. */
@NullMarked
package dev.stowage.cli.replay;

import org.jspecify.annotations.NullMarked;
