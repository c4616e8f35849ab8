/** What processes that serve have in common: the log, JSON lines on standard error, and the address. */
@NullMarked
package dev.stowage.cli.log;

import org.jspecify.annotations.NullMarked;
