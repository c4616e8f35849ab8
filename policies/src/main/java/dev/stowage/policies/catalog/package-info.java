/** The description of a policy: its entry in the registry, its parameters and their values. */
@NullMarked
package dev.stowage.policies.catalog;

import org.jspecify.annotations.NullMarked;
