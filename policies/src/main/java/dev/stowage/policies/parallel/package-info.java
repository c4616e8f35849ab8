/**
 * Jobs of many tasks with a divisible resource: planning one job.
 *
 * <p>L. Shi, Z. Zhang, T. Robertazzi: Energy-aware Scheduling of Embarrassingly Parallel Jobs and Resource Allocation
 * in Cloud, IEEE Transactions on Parallel and Distributed Systems 28(6), 2017, sections 3, 4 and 6.1.
 *
 * <table>
 *   <caption>Paper and code</caption>
 *   <tr><th>paper</th><th>here</th></tr>
 *   <tr><td>J, T_i, Load_i, alpha_VM, lambda_ij</td><td>{@link dev.stowage.policies.parallel.ParallelJob}</td></tr>
 *   <tr><td>A_jk, B_k, C_sj</td><td>{@link dev.stowage.policies.parallel.Limits}</td></tr>
 *   <tr><td>E_MAX, SJS</td><td>{@link dev.stowage.policies.parallel.PlanningProblem}</td></tr>
 *   <tr><td>L_ti</td><td>{@link dev.stowage.policies.parallel.ParallelJob#equivalentLoad}</td></tr>
 *   <tr><td>x_ij, c_ti, et_ti, JCT, E_total</td><td>{@link dev.stowage.policies.parallel.Plan}: server, amount, time,
 *     completion, energy</td></tr>
 *   <tr><td>OptRA, equation (16)</td><td>{@link dev.stowage.policies.parallel.Allocation}</td></tr>
 *   <tr><td>SJS-Relax-LP, T, l_ij</td><td>{@code RelaxedProgram},
 *   {@link dev.stowage.policies.parallel.Relaxation}</td></tr>
 *   <tr><td>TaPRA, Algorithm 1; phase III</td><td>{@code Tapra}; {@code LocalSearch}</td></tr>
 *   <tr><td>REC, Algorithm 2</td><td>{@code EnergyRepair}</td></tr>
 *   <tr><td>TaPRA-fast</td><td>{@code TapraFast}</td></tr>
 *   <tr><td>Min-Min, MM-GA, GSA</td><td>{@code MinMin}, {@code Evolution}</td></tr>
 *   <tr><td>FatTree, section 6.1.1</td><td>{@link dev.stowage.policies.parallel.FatTree},
 *     {@link dev.stowage.policies.parallel.PaperProblems}</td></tr>
 * </table>
 */
@NullMarked
package dev.stowage.policies.parallel;

import org.jspecify.annotations.NullMarked;
