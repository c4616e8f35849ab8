/** What processes that serve have in common: the log, JSON lines on standard error, the address, the signal to end. */
@NullMarked
package dev.stowage.cli.log;

import org.jspecify.annotations.NullMarked;
