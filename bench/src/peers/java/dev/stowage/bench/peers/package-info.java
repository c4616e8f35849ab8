/** Other systems under the same workload. Compiled and run only with the Maven profile {@code peers}; never shipped. */
@NullMarked
package dev.stowage.bench.peers;

import org.jspecify.annotations.NullMarked;
