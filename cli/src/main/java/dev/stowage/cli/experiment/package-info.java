/** Finds the experiment of a command, a file or a built-in one, and applies options to it. */
@NullMarked
package dev.stowage.cli.experiment;

import org.jspecify.annotations.NullMarked;
