/** Runs experiments, and shows what came out. */
@NullMarked
package dev.stowage.cli.run;

import org.jspecify.annotations.NullMarked;
