package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.driver.EffectsFan;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.measure.PricesInUse;
import dev.stowage.sim.measure.StrandedCapacity;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.TimeGrid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What policies do with a given number of servers, on the requests of a {@link Sizing}. */
public final class SizedRuns {
    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    private final ServerFleet fleet;
    private final List<Requests> requests;
    private final @Nullable Hindsight plan;
    /** End of the run for which the least server-hours are known. */
    private long hoursUntil = -1;

    private double leastHours;

    SizedRuns(
            Experiment point,
            SizeQuestion question,
            PolicyFactory policies,
            ServerFleet fleet,
            List<Requests> requests,
            @Nullable Hindsight plan) {
        this.plan = plan;
        this.point = point;
        this.question = question;
        this.policies = policies;
        this.fleet = fleet;
        this.requests = requests;
    }

    private long seed(int replication) {
        return ExperimentRunner.seed(point.seed(), replication);
    }

    /** The level at which there are {@code servers} servers in total. */
    private long level(long servers) {
        return servers - fleet.stay();
    }

    /**
     * Server-hours of the first replication, of servers of one kind.
     *
     * @param occupied hours of servers that hold something, under a policy
     * @param least hours in which all requests can be held if each starts at once
     * @param idleServers how many of the servers are empty for at least an hour at a stretch, time average: so many
     *     could be switched off
     * @param cost of the servers that hold something, time average, by their label {@code price}; 0 without one
     * @param stranded by name of the resource: the part of its capacity that is free, but of no use to the median
     *     request so far, time average; empty where a resource is divisible
     */
    public record Hours(double occupied, double least, double idleServers, double cost, Map<String, Double> stranded) {}

    /**
     * Mean number of servers that can hold all requests of the first replication if each starts at once, whatever the
     * policy; 0 if servers are not of one kind.
     */
    public static double leastServers(Experiment point) {
        if (ServerFleet.servers(point.cluster()) == 0) {
            return 0;
        }
        ServerFleet fleet = ServerFleet.of(point.cluster(), "");
        RequestList list = RequestList.of(point, point.seed());
        long end = Math.min(point.end().atNanos(), list.last());
        return fleet.isOneKind() && end > 0 ? LeastHours.of(list, fleet, end) / (end / 3600e9) : 0;
    }

    /** The server-hours of a policy with this many servers; null if servers are not of one kind. */
    public @Nullable Hours hours(PolicySpec policy, long servers) {
        if (!fleet.isOneKind()) {
            return null;
        }
        OccupiedTime occupied = new OccupiedTime();
        StrandedCapacity stranded = new StrandedCapacity(TimeGrid.forUnknownHorizon(0));
        TargetWatch run = run(policy, servers, new EffectsFan(occupied, stranded));
        if (run.end() != hoursUntil) {
            hoursUntil = run.end();
            leastHours = LeastHours.of(RequestList.of(point, seed(0)), fleet, hoursUntil);
        }
        double hours = occupied.hours(run.end());
        double price =
                PricesInUse.of(point.cluster().sites().get(0).servers().get(0).labels());
        return new Hours(
                hours,
                leastHours,
                occupied.idleServers(servers, run.end()),
                run.end() == 0 ? 0 : price * hours / (run.end() / 3600e9),
                stranded.parts(run.end(), point.cluster(), fleet.capacity(level(servers))));
    }

    /** How full so many servers are under a policy in the first replication. */
    public Week week(PolicySpec policy, long servers) {
        BusyHours busy = new BusyHours();
        long end = run(policy, servers, busy).end();
        return Week.of(fleet.resources(), busy.parts(end, fleet.capacity(level(servers))));
    }

    private TargetWatch run(PolicySpec policy, long servers, Effects alsoHears) {
        return new Trial(point, question, policies, policy)
                .measured(fleet.at(level(servers)), seed(0), () -> requests.get(0), 0, alsoHears);
    }

    /**
     * Requests that miss the first requirement with one server less than the policy needs.
     *
     * @param minute in which they arrived, from the start
     * @param byType how many, by name of the type
     */
    public record Deciding(long minute, Map<String, Integer> byType) {
        /** Of all types. */
        public int misses() {
            return byType.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /**
     * What does not run any more if so many of the servers are lost, by name of the type; empty if all does. The
     * fullest are lost, of several kinds those of all together; where there is a plan, those without which most finds
     * no room.
     */
    public Map<String, Integer> stops(PolicySpec policy, long servers, int lost) {
        if (plan != null) {
            return named(plan.stops(fleet.ofKinds(level(servers)), lost));
        }
        return stops(policy, servers, question.withSpare(lost).withSpareSite(false), 0);
    }

    /**
     * The same for each site that has servers, if all of it is lost; empty where there is one site only.
     *
     * @param also so many servers of the other sites are lost, too; only where there is a plan
     */
    public Map<String, Map<String, Integer>> stopsWithout(PolicySpec policy, long servers, int also) {
        Map<String, Map<String, Integer>> bySite = new LinkedHashMap<>();
        if (plan != null) {
            plan.stopsWithout(fleet.ofKinds(level(servers)), also)
                    .forEach((site, stops) -> bySite.put(site, named(stops)));
            return bySite.size() > 1 ? bySite : Map.of();
        }
        List<String> sites = fleet.at(level(servers)).sites().stream()
                .filter(site -> site.servers().stream().anyMatch(block -> block.count() > 0))
                .map(Site::name)
                .toList();
        for (int way = 0; sites.size() > 1 && way < sites.size(); way++) {
            bySite.put(
                    sites.get(way), stops(policy, servers, question.withSpare(0).withSpareSite(true), way));
        }
        return bySite;
    }

    private Map<String, Integer> stops(PolicySpec policy, long servers, SizeQuestion lost, int way) {
        NotRunning not = new NotRunning();
        new Trial(point, lost, policies, policy)
                .lost(fleet.at(level(servers)), seed(0), () -> requests.get(0), way, not);
        return named(not.byType());
    }

    private Map<String, Integer> named(Map<Integer, Integer> byType) {
        Map<String, Integer> named = new TreeMap<>();
        byType.forEach((type, count) -> named.put(point.workload().types().get(type), count));
        return named;
    }

    /** The minutes with most misses in the first replication, up to a limit, in order of time. */
    public List<Deciding> deciding(PolicySpec policy, long servers, int most) {
        SizeRequirement first = question.target().requirements().get(0);
        long less = level(servers) - 1;
        if (less < 1) {
            return List.of();
        }
        MissTimes misses = new MissTimes(first, PeakBound.types(point, first));
        run(policy, fleet.servers(less), misses);
        List<Deciding> all = new ArrayList<>();
        misses.misses().forEach((minute, types) -> {
            Map<String, Integer> named = new TreeMap<>();
            types.forEach((type, count) -> named.put(point.workload().types().get(type), count));
            all.add(new Deciding(minute, named));
        });
        return all.stream()
                .sorted(Comparator.comparingInt((Deciding each) -> -each.misses()))
                .limit(most)
                .sorted(Comparator.comparingLong(Deciding::minute))
                .toList();
    }

    /**
     * The value that a policy achieves for the first requirement with several numbers of servers, as a mean over
     * replications.
     *
     * @param servers ascending
     * @param achieved a part of the requests, seconds, requests, or reward per hour
     */
    public record Curve(List<Long> servers, List<Estimate> achieved) {}

    /** The curve for about {@code points} numbers from a fraction below to a fraction above what a policy needs. */
    public Curve curve(PolicySpec policy, long servers, double part, int numbers) {
        Trial trial = new Trial(point, question, policies, policy);
        TreeSet<Long> levels = new TreeSet<>();
        long middle = level(servers);
        for (int i = 0; i < numbers; i++) {
            levels.add(Math.max(1, Math.round(middle * (1 - part + 2 * part * i / (numbers - 1)))));
        }
        levels.add(middle);
        List<Estimate> achieved = new ArrayList<>();
        for (long level : levels) {
            double[] values = IntStream.range(0, point.replications())
                    .parallel()
                    .mapToObj(r -> trial.measured(fleet.at(level), seed(r), () -> requests.get(r), 0, Effects.NONE))
                    .mapToDouble(run -> run.counts().get(0).achieved(run.measuredNanos()))
                    .toArray();
            achieved.add(Sizing.estimate(point, values));
        }
        return new Curve(levels.stream().map(fleet::servers).toList(), achieved);
    }

    /** What has arrived and neither runs nor has ended: it waits, or was turned away. */
    private static final class NotRunning extends EngineListener {
        private final Map<Integer, Integer> byType = new TreeMap<>();

        /** By number of the type. */
        Map<Integer, Integer> byType() {
            return byType;
        }

        @Override
        public void arrived(long now, int job) {
            change(job, 1);
        }

        @Override
        public void placed(long now, int job, int server, String reason) {
            change(job, -1);
        }

        @Override
        public void displaced(long now, int job, int server) {
            change(job, 1);
        }

        private void change(int job, int by) {
            byType.merge(view().type(job), by, (a, b) -> a + b == 0 ? null : (Integer) (a + b));
        }
    }
}
