package dev.stowage.study.recommend;

import dev.stowage.report.Ranking;
import dev.stowage.report.Results;
import java.util.Optional;

/** What a policy is chosen for. */
public enum Goal {
    /** Mean wait, among policies that turn nothing away. */
    MEAN_WAIT("short waits", "mean", "wait_mean_s", Among.PATIENT),
    /** The wait that one request in a hundred exceeds, among the same policies. */
    LONG_WAITS("few long waits", "99th percentile", "wait_p99_s", Among.PATIENT),
    /** The longest wait, among the same policies. */
    LONGEST_WAIT("no starved request", "longest", "wait_max_s", Among.PATIENT),
    /** Requests turned away, among policies that turn some away. */
    REJECTED("few rejected", "", "rejection_fraction", Among.LOSS),
    /** Servers in use, among policies that turn nothing away. */
    SERVERS("few servers in use", "", "occupied_servers_mean", Among.PATIENT),
    /** What these servers cost, among the same policies, where servers have prices. */
    COST("cheap servers in use", "", "cost_mean", Among.PATIENT),
    /** Reward. */
    REWARD("much reward", "per second", "reward_rate", Among.ALL),
    /** Completion of jobs of many tasks. */
    COMPLETION("early completion of jobs", "mean", "job_completion_mean_s", Among.ALL);

    private final String words;
    private final String measure;
    private final String metric;
    private final Among among;

    Goal(String words, String measure, String metric, Among among) {
        this.words = words;
        this.measure = measure;
        this.metric = metric;
        this.among = among;
    }

    /** In words. */
    public String words() {
        return words;
    }

    /** A value with what it is of the requests, {@code 1.8 h (longest)}, where the goal does not say it. */
    public String shown(String value) {
        return measure.isEmpty() ? value : value + " (" + measure + ")";
    }

    /** Whether it is judged by the longest waits alone, in which one trace can show no difference. */
    public boolean isOfFewRequests() {
        return this == LONG_WAITS || this == LONGEST_WAIT;
    }

    /** Whether requests that still wait at the end do not count, or only with their wait so far. */
    boolean leavesOutWaiting() {
        return this == MEAN_WAIT || this == LONG_WAITS || this == LONGEST_WAIT;
    }

    /** Ranks the policies that can be compared; empty if there are fewer than two. */
    Optional<Ranking> rank(Results results) {
        return switch (among) {
            case ALL -> Ranking.of(results, metric);
            case PATIENT -> Ranking.ofPatient(results, metric);
            case LOSS -> Ranking.ofLoss(results, metric);
        };
    }

    /**
     * Of an inventory, of which nothing waits or ends: ranks the policies that find a place for all that fits a server,
     * by the servers that it takes; empty for other goals.
     */
    Optional<Ranking> rankPlaces(Results results) {
        return this == SERVERS || this == COST ? Ranking.ofComplete(results, metric) : Optional.empty();
    }

    /** Which policies are compared. */
    private enum Among {
        ALL,
        PATIENT,
        LOSS
    }
}
