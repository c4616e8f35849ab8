/** Metrics of the scheduler and the guard in the text form of Prometheus. */
@NullMarked
package dev.stowage.kube.metrics;

import org.jspecify.annotations.NullMarked;
