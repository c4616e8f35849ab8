/** {@code stowage new}: projects to begin with. */
@NullMarked
package dev.stowage.cli.newpolicy;

import org.jspecify.annotations.NullMarked;
