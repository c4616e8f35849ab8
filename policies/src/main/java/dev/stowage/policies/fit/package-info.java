/**
 * Fitting requests to servers, shared by policies: which server a request goes to
 * ({@link dev.stowage.policies.fit.ServerChoice}), which waiting request a server takes
 * ({@link dev.stowage.policies.fit.WaitingJobs}), and where room appeared since the last step
 * ({@link dev.stowage.policies.fit.FreedRoom}).
 *
 * <p>All of these are derived from the engine's view and can be rebuilt from it at any time.
 */
@NullMarked
package dev.stowage.policies.fit;

import org.jspecify.annotations.NullMarked;
