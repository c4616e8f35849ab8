/** Shows bounds of what any policy can do. */
@NullMarked
package dev.stowage.cli.bound;

import org.jspecify.annotations.NullMarked;
