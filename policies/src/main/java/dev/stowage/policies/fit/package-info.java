/**
 * Fitting requests to servers, shared by the policies that do: which server a request goes to
 * ({@link dev.stowage.policies.fit.ServerChoice}), which waiting request a server takes
 * ({@link dev.stowage.policies.fit.WaitingJobs}), and where room appeared since the last step
 * ({@link dev.stowage.policies.fit.FreedRoom}).
 *
 * <p>All of it repeats what the engine's view says and can be rebuilt from it at any time.
 */
@NullMarked
package dev.stowage.policies.fit;

import org.jspecify.annotations.NullMarked;
