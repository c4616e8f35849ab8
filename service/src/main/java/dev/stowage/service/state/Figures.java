package dev.stowage.service.state;

import java.util.List;

/**
 * The results of a policy on a log, from {@code sinceNanos} to {@code untilNanos}. Means are over time, or over
 * requests placed.
 *
 * @param policy the policy, with parameters
 * @param sinceNanos when counting began, nanoseconds since 1970
 * @param untilNanos time of the last entry
 * @param arrived requests that came
 * @param placed requests that got a server; again if it was lost
 * @param rejected requests that the policy turned away
 * @param gaveUp requests whose longest wait ended, or whose client released them while they waited
 * @param migrated moves from server to server
 * @param waiting requests that wait now
 * @param running requests that run now
 * @param refusedChanges changes of servers that could not be carried out here, because a server to be removed was not
 *     empty
 * @param estimated requests whose run time is unknown and was estimated, because the active policy never placed them
 * @param meanWaitSeconds from arrival to the first server, of those placed
 * @param meanOccupied servers with at least one request
 * @param meanUtilization per resource, of the capacity of servers that are up or draining
 * @param digest of the engine's decisions
 * @param failure why it stopped counting; empty if it has not
 */
public record Figures(
        String policy,
        long sinceNanos,
        long untilNanos,
        long arrived,
        long placed,
        long rejected,
        long gaveUp,
        long migrated,
        long waiting,
        long running,
        long refusedChanges,
        long estimated,
        double meanWaitSeconds,
        double meanOccupied,
        List<Double> meanUtilization,
        long digest,
        String failure) {
    /** Takes a copy. */
    public Figures {
        meanUtilization = List.copyOf(meanUtilization);
    }
}
