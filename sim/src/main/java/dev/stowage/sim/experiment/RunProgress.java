package dev.stowage.sim.experiment;

import dev.stowage.sim.driver.Progress;
import java.util.concurrent.CancellationException;

/** Adds up the progress of runs in several threads. */
final class RunProgress {
    private final ProgressListener listener;
    private int total;
    private double runsDone;
    private long requestsDone;

    RunProgress(ProgressListener listener) {
        this.listener = listener;
    }

    /** One more run will be carried out. */
    synchronized void started() {
        total++;
    }

    /**
     * The progress of one run that ends at a time (or after a number of requests), which also ends an interrupted run.
     */
    Progress ofRun(long endNanos, long mostRequests) {
        return new Progress() {
            private double done;
            private long requests;

            @Override
            public void at(long nowNanos, long requestsNow) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("interrupted");
                }
                double byTime = endNanos == Long.MAX_VALUE ? 0 : (double) nowNanos / endNanos;
                double byRequests = mostRequests == Long.MAX_VALUE ? 0 : (double) requestsNow / mostRequests;
                double doneNow = Math.min(1, Math.max(byTime, byRequests));
                add(doneNow - done, requestsNow - requests);
                done = doneNow;
                requests = requestsNow;
            }
        };
    }

    /** A run is over: counts the rest that its progress did not report. */
    synchronized void finished(double missing) {
        add(missing, 0);
    }

    private synchronized void add(double runs, long requests) {
        runsDone += runs;
        requestsDone += requests;
        listener.progress(Math.min(runsDone, total), total, requestsDone);
    }
}
