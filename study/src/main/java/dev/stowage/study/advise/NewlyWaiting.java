package dev.stowage.study.advise;

import java.util.HashSet;
import java.util.Set;

/** Jobs that wait, but for those that would whatever is done here. */
public final class NewlyWaiting {
    private final Set<String> known = new HashSet<>();

    /** Those that wait now are not to be looked at. */
    void startWith(ClusterState state) {
        state.jobs().stream().filter(ClusterJob::waits).forEach(job -> known.add(job.name()));
    }

    /** The first other one that waits; empty if none does. */
    String first(ClusterState state) {
        for (ClusterJob job : state.jobs()) {
            if (job.waits() && !known.contains(job.name())) {
                return job.name();
            }
        }
        return "";
    }
}
