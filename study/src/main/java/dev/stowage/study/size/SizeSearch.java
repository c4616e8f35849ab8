package dev.stowage.study.size;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.driver.Progress;
import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeTarget;
import java.util.List;

/**
 * The least number of servers with which a policy meets a target on the requests of one seed: bisection between a
 * number that
 * fails and one that holds. The requests are the same at every number, and a run ends as soon as it has failed. The
 * warm-up
 * is not left out: servers must do for all requests of the run.
 *
 * <p>With some policies more servers can be worse. So the next larger number is tried too, and reported if it fails.
 */
final class SizeSearch {
    /** The search gives up at so many times what any policy needs. */
    private static final int MOST_TIMES_BOUND = 16;
    /** First step above what fails, as a part of it. */
    private static final int STEP = 64;

    private final Experiment experiment;
    private final SizeTarget target;
    private final PolicyFactory policies;

    SizeSearch(Experiment experiment, SizeTarget target, PolicyFactory policies) {
        this.experiment = experiment;
        this.target = target;
        this.policies = policies;
    }

    /**
     * What was found.
     *
     * @param servers the least number that meets the target while one less fails; 0 where none was found
     * @param monotone whether one more meets it too
     * @param tried the largest number that was tried
     */
    record Found(long servers, boolean monotone, long tried) {}

    /** For one policy on the requests of a seed. */
    Found least(PolicySpec policy, long seed, PeakBound bound) {
        long most = Math.max(1, Math.min(bound.requests(), MOST_TIMES_BOUND * Math.max(1, bound.servers())));
        if (bound.fitNone() > target.allowed(bound.requests())) {
            return new Found(0, true, 0);
        }
        // What is below the bound fails for every policy, unless the target lets requests wait for ever.
        long fails = target.waitsForEver() ? 0 : Math.max(0, bound.servers() - 1);
        long holds = Math.max(1, bound.servers());
        long step = Math.max(1, holds / STEP);
        while (!meets(policy, seed, holds, bound.requests())) {
            fails = holds;
            if (holds >= most) {
                return new Found(0, true, holds);
            }
            holds = Math.min(most, holds + step);
            step *= 2;
        }
        while (holds - fails > 1) {
            long middle = fails + (holds - fails) / 2;
            if (meets(policy, seed, middle, bound.requests())) {
                holds = middle;
            } else {
                fails = middle;
            }
        }
        return new Found(holds, meets(policy, seed, holds + 1, bound.requests()), holds + 1);
    }

    /** Whether so many servers are enough. */
    boolean meets(PolicySpec policy, long seed, long servers, long requests) {
        TargetWatch watch = new TargetWatch(target, requests);
        Setup setup = new Setup(
                with(experiment.cluster(), Math.toIntExact(servers)),
                new StoppableWorkload(experiment.workload(), watch::failed),
                experiment.origins(),
                policy,
                policies,
                experiment.steps(),
                experiment.slotNanos(),
                seed,
                experiment.end(),
                List.of(),
                experiment.speedOneShare());
        RunEnd end = Simulation.run(setup, watch, engine -> engine, Progress.NONE);
        if (!watch.failed()) {
            watch.finish(end.endNanos());
        }
        return !watch.failed();
    }

    /** The cluster with so many of its servers, which are alike. */
    static Cluster with(Cluster cluster, int servers) {
        Site site = cluster.sites().get(0);
        ServerBlock one = site.servers().get(0);
        ServerBlock all = new ServerBlock(servers, one.capacity(), List.of(), one.labels());
        return new Cluster(
                cluster.resources(),
                cluster.pooledResources(),
                List.of(new Site(site.name(), List.of(all), site.pooled())),
                cluster.types());
    }
}
