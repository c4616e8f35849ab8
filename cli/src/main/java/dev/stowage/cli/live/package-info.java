/** Calls a live service. */
@NullMarked
package dev.stowage.cli.live;

import org.jspecify.annotations.NullMarked;
