/** The log of a process that serves: JSON lines on standard error. */
@NullMarked
package dev.stowage.cli.log;

import org.jspecify.annotations.NullMarked;
