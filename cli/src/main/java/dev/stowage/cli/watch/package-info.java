/** Files of a run beside its results: decisions and recordings. */
@NullMarked
package dev.stowage.cli.watch;

import org.jspecify.annotations.NullMarked;
