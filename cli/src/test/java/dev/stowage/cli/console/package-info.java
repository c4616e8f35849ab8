/** The console in a real browser. */
@NullMarked
package dev.stowage.cli.console;

import org.jspecify.annotations.NullMarked;
