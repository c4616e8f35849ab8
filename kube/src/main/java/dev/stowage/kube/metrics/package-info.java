/** What the scheduler and the guard measure. */
@NullMarked
package dev.stowage.kube.metrics;

import org.jspecify.annotations.NullMarked;
