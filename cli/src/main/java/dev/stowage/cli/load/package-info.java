/** Sends requests to a live service at a given rate. */
@NullMarked
package dev.stowage.cli.load;

import org.jspecify.annotations.NullMarked;
