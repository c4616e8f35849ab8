/** The command line. */
@NullMarked
package dev.stowage.cli;

import org.jspecify.annotations.NullMarked;
