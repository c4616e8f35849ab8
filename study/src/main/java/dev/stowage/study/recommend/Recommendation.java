package dev.stowage.study.recommend;

import dev.stowage.report.Ranking;
import java.util.List;
import java.util.Map;

/**
 * Which policies are best for what.
 *
 * @param best per goal, in the order of the goals; a goal is missing if fewer than two policies can be compared in it
 * @param beside the policies of the last round ranked by what no goal is about: servers that are empty for an hour,
 *     stranded capacity of each resource
 * @param rounds of the elimination
 * @param unsuited policies that cannot handle these requests, each with the reason
 * @param serversBound mean number of servers that can hold all requests if each starts at once; 0 if servers are of
 *     several kinds
 * @param leftWaiting which policies have a mean wait that leaves out requests that still wait, in a sentence; empty if
 *     none has
 * @param rewardBound reward per second that no policy can exceed; 0 if nothing is paid or no bound is known
 */
public record Recommendation(
        List<Best> best,
        List<Ranking> beside,
        List<Round> rounds,
        Map<String, String> unsuited,
        double serversBound,
        String leftWaiting,
        double rewardBound) {
    /** Takes copies. */
    public Recommendation {
        best = List.copyOf(best);
        beside = List.copyOf(beside);
        rounds = List.copyOf(rounds);
    }

    /**
     * The policies of the last round ranked for a goal.
     *
     * @param ranked best first
     * @param undecided whether another may be better, because the waits of the best leave out requests that still wait
     */
    public record Best(Goal goal, Ranking ranked, boolean undecided) {}

    /**
     * One round.
     *
     * @param what the runs were, in words
     * @param ran labels of the policies that took part
     * @param dropped labels of those that are behind in every goal
     */
    public record Round(String what, List<String> ran, List<String> dropped) {}
}
