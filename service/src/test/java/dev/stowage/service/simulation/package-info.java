/**
 * The replicated state under faults, in virtual time: one thread, one random seed, and so each run can be repeated. The
 * state, its log entries, its snapshots and the leader's clock are the real ones; consensus, network and disk are
 * simulated.
 */
@NullMarked
package dev.stowage.service.simulation;

import org.jspecify.annotations.NullMarked;
