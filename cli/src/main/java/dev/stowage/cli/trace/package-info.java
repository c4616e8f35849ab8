/** Looks at traces, and converts them. */
@NullMarked
package dev.stowage.cli.trace;

import org.jspecify.annotations.NullMarked;
