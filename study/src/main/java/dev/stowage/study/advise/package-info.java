/**
 * Advice for a cluster as it is at one moment: why jobs wait, the fewest servers that hold the running jobs, a plan of
 * moves towards it, the effect of a lost server or of one more deployment. Independent of where the cluster is read
 * from.
 */
@NullMarked
package dev.stowage.study.advise;

import org.jspecify.annotations.NullMarked;
