/**
 * What a policy is, what it may see ({@link View}) and what it may do ({@link Actions}); nothing else of the engine.
 */
@NullMarked
package dev.stowage.core.policy;

import org.jspecify.annotations.NullMarked;
