/** {@code stowage advise}: what to do with a cluster as it is, and how advice is shown. */
@NullMarked
package dev.stowage.cli.advise;

import org.jspecify.annotations.NullMarked;
