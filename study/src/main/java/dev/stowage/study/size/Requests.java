package dev.stowage.study.size;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.TypeChoice;

/**
 * What is known about the requests of a seed before a run.
 *
 * @param byType number of requests per type
 * @param bound bound for any policy
 * @param end when the run ends, as far as is known: at its end time, else at the last arrival
 */
record Requests(long[] byType, PeakBound bound, long end) {
    static Requests of(Experiment experiment, SizeQuestion question, ServerFleet fleet, long seed, Packing packing) {
        RequestList list = RequestList.of(experiment, seed);
        long end = experiment.end().atNanos();
        return new Requests(
                list.byType(),
                PeakBound.of(experiment, question, fleet, list, packing),
                end == Long.MAX_VALUE ? list.last() : end);
    }

    /** Number of requests of some types. */
    long count(TypeChoice types) {
        return RequestList.count(byType, types);
    }
}
