/**
 * Servers with devices, such as GPUs, chosen by scores of what is free of each: Q. Weng, L. Yang, Y. Yu and others,
 * <i>Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent</i>, USENIX ATC
 * 2023, and the policies that it compares with, as in its published simulator; and a policy of ours.
 *
 * <table>
 *   <caption>Paper and code</caption>
 *   <tr><th>paper</th><th>here</th></tr>
 *   <tr><td>fragmentation F_n(M), section 4.2</td><td>{@code FragmentationGradient.loss}</td></tr>
 *   <tr><td>target workload M</td><td>{@code TargetWorkload}</td></tr>
 *   <tr><td>FGD, section 5</td><td>{@code FragmentationGradient}</td></tr>
 *   <tr><td>BestFit, DotProd, GpuClustering, GpuPacking, section 6.1</td><td>{@code RoundedScore}</td></tr>
 *   <tr><td>beyond the paper</td><td>{@code FillPotential}</td></tr>
 * </table>
 *
 * <p>A score looks at the devices and at one resource beside them, the first of the cluster, as the paper looks at
 * processors; the others must only have room. Ties go to the lowest-numbered server, or to the highest. Servers in one
 * state have one score, which is worked out once ({@code BestState}).
 *
 * <p>Deviations: the published simulator takes its target workload from the whole list of requests, so FGD is told the
 * workload; here it may also learn it from what arrives. A gang, and a request that is moved, gets the devices that the
 * engine gives, which are not always those of the best score.
 */
@NullMarked
package dev.stowage.policies.devices;

import org.jspecify.annotations.NullMarked;
