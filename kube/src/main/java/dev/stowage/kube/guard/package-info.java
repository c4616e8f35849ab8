/** A validating webhook that refuses bindings for which the node has no room. */
@NullMarked
package dev.stowage.kube.guard;

import org.jspecify.annotations.NullMarked;
