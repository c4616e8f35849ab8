package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.study.load.ResampledWorkload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many servers the policies of an experiment need for a target, replication by replication on the same requests,
 * and a bound for any policy ({@link PeakBound}).
 */
public final class Sizing {
    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    private final ServerFleet fleet;
    private final List<Requests> requests;
    private final SizedRuns runs;
    private final Packing packing;
    private final @Nullable Hindsight plan;
    private final @Nullable KindChoice choice;
    /** Where these are more than are there, no fewer are enough beside those; else 0. */
    private final long leastOfAll;

    /** With a target alone. */
    public Sizing(Experiment point, SizeTarget target, PolicyFactory policies) {
        this(point, new SizeQuestion(target), policies);
    }

    /**
     * Computes the bounds at once, in one pass over the requests of each replication. Of servers of several kinds the
     * least number is sought in the order of a list ({@link ServerFleet}); for an inventory those come first of which
     * the first policy needs fewest ({@link KindChoice}).
     *
     * @param point its numbers of servers matter only where they are of several kinds or sites, and for servers that do
     *     not grow in number
     */
    public Sizing(Experiment point, SizeQuestion question, PolicyFactory policies) {
        this(point, question, policies, Packing.ANEW);
    }

    Sizing(Experiment point, SizeQuestion question, PolicyFactory policies, Packing packing) {
        this(point, question, policies, packing, null);
    }

    private Sizing(
            Experiment point,
            SizeQuestion question,
            PolicyFactory policies,
            Packing packing,
            KindChoice.@Nullable Extended extended) {
        this.point = point;
        leastOfAll = extended == null || !extended.needsMore() ? 0 : extended.least();
        this.packing = packing;
        this.question = question;
        this.policies = policies;
        ServerFleet given = ServerFleet.of(point.cluster(), question);
        requests = packing.replications(point.replications())
                .mapToObj(r -> Requests.of(point, question, given, seed(r), packing))
                .toList();
        plan = Hindsight.ofMovable(point, question, given);
        choice = extended == null && KindChoice.applies(point, question, given) ? new KindChoice(given) : null;
        if (extended != null) {
            fleet = given.first(extended.there());
        } else if (choice == null || requests.get(0).bound().hopeless()) {
            fleet = given;
        } else {
            fleet = given.first(choice.kept(requests.get(0).bound().requests(), this::isEnough));
        }
        runs = new SizedRuns(point, question, policies, fleet, requests, plan);
    }

    /** Whether a policy places all on so many servers without moving anything, also after a loss. */
    public boolean holdsUnmoved(PolicySpec policy, long servers) {
        return new Trial(point, question, policies, policy)
                .meets(fleet.at(level(servers)), seed(0), () -> requests.get(0));
    }

    /** Whether a plan for all requests counts, too. */
    public boolean hasPlan() {
        return plan != null;
    }

    /** What policies do with a given number of servers. */
    public SizedRuns runs() {
        return runs;
    }

    /**
     * The need of a policy.
     *
     * @param servers by replication; 0 if no number was found
     * @param notes remarks, a sentence each
     */
    public record Need(List<Long> servers, List<String> notes) {
        /** Takes copies. */
        public Need {
            servers = List.copyOf(servers);
            notes = List.copyOf(notes);
        }

        /** Whether every replication has a number. */
        public boolean known() {
            return servers.stream().allMatch(number -> number > 0);
        }
    }

    /**
     * An interval for the number of servers that meets the target in the mean over all runs.
     *
     * @param fails with this many servers the target is shown to be missed, or must be missed
     * @param holds with this many it is shown to be met; 0 if none was found
     * @param replications most replications at one number
     * @param runs runs in all
     */
    public record Shown(long fails, long holds, int replications, int runs) {}

    private long seed(int replication) {
        return ExperimentRunner.seed(point.seed(), replication);
    }

    /** No policy can do with fewer servers, by replication; servers that do not grow in number are included. */
    public List<Long> least() {
        if (leastOfAll > 0) {
            return Collections.nCopies(point.replications(), leastOfAll);
        }
        return requests.stream()
                .map(each -> each.bound().level() == 0
                        ? 0
                        : fleet.servers(each.bound().level()))
                .toList();
    }

    /** What decides the bound of the first replication; empty if nothing is known, or if it is of a purchase. */
    public String decides() {
        PeakBound first = requests.get(0).bound();
        if (first.level() == 0 || leastOfAll > fleet.servers(first.level())) {
            return "";
        }
        return switch (first.resource()) {
            case PeakBound.OVER_TIME ->
                question.target().requirements().stream().allMatch(its -> its.kind() == SizeRequirement.Kind.MISSED)
                        ? "how many requests may miss the target over the whole run"
                        : "what the target allows over the whole run";
            case PeakBound.OVER_RUN -> "all the work of the run";
            default ->
                ResourceWords.resource(first.resource())
                        + (point.workload().isInventory()
                                ? ""
                                : " at " + SizeWords.moment(point.workload(), first.atNanos()));
        };
    }

    /**
     * Servers with which a schedule that knows all requests meets the target.
     *
     * @param kinds how many of each kind, by its capacity in words
     */
    public record Schedule(long servers, Map<String, Long> kinds) {}

    /**
     * A schedule found between the bound and a number that a policy needs: the least possible lies between bound and
     * schedule. For an inventory it is a plan if everything may be moved. Empty for requests that are drawn, and where
     * none is sought ({@link Hindsight}).
     */
    public Optional<Schedule> hindsight(long needed) {
        if (!isGiven()) {
            return Optional.empty();
        }
        if (point.workload().isInventory()) {
            Sizing planned = new Sizing(point, question.movable(true), policies);
            long fewest = planned.hasPlan()
                    ? planned.need(point.policies().get(0).spec()).servers().get(0)
                    : 0;
            return Optional.of(fewest)
                    .filter(number -> number > 0)
                    .map(number -> number < needed
                            ? new Schedule(number, planned.kinds(number))
                            : new Schedule(needed, kinds(needed)));
        }
        return Hindsight.of(point, question, fleet, RequestList.of(point, seed(0)))
                .map(schedules -> {
                    long found = fleet.servers(
                            schedules.least(requests.get(0).bound().level(), level(needed)));
                    return new Schedule(found, kinds(found));
                });
    }

    /**
     * How many servers of each kind alone suffice, as many at each site: 0 if no number was found, as for a kind that
     * some request does not fit. Empty unless the servers of an inventory are of several kinds, or sites have different
     * numbers of them.
     */
    public Map<String, Long> alone(PolicySpec policy) {
        Map<String, Long> alone = new LinkedHashMap<>();
        KindChoice.alone(point, fleet)
                .forEach((kind, only) -> alone.put(
                        kind,
                        new Sizing(only, question, policies)
                                .need(policy)
                                .servers()
                                .get(0)));
        return alone;
    }

    /** Whether kinds are chosen. */
    public boolean choosesKinds() {
        return choice != null;
    }

    /**
     * The same with the fewest servers more of its kinds that were found to be enough for the first policy, beside all
     * that are there. Itself where those are enough or no number is, and where kinds are not chosen.
     */
    public Sizing extended() {
        KindChoice.@Nullable Extended extended = choice == null || !hopeless().isEmpty() || isEnough(fleet.numbers())
                ? null
                : choice.extended(point, question, policies, packing);
        return extended == null ? this : new Sizing(point.with(extended.all()), question, policies, packing, extended);
    }

    private boolean isEnough(long[] servers) {
        return new Trial(point, question, policies, point.policies().get(0).spec(), plan)
                .meets(ServerFleet.with(point.cluster(), servers), seed(0), () -> requests.get(0));
    }

    /** The experiment, with the servers of the answer. */
    public Experiment point() {
        return point;
    }

    /** How many servers the list has: all that are there, or with those that come; one for one kind without a list. */
    public long listed() {
        return fleet.servers(fleet.listed());
    }

    /** Why there may be no bound; empty if nothing is known. */
    public String obstacle() {
        return question.target().requirements().stream()
                .filter(RunWork::applies)
                .flatMap(its -> RunWork.obstacle(point, question, its).stream())
                .findFirst()
                .orElse("");
    }

    /** What the bound of the first replication follows from; null where nothing is known. */
    public @Nullable BoundCertificate certificate() {
        return Certifier.of(point, question, fleet, seed(0));
    }

    /** The requests of the first replication as a trace in Stowage's own format, but without constraints. */
    public static void writeRequests(Experiment point, Appendable out) throws IOException {
        RequestList.of(point, ExperimentRunner.seed(point.seed(), 0)).write(point, out);
    }

    /**
     * What binds the bound of the first replication: the fullest resource at the moment that decides, and the type that
     * holds most of it.
     *
     * @param hours from the start
     * @param part of what is there that is of this type
     */
    public record Binding(String resource, double hours, String type, double part) {}

    /** Null where nothing is known, or the misses of all moments together decide. */
    public @Nullable Binding binds() {
        PeakBound first = requests.get(0).bound();
        PeakBound.Rule rule = first.rule();
        if (rule == null
                || decides().isEmpty()
                || first.run() != null
                || first.resource().startsWith(PresentNeed.Apart.RULE)
                || first.resource().equals(PeakBound.OVER_TIME)) {
            return null;
        }
        RequestList list = RequestList.of(point, seed(0));
        long[][] held = list.heldAt(
                first.atNanos(),
                rule.delay(point),
                rule.types(),
                Sweep.fitting(list, fleet),
                point.workload().types().size());
        return Present.most(fleet, held, first, point.workload().types());
    }

    /** Whether all servers have the same capacity. */
    public boolean isOneKind() {
        return SizeWords.kinds(point).stream().distinct().count() == 1;
    }

    /** Whether any site may be lost, so that the bound is about servers of which each site has its part. */
    public boolean mayLoseSites() {
        return question.spareSite();
    }

    /** So many servers by kind, in words: of several kinds those that the list has first. */
    public Map<String, Long> kinds(long servers) {
        return fleet.named(fleet.counts(level(servers)), SizeWords.kinds(point), b -> true);
    }

    /** The same by site, in order of sites; empty where there is one. */
    public Map<String, Map<String, Long>> bySite(long servers) {
        return fleet.bySite(fleet.counts(level(servers)), SizeWords.kinds(point));
    }

    /** How many servers have so much of a resource. */
    public long servers(int resource, double amount) {
        long fails = 0;
        long holds = 1;
        while (fleet.capacity(holds)[resource] < amount && holds < Integer.MAX_VALUE) {
            fails = holds;
            holds *= 2;
        }
        while (holds - fails > 1) {
            long middle = (fails + holds) / 2;
            if (fleet.capacity(middle)[resource] < amount) {
                fails = middle;
            } else {
                holds = middle;
            }
        }
        return fleet.servers(holds);
    }

    /** Whether requests are the same in each replication. */
    public boolean isGiven() {
        return point.workload().isGiven();
    }

    /** Whether the bound holds for all policies, and not only for those that decide at once. */
    public boolean isBoundOfAll() {
        return !question.target().waitsForEver();
    }

    /** What a policy needs; replications are tried side by side. */
    public Need need(PolicySpec policy) {
        Trial trial = new Trial(point, question, policies, policy, plan);
        SizeSearch search = new SizeSearch(fleet, trial);
        List<SizeSearch.Found> found = IntStream.range(0, point.replications())
                .parallel()
                .mapToObj(r -> search.least(seed(r), requests.get(r), isBoundOfAll()))
                .toList();
        return new Need(
                found.stream()
                        .map(each -> each.level() == 0 ? 0 : fleet.servers(each.level()))
                        .toList(),
                notes(policy, trial, found));
    }

    /** Whether {@link #shown} applies: requests are drawn, and the target lets some of them miss it. */
    public boolean canShow() {
        return !point.workload().isGiven()
                && question.target().requirements().stream()
                        .allMatch(its -> its.kind() != SizeRequirement.Kind.MISSED || its.partPerMillion() > 0);
    }

    /**
     * Finds the interval of the answer for a policy, with the experiment's confidence, on replications that
     * {@link #need} did not see.
     *
     * @param need of the policy, where the search begins
     * @param most most replications at a number
     */
    public Shown shown(PolicySpec policy, Need need, int most) {
        SizeInterval interval = new SizeInterval(
                fleet, new Trial(point, question, policies, policy), new Fresh(), 1 - point.confidence(), most);
        long start = Math.max(
                1,
                Math.round(
                        need.servers().stream().mapToLong(this::level).average().orElse(1)));
        return interval.search(start, 1, SizeSearch.MOST_TIMES_BOUND * start);
    }

    /** Of each resource, with so many servers. */
    public double[] capacity(long servers) {
        return fleet.capacity(level(servers));
    }

    /** The level at which there are {@code servers} servers in total. */
    private long level(long servers) {
        return servers - fleet.stay();
    }

    /** Replications after those of the experiment. */
    private final class Fresh implements SizeInterval.Replications {
        @Override
        public long seed(int replication) {
            return Sizing.this.seed(point.replications() + replication);
        }

        @Override
        public Requests requests(int replication) {
            return Requests.of(point, question, fleet, seed(replication), packing);
        }

        /**
         * End of the warm-up as the experiment gives it; a fifth of the run if it is automatic. A resampled trace has
         * no warm-up.
         */
        @Override
        public long from() {
            if (point.workload() instanceof ResampledWorkload) {
                return 0;
            }
            return point.warmUp().automatic()
                    ? requests.get(0).end() / 5
                    : point.warmUp().nanos();
        }
    }

    /** Why no number of servers is enough: requests that fit none of them, by name. Empty if all that count fit one. */
    public String hopeless() {
        return requests.stream().anyMatch(each -> each.bound().hopeless()) ? new Reached(point).atBest() : "";
    }

    private List<String> notes(PolicySpec spec, Trial trial, List<SizeSearch.Found> found) {
        List<String> notes = new ArrayList<>();
        String policy = InventoryFit.label(point, spec);
        Reached reached = new Reached(point);
        int none = IntStream.range(0, found.size())
                .filter(r -> found.get(r).level() == 0)
                .findFirst()
                .orElse(-1);
        if (!hopeless().isEmpty()) {
            notes.add(hopeless());
        } else if (none >= 0) {
            long most = found.get(none).tried();
            TargetWatch run = trial.measured(fleet.at(most), seed(none), () -> requests.get(none), 0, Effects.NONE);
            notes.add(String.format(
                    Locale.ROOT,
                    "%s: not met with %,d servers either: %s",
                    policy,
                    fleet.servers(most),
                    reached.by(run)));
        }
        boolean waits = question.target().waitsForEver()
                && IntStream.range(0, found.size())
                        .anyMatch(r -> found.get(r).level() > 0
                                && found.get(r).level()
                                        < requests.get(r).bound().level());
        if (waits) {
            notes.add(policy + ": lets requests wait that another policy rejects; limit the waits, too, as in"
                    + " --target \"wait p99 <= 10 min\"");
        }
        long worse = found.stream().filter(one -> !one.monotone()).count();
        if (worse > 0 && plan == null) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%s: in %d of %d replications one server more misses the target again",
                    policy,
                    worse,
                    found.size()));
        }
        return notes;
    }

    /** Numbers by replication as an estimate: exact for the requests of one trace, else a mean with its interval. */
    public Estimate estimate(List<Long> numbers) {
        return estimate(point, numbers);
    }

    /** The same for any numbers by replication of an experiment. */
    static Estimate estimate(Experiment point, List<Long> numbers) {
        return estimate(point, numbers.stream().mapToDouble(Long::doubleValue).toArray());
    }

    /** The same of values. */
    static Estimate estimate(Experiment point, double[] values) {
        if (!point.workload().isGiven()) {
            return Intervals.replications(values, point.confidence());
        }
        return values.length > 1 || point.drawsOrigins()
                ? Intervals.ofOneTrace(values, point.confidence())
                : new Estimate(values[0], null, point.confidence(), Intervals.EXACT, 1);
    }
}
