/** Evictions, as the API server takes them. */
@NullMarked
package dev.stowage.kube.evict;

import org.jspecify.annotations.NullMarked;
