/** {@code stowage size}: how many servers. */
@NullMarked
package dev.stowage.cli.size;

import org.jspecify.annotations.NullMarked;
