package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers to empty next, under a {@link Restraint}.
 *
 * @param next servers in order, each with the moves that empty it
 * @param scores the score of emptying each of them, by name
 * @param freed how many servers the plan would empty in all
 * @param moves how many moves that takes
 * @param kept why servers in use stay in use though they may be emptied, by name
 * @param limit why no more than these are emptied though the plan has more; empty if nothing but the number asked for
 */
public record NextServers(
        Map<String, List<AdviceView.Move>> next,
        Map<String, Double> scores,
        int freed,
        int moves,
        Map<String, String> kept,
        String limit) {
    /** A plan is made anew so often, at most, without a server whose jobs push others that cost too much. */
    private static final int MOST_PLANS = 8;

    /**
     * The next servers.
     *
     * @param givenUp servers that are not to be emptied, with the reason
     * @param most how many to name, at most
     */
    public static NextServers of(ClusterState now, Map<String, String> givenUp, Restraint restraint, int most) {
        Map<String, String> kept = new LinkedHashMap<>(restraint.kept(now));
        kept.putAll(givenUp);
        NextServers found = planned(now, kept, restraint, most);
        for (int n = 1; n < MOST_PLANS && found.next().isEmpty() && found.kept().size() > kept.size(); n++) {
            kept = new LinkedHashMap<>(found.kept());
            found = planned(now, kept, restraint, most);
        }
        return found;
    }

    private static NextServers planned(ClusterState now, Map<String, String> kept, Restraint restraint, int most) {
        ClusterState asked = without(now, kept);
        MovePlan plan = MovePlan.of(asked, LeastServers.of(asked).prices());
        Restraint.Scores all = restraint.new Scores(now);
        Map<String, List<AdviceView.Move>> next = new LinkedHashMap<>();
        Map<String, Double> scores = new LinkedHashMap<>();
        Map<String, String> dear = new LinkedHashMap<>(kept);
        List<MovePlan.Step> taken = new ArrayList<>();
        String limit = "";
        for (int server : plan.freed()) {
            if (next.size() == most) {
                break;
            }
            String name = now.servers().get(server).name();
            List<MovePlan.Step> steps = plan.steps().stream()
                    .filter(step -> step.empties() == server)
                    .toList();
            double takes = 1;
            for (MovePlan.Step step : steps) {
                takes += restraint.cost().applyAsDouble(now.jobs().get(step.job()));
            }
            double score = all.of(server, takes);
            if (score < restraint.leastScore()) {
                dear.put(name, restraint.unpaid(score));
                break;
            }
            taken.addAll(steps);
            List<String> emptied = new ArrayList<>(next.keySet());
            emptied.add(name);
            limit = restraint.lacks(now, taken, emptied);
            if (!limit.isEmpty()) {
                break;
            }
            scores.put(name, score);
            List<AdviceView.Move> moves = new ArrayList<>();
            for (MovePlan.Step step : steps) {
                moves.add(AdviceView.move(now, step, plan.steps().indexOf(step) + 1));
            }
            next.put(name, moves);
        }
        return new NextServers(next, scores, plan.freed().size(), plan.steps().size(), dear, limit);
    }

    /** The same cluster, in which jobs on some servers stay where they are. */
    private static ClusterState without(ClusterState now, Map<String, String> kept) {
        List<ClusterJob> jobs = new ArrayList<>();
        for (ClusterJob job : now.jobs()) {
            boolean stays = !job.waits()
                    && job.stay() == ClusterJob.Hold.MOVABLE
                    && kept.containsKey(now.servers().get(job.server()).name());
            jobs.add(stays ? job.staying("is on a server that is not to be emptied") : job);
        }
        return new ClusterState(now.resources(), now.servers(), jobs, now.rules(), now.budgets());
    }
}
