/** Nodes of a running cluster that are emptied: cordoned, their pods evicted, opened again. */
@NullMarked
package dev.stowage.kube.consolidate;

import org.jspecify.annotations.NullMarked;
