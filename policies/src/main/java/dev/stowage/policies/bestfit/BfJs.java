package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.Undecided;
import dev.stowage.policies.fit.WaitingJobs;
import org.jspecify.annotations.Nullable;

/**
 * BF-J/S (section IV-A): first BF-S over the servers that had a departure in this step, new arrivals included; then
 * BF-J over the new arrivals that are left. One search per placement, per departure and per new arrival.
 */
class BfJs extends ServerByServer {
    private final ServerChoice servers;

    BfJs(View view, Score score, @Nullable Stalling stalling) {
        this(view, BestFit.jobs(view, score), score, stalling);
    }

    /** The same with another order of those that wait. */
    BfJs(View view, WaitingJobs waiting, Score score, @Nullable Stalling stalling) {
        super(waiting, view.pooledResources() > 0 ? FirstFit.whateverThePenalty(view, open(stalling)) : null, stalling);
        servers = BestFit.servers(view, score, open(stalling));
    }

    @Override
    final void refresh(View view, int server) {
        super.refresh(view, server);
        servers.update(view, server);
    }

    @Override
    final ServerChoice choice() {
        return servers;
    }

    @Override
    final boolean fillsForArrivals() {
        return false;
    }

    @Override
    final void beginFilling(View view, Undecided arrivals) {
        // New arrivals have no servers of their own in step 1.
    }

    @Override
    final int serverForArrivals(View view, Undecided arrivals) {
        return View.NONE;
    }

    @Override
    final boolean placeArrival(View view, Actions actions, int job) {
        int server = servers.choose(view, job);
        if (server == View.NONE) {
            return false;
        }
        actions.place(job, server, servers.reason());
        update(view, server);
        return true;
    }
}
