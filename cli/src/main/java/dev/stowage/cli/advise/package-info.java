/** {@code stowage advise}: advice for a cluster as it is, and how it is shown. */
@NullMarked
package dev.stowage.cli.advise;

import org.jspecify.annotations.NullMarked;
