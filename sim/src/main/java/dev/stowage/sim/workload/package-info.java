/** Workloads: requests with their arrival, type, demand and work, from generators and traces. */
@NullMarked
package dev.stowage.sim.workload;

import org.jspecify.annotations.NullMarked;
