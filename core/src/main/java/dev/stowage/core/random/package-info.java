/** Named random streams, and lifetimes to draw from, the same on every JVM. */
@NullMarked
package dev.stowage.core.random;

import org.jspecify.annotations.NullMarked;
