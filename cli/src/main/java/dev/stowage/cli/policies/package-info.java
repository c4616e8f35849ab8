/** Policies of the registry, and those of users' jars. */
@NullMarked
package dev.stowage.cli.policies;

import org.jspecify.annotations.NullMarked;
