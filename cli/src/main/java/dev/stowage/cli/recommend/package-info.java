/** {@code stowage recommend}: which policy to choose. */
@NullMarked
package dev.stowage.cli.recommend;

import org.jspecify.annotations.NullMarked;
