package dev.stowage.policies.reservation;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;

/** Jobs, for policies that distinguish types only. */
final class TypedJobs {
    private TypedJobs() {}

    /**
     * Counts the running jobs on a server, per type.
     *
     * @return false if something there fills no slot: a dummy, a request that is not of its type, demands nothing, or
     *     holds another share of the divisible resource than it demands
     */
    static boolean count(View view, int server, int[] counts) {
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            if (view.state(job) == JobState.DUMMY || !Typed.isOfItsType(view, job) || !holdsItsDemand(view, job)) {
                return false;
            }
            counts[view.type(job)]++;
        }
        return true;
    }

    private static boolean holdsItsDemand(View view, int job) {
        int divisible = view.divisibleResource();
        boolean demandsSomething = false;
        for (int r = 0; r < view.resources(); r++) {
            demandsSomething |= view.demand(job, r) > 0;
        }
        return demandsSomething && (divisible == View.NONE || view.share(job) == view.demand(job, divisible));
    }

    /** Adds up the requests of each type that run anywhere. */
    static void countRunning(View view, long[] counts) {
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                if (view.state(job) == JobState.RUNNING && Typed.isOfItsType(view, job)) {
                    counts[view.type(job)]++;
                }
            }
        }
    }
}
