/** The model, the engine, the policy interface and the random streams. */
@NullMarked
package dev.stowage.core;

import org.jspecify.annotations.NullMarked;
