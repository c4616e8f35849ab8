/**
 * Servers with GPUs, filled until nothing fits: the benchmark of Q. Weng and others, <i>Beware of Fragmentation:
 * Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent</i>, USENIX ATC 2023, repeated run by run.
 *
 * <p>A request asks for whole GPUs or for a part of one, in thousandths. Requests arrive in an order drawn from a
 * seed and never leave; one that fits nowhere is lost. A {@link dev.stowage.study.fgd.GpuPolicy} scores servers,
 * {@link dev.stowage.study.fgd.GpuRun} carries a run out, {@link dev.stowage.study.fgd.GpuBound} says how many GPUs
 * any placement could give away.
 *
 * <p>The engine does not know devices, so these runs stand beside it.
 */
@NullMarked
package dev.stowage.study.fgd;

import org.jspecify.annotations.NullMarked;
