/**
 * A Kubernetes cluster at one moment: its nodes, pods and budgets of disruption, from files, or read once from the API
 * server.
 */
@NullMarked
package dev.stowage.kube.snapshot;

import org.jspecify.annotations.NullMarked;
