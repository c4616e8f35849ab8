/** What a run writes beside its results: decisions and recordings, a file for each run. */
@NullMarked
package dev.stowage.cli.watch;

import org.jspecify.annotations.NullMarked;
