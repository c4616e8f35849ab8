/** A validating webhook that lets no binding through for which its node has no room. */
@NullMarked
package dev.stowage.kube.guard;

import org.jspecify.annotations.NullMarked;
