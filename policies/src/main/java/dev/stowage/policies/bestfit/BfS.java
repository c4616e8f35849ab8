package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.FreedRoom;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.Undecided;
import dev.stowage.policies.fit.WaitingJobs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * BF-S, best fit from the server's perspective (section IV-A): in every step all servers, in index order, are filled
 * with the largest request that fits, again and again, until none fits.
 *
 * <p>Only servers with new room and servers that fit a new arrival are visited: nothing fits the others, so the result
 * is that of the full scan. A step costs one search per placement and per server visited, and O(new arrivals) per
 * server visited.
 */
class BfS extends ServerByServer {
    private final FirstFit firstFit;

    /** For each new arrival of this step, no lower-numbered server fits it; NONE when none does. */
    private int[] lowest = new int[16];

    BfS(View view, Score score) {
        this(BestFit.jobs(view, score), new FirstFit(view), null);
    }

    BfS(WaitingJobs waiting, FirstFit firstFit, @Nullable Stalling stalling) {
        super(waiting, firstFit, stalling);
        this.firstFit = firstFit;
    }

    @Override
    final ServerChoice choice() {
        return firstFit;
    }

    @Override
    final boolean fillsForArrivals() {
        return true;
    }

    @Override
    final void beginFilling(View view, Undecided arrivals) {
        if (arrivals.size() > lowest.length) {
            lowest = Arrays.copyOf(lowest, Math.max(arrivals.size(), 2 * lowest.length));
        }
        for (int k = 0; k < arrivals.size(); k++) {
            lowest[k] = firstFit.choose(view, arrivals.get(k));
        }
    }

    @Override
    final int serverForArrivals(View view, Undecided arrivals) {
        int best = View.NONE;
        for (int k = 0; k < arrivals.size(); k++) {
            int job = arrivals.get(k);
            // Room only shrinks while servers are filled, so the lowest server that fits never moves down.
            boolean cannotWin = lowest[k] == View.NONE || (best != View.NONE && lowest[k] >= best);
            if (!cannotWin && view.state(job) == JobState.PENDING) {
                if (!view.fits(job, lowest[k])) {
                    lowest[k] = firstFit.choose(view, job);
                }
                best = FreedRoom.lower(best, lowest[k]);
            }
        }
        return best;
    }

    @Override
    final boolean placeArrival(View view, Actions actions, int job) {
        return false;
    }
}
