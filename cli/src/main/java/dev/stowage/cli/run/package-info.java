/** Runs experiments, and shows the results. */
@NullMarked
package dev.stowage.cli.run;

import org.jspecify.annotations.NullMarked;
