/** What a policy says about itself: its entry in the registry, its parameters and their values. */
@NullMarked
package dev.stowage.policies.catalog;

import org.jspecify.annotations.NullMarked;
