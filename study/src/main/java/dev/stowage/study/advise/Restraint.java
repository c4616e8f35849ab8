package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which servers are worth emptying, and what room must remain.
 *
 * <p>The <em>score</em> of emptying a server is its part of the price of all servers, by the part of all disruption
 * that it takes. The disruption of a server is 1 and the costs of its jobs; of emptying it, 1 and the costs of all jobs
 * that are moved for it. Where everything costs the same, a server has a score above 1 if it holds fewer jobs than the
 * mean. Source: Karpenter, RFC "Balanced Consolidation: Scoring Moves by Savings and Disruption", How Scoring Works.
 *
 * @param stays why a server is not to be emptied; empty if it may be
 * @param price price of a server; empty if it is not known: then it is not emptied
 * @param cost what moving a job costs, at least 0; 1 is usual
 * @param leastScore a server whose score is lower is not emptied; 0 admits all
 * @param spare with this many of the fullest servers lost, what can run elsewhere must still have a place
 * @param room jobs for which there must be room beside what runs, of a cluster; null for none
 */
public record Restraint(
        Function<ClusterServer, String> stays,
        Function<ClusterServer, OptionalDouble> price,
        ToDoubleFunction<ClusterJob> cost,
        double leastScore,
        int spare,
        Function<ClusterState, ClusterAdvice.@Nullable Addition> room) {
    /** Admits everything. */
    public static final Restraint NONE =
            new Restraint(server -> "", server -> OptionalDouble.of(1), job -> 1, 0, 0, state -> null);

    /** The scores of the servers of a cluster. */
    final class Scores {
        private final ClusterState state;
        private final double[] disruption;
        private double allPrices;
        private double allDisruption;

        Scores(ClusterState state) {
            this.state = state;
            disruption = new double[state.servers().size()];
            for (int s = 0; s < disruption.length; s++) {
                disruption[s] = 1;
                allPrices += price.apply(state.servers().get(s)).orElse(0);
            }
            for (ClusterJob job : state.jobs()) {
                if (!job.waits() && job.stay() != ClusterJob.Hold.WITH_SERVER) {
                    disruption[job.server()] += cost.applyAsDouble(job);
                }
            }
            for (double one : disruption) {
                allDisruption += one;
            }
        }

        double of(int server, double takes) {
            double its = price.apply(state.servers().get(server)).orElse(0);
            return allPrices == 0 ? 0 : its / allPrices / (takes / allDisruption);
        }

        /** If only its own jobs are moved: no plan that empties it has a higher one. */
        double best(int server) {
            return of(server, disruption[server]);
        }
    }

    /** Why servers in use are not to be emptied, by name. */
    Map<String, String> kept(ClusterState now) {
        Map<String, String> kept = new LinkedHashMap<>();
        ClusterBooks books = new ClusterBooks(now);
        Scores scores = new Scores(now);
        for (int s = 0; s < books.servers(); s++) {
            ClusterServer server = now.servers().get(s);
            if (!books.inUse(s)) {
                continue;
            }
            String why = stays.apply(server);
            if (!why.isEmpty()) {
                kept.put(server.name(), why);
            } else if (price.apply(server).isEmpty()) {
                kept.put(server.name(), "its price is not known");
            } else if (scores.best(s) < leastScore) {
                kept.put(server.name(), unpaid(scores.best(s)));
            }
        }
        return kept;
    }

    /** Words about a score that is too low. */
    String unpaid(double score) {
        return String.format(
                java.util.Locale.ROOT,
                "its price does not pay for the disruption: score %.2f, below %.2f",
                score,
                leastScore);
    }

    /** What a cluster would lack after some moves, with the emptied servers closed; empty if nothing. */
    String lacks(ClusterState now, List<MovePlan.Step> moves, List<String> emptied) {
        if (spare == 0 && room.apply(now) == null) {
            return "";
        }
        ClusterState after = new MovePlan(moves, List.of(), 0, "").after(now);
        List<ClusterServer> servers = new ArrayList<>();
        for (ClusterServer one : after.servers()) {
            servers.add(
                    emptied.contains(one.name())
                            ? new ClusterServer(one.name(), one.capacity(), one.labels(), "was emptied")
                            : one);
        }
        ClusterState left = new ClusterState(after.resources(), servers, after.jobs(), after.rules(), after.budgets());
        ClusterAdvice.Addition asked = room.apply(left);
        if (asked != null) {
            long fit = DeploymentRoom.of(left, left, List.of(), asked).fitNow();
            if (fit < asked.jobs()) {
                return "there would be room for " + fit + " of the " + asked.jobs() + " jobs for which it must remain";
            }
        }
        int without = spare == 0 ? 0 : ServerLoss.withoutFullest(left, spare);
        return without == 0 ? "" : "with the " + spare + " fullest lost, " + without + " jobs would have no place";
    }
}
