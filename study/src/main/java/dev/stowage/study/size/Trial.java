package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.driver.EffectsFan;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.Progress;
import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.driver.ServerFailures;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.TypeChoice;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.statistics.GrowthTest;
import dev.stowage.sim.statistics.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a policy on the requests of a seed and given servers, and counts its results for a target. */
final class Trial {
    private final Experiment experiment;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    private final PolicySpec policy;
    private final @Nullable Hindsight plan;

    Trial(Experiment experiment, SizeQuestion question, PolicyFactory policies, PolicySpec policy) {
        this(experiment, question, policies, policy, null);
    }

    /** The same where a plan for all requests counts, too. */
    Trial(
            Experiment experiment,
            SizeQuestion question,
            PolicyFactory policies,
            PolicySpec policy,
            @Nullable Hindsight plan) {
        this.experiment = experiment;
        this.question = question;
        this.policies = policies;
        this.policy = policy;
        this.plan = plan;
    }

    /** How many servers may be lost. */
    int spareServers() {
        return question.spareServers();
    }

    /**
     * Whether the target holds for all requests of a run, also with the spare servers lost, or there is a plan for
     * them. A run ends as soon as it has missed the target.
     */
    boolean meets(Cluster servers, long seed, Supplier<Requests> requests) {
        if (plan != null && plan.found(servers)) {
            return true;
        }
        if (plan != null && plan.losesMixes()) {
            return false;
        }
        for (List<ScheduledChange> losses : losses(servers, seed, requests)) {
            TargetWatch watch = run(servers, seed, requests, losses, 0, true, Effects.NONE);
            if (isMissed(watch)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Runs to the end.
     *
     * @param from requests that arrive before are not counted
     * @param alsoHears also receives every effect
     * @return the run with the losses under which its result for the first requirement is worst
     */
    TargetWatch measured(Cluster servers, long seed, Supplier<Requests> requests, long from, Effects alsoHears) {
        @Nullable TargetWatch worst = null;
        for (List<ScheduledChange> losses : losses(servers, seed, requests)) {
            TargetWatch watch = run(servers, seed, requests, losses, from, false, alsoHears);
            if (worst == null || isWorse(watch, worst)) {
                worst = watch;
            }
        }
        return Objects.requireNonNull(worst);
    }

    /** Runs to the end with servers lost in one of the ways: the fullest of all, or without spare servers a site. */
    void lost(Cluster servers, long seed, Supplier<Requests> requests, int way, Effects hears) {
        run(servers, seed, requests, losses(servers, seed, requests).get(way), 0, false, hears);
    }

    private static boolean isWorse(TargetWatch a, TargetWatch b) {
        RequirementCount first = a.counts().get(0);
        return first.its().kind() != SizeRequirement.Kind.STABLE
                && first.excess(a.measuredNanos()) > b.counts().get(0).excess(b.measuredNanos());
    }

    private boolean isMissed(TargetWatch watch) {
        return watch.hopeless() || watch.counts().stream().anyMatch(count -> isMissed(count, watch));
    }

    /** Whether a finished run missed one of its requirements. */
    static boolean isMissed(RequirementCount count, TargetWatch run) {
        return count.its().kind() == SizeRequirement.Kind.STABLE
                ? stability(List.of(run)).verdict().equals(GrowthTest.UNSTABLE)
                : count.isMissed(run.measuredNanos());
    }

    /** Stability of the queues over time, over all replications. */
    static Stability stability(List<TargetWatch> watches) {
        List<Trajectory> queues = watches.stream().map(TargetWatch::queue).toList();
        long arrivals = watches.stream().mapToLong(TargetWatch::arrivals).sum();
        double hours = watches.stream().mapToDouble(TargetWatch::measuredNanos).sum() / 3600e9;
        long widest = queues.stream().mapToLong(Trajectory::widthNanos).max().orElse(1);
        List<Trajectory> alike =
                queues.stream().filter(queue -> queue.widthNanos() == widest).toList();
        return GrowthTest.judge(alike, alike.get(0).size() / 5, hours == 0 ? 0 : arrivals / hours);
    }

    private TargetWatch run(
            Cluster servers,
            long seed,
            Supplier<Requests> requests,
            List<ScheduledChange> losses,
            long from,
            boolean stops,
            Effects alsoHears) {
        boolean goesOn = stops && goesOn();
        List<RequirementCount> counts = new ArrayList<>();
        for (SizeRequirement each : question.target().requirements()) {
            TypeChoice types = PeakBound.types(experiment, each);
            counts.add(new RequirementCount(each, types, stops ? requests.get().count(types) : Long.MAX_VALUE));
        }
        TargetWatch[] watch = new TargetWatch[1];
        StoppableWorkload workload = new StoppableWorkload(experiment.workload(), () -> watch[0].hopeless());
        watch[0] = new TargetWatch(counts, from, workload::type);
        List<ScheduledChange> changes = new ArrayList<>(upkeep(servers, requests));
        changes.addAll(losses);
        changes.sort((a, b) -> Long.compare(a.atNanos(), b.atNanos()));
        Setup setup = new Setup(
                servers,
                workload,
                experiment.origins(),
                policy,
                policies,
                experiment.steps(),
                experiment.slotNanos(),
                seed,
                goesOn ? new End(Long.MAX_VALUE, experiment.end().requests(), true) : experiment.end(),
                changes,
                experiment.speedOneShare(),
                hazards(servers));
        RunEnd end = Simulation.run(
                setup,
                alsoHears == Effects.NONE ? watch[0] : new EffectsFan(watch[0], alsoHears),
                engine -> engine,
                Progress.NONE);
        if (!watch[0].hopeless()) {
            watch[0].finish(goesOn ? Long.MAX_VALUE : end.endNanos());
        }
        return watch[0];
    }

    /**
     * Whether a run goes on after the last of given requests until none waits, because some may begin too late. What
     * waits when nothing is left that could end waits for ever.
     */
    private boolean goesOn() {
        return experiment.workload().isGiven()
                && experiment.end().atNanos() == Long.MAX_VALUE
                && question.target().requirements().stream().allMatch(its -> its.kind() == SizeRequirement.Kind.MISSED);
    }

    private List<ScheduledChange> upkeep(Cluster servers, Supplier<Requests> requests) {
        return question.maintenance().perMillion() == 0
                ? List.of()
                : Upkeep.of(question.maintenance(), servers, requests.get().end());
    }

    /** Failures of all servers, however many there are. */
    private Hazards hazards(Cluster servers) {
        if (experiment.hazards().failures().isEmpty()) {
            return Hazards.NONE;
        }
        ServerFailures each = experiment.hazards().failures().get(0);
        return new Hazards(
                List.of(new ServerFailures(0, ServerFleet.servers(servers), each.toFailure(), each.toRepair())), null);
    }

    /** The losses, one list for each way to lose servers; a single empty one if no losses are asked for. */
    private List<List<ScheduledChange>> losses(Cluster servers, long seed, Supplier<Requests> requests) {
        List<List<ScheduledChange>> ways = new ArrayList<>();
        boolean loses = question.spareServers() > 0 || question.spareSite();
        long at = loses ? requests.get().bound().atNanos() : 0;
        FullestServers fullest = new FullestServers();
        if (question.spareServers() > 0) {
            Setup until = new Setup(
                    servers,
                    experiment.workload(),
                    experiment.origins(),
                    policy,
                    policies,
                    experiment.steps(),
                    experiment.slotNanos(),
                    seed,
                    new End(Math.max(1, at), experiment.end().requests(), false),
                    List.of(),
                    experiment.speedOneShare(),
                    Hazards.NONE);
            Simulation.run(until, fullest, engine -> engine, Progress.NONE);
        }
        if (question.spareServers() > 0 && !question.spareSite()) {
            fullest.most(question.spareServers(), server -> true).forEach(lost -> ways.add(losing(at, lost)));
        }
        if (question.spareSite()) {
            int first = 0;
            for (var site : servers.sites()) {
                int count =
                        site.servers().stream().mapToInt(block -> block.count()).sum();
                List<ScheduledChange> its = List.of(ScheduledChange.of(at, ScheduledChange.Kind.LOSE, first, count));
                if (count > 0 && question.spareServers() == 0) {
                    ways.add(its);
                } else if (count > 0) {
                    int from = first;
                    fullest.most(question.spareServers(), server -> server < from || server >= from + count)
                            .forEach(lost -> ways.add(Stream.concat(its.stream(), losing(at, lost).stream())
                                    .toList()));
                }
                first += count;
            }
        }
        return ways.isEmpty() ? List.of(List.of()) : ways;
    }

    private static List<ScheduledChange> losing(long at, List<Integer> servers) {
        return servers.stream()
                .map(server -> ScheduledChange.of(at, ScheduledChange.Kind.LOSE, server, 1))
                .toList();
    }
}
