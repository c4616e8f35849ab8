package dev.stowage.study.size;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.load.MoreLoad;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much more load ({@link MoreLoad}) the servers of an experiment can take: the greatest percentage of today's at
 * which a target is met, and a load that is too much for any policy.
 */
public final class LoadSearch {
    private static final double PERCENT = 100;
    /** More than a hundred times today's load is not tried. */
    private static final long MOST = 10_000;

    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    private final ServerFleet fleet;
    private final MoreLoad more;
    private final List<Long> most;

    /** Computes the loads that are too much for any policy at once. */
    public LoadSearch(Experiment point, SizeQuestion question, PolicyFactory policies) {
        this.point = point;
        this.question = question;
        this.policies = policies;
        fleet = ServerFleet.of(point.cluster(), "");
        more = MoreLoad.of(point.workload());
        most = IntStream.range(0, point.replications())
                .parallel()
                .mapToObj(this::mostOf)
                .toList();
    }

    /** The most that any policy can take, percent of today's load, by replication. */
    public List<Long> most() {
        return most;
    }

    /** What a policy can take, percent of today's load, by replication; 0 if it cannot take one percent. */
    public List<Long> bears(PolicySpec policy) {
        return IntStream.range(0, point.replications())
                .parallel()
                .mapToObj(r -> bears(policy, r))
                .toList();
    }

    /** The experiment with this percentage of today's load. */
    public Experiment at(long percent) {
        return point.with(more.times(percent / PERCENT, point.workload()), point.replications());
    }

    private long seed(int replication) {
        return ExperimentRunner.seed(point.seed(), replication);
    }

    private Requests requests(long percent, int replication) {
        return Requests.of(at(percent), question, fleet, seed(replication), Packing.ANEW);
    }

    /** The present level of the fleet. */
    private long level() {
        return ServerFleet.servers(point.cluster()) - fleet.stay();
    }

    /** The search is over negative percents: less load is better, as more servers are. */
    private long mostOf(int replication) {
        LeastLevel least = LeastLevel.of(
                (long) -PERCENT,
                -MOST,
                -1,
                16,
                percent -> requests(-percent, replication).bound().level() <= level());
        return least.found() ? -least.level() : 0;
    }

    private long bears(PolicySpec policy, int replication) {
        long lowest = question.target().waitsForEver() ? -MOST : -most.get(replication);
        if (lowest == 0) {
            return 0;
        }
        LeastLevel least = LeastLevel.of((long) -PERCENT, lowest, -1, 16, percent -> {
            Experiment then = at(-percent);
            Trial trial = new Trial(
                    then,
                    question,
                    policies,
                    policy,
                    Hindsight.ofMovable(then, question, ServerFleet.of(point.cluster(), question)));
            Requests requests = requests(-percent, replication);
            return !requests.bound().hopeless() && trial.meets(point.cluster(), seed(replication), () -> requests);
        });
        return least.found() ? -least.level() : 0;
    }
}
