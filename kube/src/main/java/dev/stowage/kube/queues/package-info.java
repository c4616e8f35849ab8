/** Queues of Kueue with their quotas and workloads, as an experiment. */
@NullMarked
package dev.stowage.kube.queues;

import org.jspecify.annotations.NullMarked;
