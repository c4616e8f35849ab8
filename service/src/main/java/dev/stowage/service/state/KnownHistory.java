package dev.stowage.service.state;

import java.util.ArrayList;
import java.util.List;

/**
 * The history of a request, as far back as this state remembers.
 *
 * @param versions the request after each of its changes, the present one last
 * @param complete whether the first is how it arrived
 */
public record KnownHistory(List<Request> versions, boolean complete) {
    /** The newest request with an id, whatever its number. */
    public static final long NEWEST = -1;

    /**
     * The same from what entries of the log changed.
     *
     * @param changes of requests with one id, in order
     * @param number of the request, or {@link #NEWEST}
     */
    public static KnownHistory of(List<ChangedRequests> changes, long number) {
        long wanted = number;
        for (ChangedRequests entry : changes) {
            for (Request one : entry.requests()) {
                wanted = number == NEWEST ? Math.max(wanted, one.number()) : wanted;
            }
        }
        List<Request> versions = new ArrayList<>();
        boolean complete = false;
        for (ChangedRequests entry : changes) {
            for (Request one : entry.requests()) {
                if (one.number() == wanted) {
                    if (versions.isEmpty() && one.arrivedAt() == entry.at()) {
                        // What arrives is decided at once, so this is the entry with which it came.
                        complete = true;
                        versions.add(one.asItArrived());
                    }
                    versions.add(one);
                }
            }
        }
        return new KnownHistory(List.copyOf(versions), complete);
    }
}
