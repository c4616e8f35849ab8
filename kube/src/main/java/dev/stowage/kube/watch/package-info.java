/** Lists and watches what a cluster has, and notices watches that have fallen silent. */
@NullMarked
package dev.stowage.kube.watch;

import org.jspecify.annotations.NullMarked;
