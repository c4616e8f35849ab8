/** Shows bounds for any policy. */
@NullMarked
package dev.stowage.cli.bound;

import org.jspecify.annotations.NullMarked;
