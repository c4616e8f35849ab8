/** The deterministic state machine: the same commands in the same order give the same effects and digest on any JVM. */
@NullMarked
package dev.stowage.core.engine;

import org.jspecify.annotations.NullMarked;
