/** Estimates that policies learn from observations. */
@NullMarked
package dev.stowage.policies.learn;

import org.jspecify.annotations.NullMarked;
