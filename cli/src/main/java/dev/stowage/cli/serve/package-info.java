/** Starts nodes of the live service. */
@NullMarked
package dev.stowage.cli.serve;

import org.jspecify.annotations.NullMarked;
