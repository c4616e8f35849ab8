/**
 * OnTaPRA: jobs of many tasks with a divisible resource, as they arrive.
 *
 * <p>L. Shi, Z. Zhang, T. Robertazzi: Energy-aware Scheduling of Embarrassingly Parallel Jobs and Resource Allocation
 * in Cloud, IEEE Transactions on Parallel and Distributed Systems 28(6), 2017, sections 5 and 6.2.
 *
 * <p>How a job maps to requests:
 *
 * <ul>
 *   <li>A task is a request. Tasks that declare the same job are one; those of no job that arrive at one instant are
 *       one, too.
 *   <li>The divisible resource is what tasks share; a task should demand 0 of it. It is placed with the amount of its
 *       plan by {@code allocate}, and the world integrates the amounts: tasks end when their load is done.
 *   <li>Load, job, kind, power and the task's part of the job's energy budget are declared ({@link
 *       dev.stowage.core.policy.Declared}): they are demands of resources of which servers have plenty. Efficiencies
 *       ({@link dev.stowage.core.model.Efficiency}) are of what is declared and the server.
 *   <li>Amounts are whole units, rounded down, at least one; choose a fine unit.
 * </ul>
 *
 * <table>
 *   <caption>Paper and code</caption>
 *   <tr><th>paper</th><th>here</th></tr>
 *   <tr><td>Q_wait</td><td>queue 0, jobs in order of arrival</td></tr>
 *   <tr><td>OnTaPRA, Algorithm 3</td><td>{@code OnlineScheduler}, key {@code ontapra}</td></tr>
 *   <tr><td>SJF, Algorithm 4; FCFS, SLF, LLF</td><td>{@code JobOrder}, parameter {@code order}</td></tr>
 *   <tr><td>MAR, Max_Percent, equation (56)</td><td>parameters {@code mar}, {@code least-free}</td></tr>
 *   <tr><td>DRC, Algorithm 5</td><td>{@code ResidualCapacity}, parameter {@code drc}</td></tr>
 *   <tr><td>Delta T_schedule</td><td>parameter {@code period-s}</td></tr>
 *   <tr><td>beta_DC, beta_pod, beta_rack</td><td>parameters {@code center}, {@code pod}, {@code rack}; {@code
 *   CenterLimits}</td></tr>
 *   <tr><td>E_MAX</td><td>parameter {@code budget-spread}: uniform from the job's power x load to (1 + spread) times
 *       it, where its tasks declare no budget</td></tr>
 * </table>
 *
 * <p>Deviations and what the paper leaves open:
 *
 * <ul>
 *   <li>At one instant: ends of tasks and DRC, then arrivals, then scheduling. So a round is a timer one nanosecond
 *       after its instant.
 *   <li>Rounds are at multiples of the period while there is a job; FCFS schedules after arrivals and ends of tasks
 *       too. A round takes back all that DRC gave since tasks started.
 *   <li>A job's constraints take their fractions of the capacity available when it is planned; its budget is drawn anew
 *       for each attempt, from a stream of its first task and the time.
 *   <li>A job whose least energy on all servers is above its largest budget is rejected.
 *   <li>DRC weighs by equivalent load as it was at the start, not by what is left.
 *   <li>A task that does not fit for lack of another resource waits on, as a job of its own with the others left
 *       behind; so do displaced tasks.
 *   <li>MM-GA and GSA have populations of 20 and 20 generations here, and 10 steps of annealing per child, cooling by
 *       0.8.
 *   <li>Ties: the job that arrived first; the lowest task; the lowest server.
 * </ul>
 */
@NullMarked
package dev.stowage.policies.parallel.online;

import org.jspecify.annotations.NullMarked;
