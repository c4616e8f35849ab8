/** Pods of a Kubernetes cluster, placed by a policy. */
@NullMarked
package dev.stowage.cli.kube;

import org.jspecify.annotations.NullMarked;
