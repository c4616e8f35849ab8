/**
 * Servers with GPUs, filled until nothing fits: the benchmark of Q. Weng and others, <i>Beware of Fragmentation:
 * Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent</i>, USENIX ATC 2023, repeated run by run.
 *
 * <p>A request asks for whole GPUs or for a part of one, in thousandths. Requests arrive in an order drawn from a
 * seed and never leave; one that fits nowhere is lost. {@link dev.stowage.study.fgd.GpuRun} carries a run out on the
 * engine, under a policy of {@link dev.stowage.policies.devices}; {@link dev.stowage.study.fgd.GpuBound} says how many
 * GPUs any placement could give away.
 */
@NullMarked
package dev.stowage.study.fgd;

import org.jspecify.annotations.NullMarked;
