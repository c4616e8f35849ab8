package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.WaitingJobs;
import org.jspecify.annotations.Nullable;

/**
 * The waiting requests in two indexes: all together, and by virtual queue, to find the largest request of a virtual
 * queue that fits.
 */
final class WaitingByClass implements WaitingJobs {
    private final Score score;
    private final VirtualQueues queues;
    private final WaitingJobs whole;
    private @Nullable WaitingJobs[] byNumber;

    /** With no requests yet. */
    WaitingByClass(View view, Score score, VirtualQueues queues) {
        this.score = score;
        this.queues = queues;
        whole = BestFit.noJobs(view, score);
        byNumber = new WaitingJobs[queues.size()];
    }

    /** The request of a virtual queue that fits a server best, the largest in one resource; or {@link View#NONE}. */
    int choose(View view, int number, int server) {
        WaitingJobs jobs = byNumber[number];
        return jobs == null ? View.NONE : jobs.choose(view, server);
    }

    @Override
    public int choose(View view, int server) {
        return whole.choose(view, server);
    }

    @Override
    public void rebuild(View view) {
        queues.clear(view);
        takeWhole(view);
        for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
            put(view, job, queues.join(view, job));
        }
    }

    /** Adds the requests of queue 0, which are in their virtual queues already. */
    void restored(View view) {
        takeWhole(view);
        for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
            put(view, job, queues.numberOf(job));
        }
    }

    private void takeWhole(View view) {
        whole.rebuild(view);
        byNumber = new WaitingJobs[queues.size()];
    }

    @Override
    public void serversChanged(View view) {
        whole.serversChanged(view);
    }

    @Override
    public void add(View view, int job) {
        whole.add(view, job);
        put(view, job, queues.join(view, job));
    }

    private void put(View view, int job, int number) {
        if (number != View.NONE) {
            WaitingJobs jobs = byNumber[number];
            if (jobs == null) {
                jobs = BestFit.noJobs(view, score);
                byNumber[number] = jobs;
            }
            jobs.add(view, job);
        }
    }

    @Override
    public void remove(int job) {
        whole.remove(job);
        int number = queues.leave(job);
        WaitingJobs jobs = number == View.NONE ? null : byNumber[number];
        if (jobs != null) {
            jobs.remove(job);
        }
    }

    @Override
    public boolean contains(int job) {
        return whole.contains(job);
    }

    @Override
    public int size() {
        return whole.size();
    }

    @Override
    public int lowestServer(View view, int site, FirstFit servers) {
        return whole.lowestServer(view, site, servers);
    }

    @Override
    public void expect(View view, int job) {
        // Nothing is adopted under virtual queues.
    }

    @Override
    public void spreadOverLabels(View view, NumberSet into) {
        // No request has constraints under virtual queues.
    }

    @Override
    public int lowestServerFor(View view, int constraint, FirstFit servers) {
        throw new IllegalStateException("asked about constraints " + constraint + ", which virtual queues do not keep");
    }
}
