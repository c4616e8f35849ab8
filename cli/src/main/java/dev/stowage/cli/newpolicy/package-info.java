/** {@code stowage new}: creates projects. */
@NullMarked
package dev.stowage.cli.newpolicy;

import org.jspecify.annotations.NullMarked;
