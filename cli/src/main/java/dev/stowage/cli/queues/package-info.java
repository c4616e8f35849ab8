/** {@code stowage kube queues}. */
@NullMarked
package dev.stowage.cli.queues;

import org.jspecify.annotations.NullMarked;
