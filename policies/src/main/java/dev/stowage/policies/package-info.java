/** The registry of all policies. */
@NullMarked
package dev.stowage.policies;

import org.jspecify.annotations.NullMarked;
