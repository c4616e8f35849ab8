/** Preemption: which pods of lower priority must go so that a waiting one has room, and on which node. */
@NullMarked
package dev.stowage.kube.preempt;

import org.jspecify.annotations.NullMarked;
