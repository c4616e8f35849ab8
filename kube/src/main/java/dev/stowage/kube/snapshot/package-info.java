/** A Kubernetes cluster at one moment: its nodes, pods and budgets of disruption, from files or asked for once. */
@NullMarked
package dev.stowage.kube.snapshot;

import org.jspecify.annotations.NullMarked;
