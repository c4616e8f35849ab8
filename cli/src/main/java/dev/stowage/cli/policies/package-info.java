/** Lists the policies. */
@NullMarked
package dev.stowage.cli.policies;

import org.jspecify.annotations.NullMarked;
