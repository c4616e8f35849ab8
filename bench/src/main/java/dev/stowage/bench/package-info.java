/** Benchmarks, alone and side by side with other systems. */
@NullMarked
package dev.stowage.bench;

import org.jspecify.annotations.NullMarked;
