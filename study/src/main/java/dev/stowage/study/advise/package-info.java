/**
 * Advice for a cluster as it is at one moment: why jobs wait, the fewest servers that hold what runs, a plan of moves
 * that gets near it, what a lost server or one more deployment would do. Knows nothing of where the cluster is read
 * from.
 */
@NullMarked
package dev.stowage.study.advise;

import org.jspecify.annotations.NullMarked;
