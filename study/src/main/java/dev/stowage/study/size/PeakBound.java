package dev.stowage.study.size;

import dev.stowage.core.model.Resource;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.TypeChoice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A proven lower bound on the level of a fleet with which any policy can meet a target on given requests.
 *
 * <p>A request that begins at most <i>w</i> after its arrival <i>a</i> and runs for <i>d</i> is present from <i>a +
 * w</i> to <i>a + d</i>, whatever the policy does. So at every moment all requests that are present in this sense,
 * except the few that may miss the target, must fit at the same time; {@link PresentNeed} computes what they need at
 * least. A target that lets requests wait for ever is bounded for policies that decide at once: <i>w</i> = 0.
 *
 * <p>If the mean wait is limited to <i>m</i>, at most the part <i>m / w</i> of the requests waits as long as <i>w</i>,
 * for every <i>w</i> (Markov's inequality): some multiples of <i>m</i> are tried.
 *
 * <p>A reward, or a queue that must not grow, is about the whole run: {@link RunWork}.
 *
 * @param level no policy can do with less; 0 if nothing is known
 * @param atNanos the moment that decides
 * @param resource the resource that decides; empty if no server is needed, "packing" if all together do,
 *     {@link #OVER_TIME}, {@link PresentNeed.Apart#rule}
 * @param requests number of requests of the run
 * @param fitNone how many of them do not fit even an empty server
 * @param hopeless whether more requests fit no server than may miss the target
 * @param rule what the decisive requirement says; null where nothing is known
 * @param run if a requirement about the whole run decides: what follows from it; else null
 */
record PeakBound(
        long level,
        long atNanos,
        String resource,
        long requests,
        long fitNone,
        boolean hopeless,
        @Nullable Rule rule,
        @Nullable RunNeed run) {
    /** What decides where all resources together do. */
    static final String PACKING = "packing";

    /** Value of {@code resource} if the whole run decides. */
    static final String OVER_RUN = "whole run";

    /** Value of {@code resource} if the misses of all moments together decide. */
    static final String OVER_TIME = "misses over time";

    private static final long MILLION = 1_000_000;
    private static final long[] MULTIPLES = {2, 4, 10, 30, 100, 1000};

    /**
     * What follows from a requirement: all but some of the requests begin soon enough.
     *
     * @param its the requirement
     * @param types of the requests that count
     * @param withinNanos how long after its arrival a request may begin
     * @param allowed how many of those that fit a server may miss it
     */
    record Rule(SizeRequirement its, TypeChoice types, long withinNanos, long allowed) {
        /** From its arrival until a request is certain to be there; in slotted time it arrives at the next boundary. */
        long delay(Experiment experiment) {
            return withinNanos + experiment.slotNanos();
        }
    }

    /** Rules that follow from a target on given requests. */
    static List<Rule> rules(Experiment experiment, SizeQuestion question, RequestList requests, boolean[] fits) {
        List<Rule> rules = new ArrayList<>();
        for (SizeRequirement each : question.target().requirements()) {
            TypeChoice types = types(experiment, each);
            long none = fitNone(requests, fits, types);
            for (SizeRequirement relaxed : relaxed(each, experiment, requests)) {
                long allowed = Math.max(0, relaxed.allowed(requests.count(types)) - none);
                rules.add(new Rule(each, types, relaxed.waitsForEver() ? 0 : relaxed.withinNanos(), allowed));
            }
        }
        return rules;
    }

    /** When nothing more counts: the run is over, or the last request has come. */
    static long end(Experiment experiment, RequestList requests) {
        return Math.min(experiment.end().atNanos(), requests.last());
    }

    /** A moment with its need. */
    record Moment(long level, long atNanos, int resource) {
        static final int PACKING = -1;
        static final int OVER_TIME = -2;
        static final int OVER_RUN = -3;
        static final Moment NONE = new Moment(0, 0, PACKING);

        Moment or(Moment other) {
            return other.level > level ? other : this;
        }
    }

    /** The bound for the requests of a seed. */
    static PeakBound of(
            Experiment experiment, SizeQuestion question, ServerFleet fleet, RequestList requests, Packing packing) {
        PeakBound bound = ofAmounts(experiment, question, fleet, requests, packing);
        boolean[] fits = Sweep.fitting(requests, fleet);
        for (Rule each : rules(experiment, question, requests, fits)) {
            PresentNeed.Apart apart = PresentNeed.Apart.of(experiment, requests, each.types(), fits, each.allowed());
            long level = apart.level(fleet, loss(question, fleet, each.delay(experiment)));
            if (level > bound.level()) {
                bound = new PeakBound(
                        level, 0, apart.rule(), bound.requests(), bound.fitNone(), bound.hopeless(), each, null);
            }
        }
        return bound;
    }

    /** The same from what the requests hold alone. */
    static PeakBound ofAmounts(
            Experiment experiment, SizeQuestion question, ServerFleet fleet, RequestList requests, Packing packing) {
        boolean[] fits = Sweep.fitting(requests, fleet);
        Moment best = Moment.NONE;
        @Nullable Rule rule = null;
        long end = end(experiment, requests);
        for (Rule each : rules(experiment, question, requests, fits)) {
            long delay = each.delay(experiment);
            IntToLongFunction present = present(requests, each.types(), fits, delay);
            Worths worths = new Worths(requests, present, each.allowed());
            PresentNeed need =
                    new PresentNeed(fleet, requests, each.allowed(), worths, loss(question, fleet, delay), packing);
            Supplier<Sweep> sweeps = () -> new Sweep(requests, delay, each.types(), fits, end);
            Moment found = need.greatest(sweeps);
            if (each.allowed() > 0) {
                long least = overTime(fleet, requests, each, sweeps, present, end)
                        .map(evidence -> worths.arithmetic(evidence, fleet).level(fleet, ServerFleet.Loss.NONE))
                        .orElse(0L);
                found = found.or(new Moment(least, need.peakNanos(), Moment.OVER_TIME));
            }
            rule = found.level() > best.level() ? each : rule;
            best = best.or(found);
        }
        @Nullable RunNeed run = null;
        for (SizeRequirement each : question.target().requirements()) {
            RunWork work = RunWork.of(experiment, question, each, fleet, requests, fits);
            RunNeed need = work == null ? null : work.fewest();
            if (need != null && need.level(fleet) > best.level()) {
                run = need;
                rule = new Rule(each, TypeChoice.ALL, 0, 0);
                Supplier<Sweep> sweeps = () -> new Sweep(requests, 0, TypeChoice.ALL, fits, end);
                best = new Moment(need.level(fleet), busiest(fleet, sweeps), Moment.OVER_RUN);
            }
        }
        boolean hopeless = question.target().requirements().stream()
                .anyMatch(each -> each.kind() == SizeRequirement.Kind.MISSED
                        && fitNone(requests, fits, types(experiment, each))
                                > each.allowed(requests.count(types(experiment, each))));
        return new PeakBound(
                best.level(),
                best.atNanos(),
                name(experiment.cluster().resources(), best),
                requests.size(),
                fitNone(requests, fits, TypeChoice.ALL),
                hopeless,
                rule,
                run);
    }

    /**
     * What may be lost at the moment. What ran there must run then, so that this counts only for requests that may not
     * have waited.
     */
    static ServerFleet.Loss loss(SizeQuestion question, ServerFleet fleet, long delay) {
        return delay > 0 || fleet.stay() > 0
                ? ServerFleet.Loss.NONE
                : new ServerFleet.Loss(question.spareServers(), question.spareSite());
    }

    /** When a resource is at its greatest, in parts of the list. */
    private static long busiest(ServerFleet fleet, Supplier<Sweep> sweeps) {
        Sweep sweep = sweeps.get();
        double most = 0;
        long at = 0;
        while (sweep.next()) {
            for (int r = 0; r < sweep.resources(); r++) {
                double part = fleet.listed(r) == 0 ? 0 : (sweep.sum(r) - fleet.fixed(r)) / fleet.listed(r);
                if (part > most) {
                    most = part;
                    at = sweep.now();
                }
            }
        }
        return at;
    }

    private static String name(List<Resource> resources, Moment moment) {
        if (moment.level() == 0) {
            return "";
        }
        return switch (moment.resource()) {
            case Moment.PACKING -> PACKING;
            case Moment.OVER_TIME -> OVER_TIME;
            case Moment.OVER_RUN -> OVER_RUN;
            default -> resources.get(moment.resource()).name();
        };
    }

    /** When a request is certain to be present; {@link Long#MAX_VALUE} for one that does not count. */
    static IntToLongFunction present(RequestList requests, TypeChoice types, boolean[] fits, long delay) {
        return request -> fits[requests.kind()[request]] && types.has(requests.type()[request])
                ? requests.arrival()[request] + delay
                : Long.MAX_VALUE;
    }

    /** What the program over time says; empty where it says nothing. */
    static Optional<Evidence> overTime(
            ServerFleet fleet,
            RequestList requests,
            Rule rule,
            Supplier<Sweep> sweeps,
            IntToLongFunction present,
            long end) {
        double[][] size = Arrays.stream(fleet.kinds())
                .map(kind -> Arrays.stream(kind).asDoubleStream().toArray())
                .toArray(double[][]::new);
        double[] one = new double[size.length];
        Arrays.fill(one, 1);
        double[] fixed =
                IntStream.range(0, size[0].length).mapToDouble(fleet::fixed).toArray();
        MissProgram.MissPrices prices =
                MissProgram.least(size, one, fixed, requests, rule.allowed(), sweeps, present, end);
        return prices.cost().atLeast() > 0 ? Optional.of(Evidence.amounts(prices, size)) : Optional.empty();
    }

    /** The types that a requirement counts. */
    static TypeChoice types(Experiment experiment, SizeRequirement requirement) {
        return TypeChoice.of(requirement.type(), experiment.workload().types());
    }

    /** Requests of some types that fit no server. */
    static long fitNone(RequestList requests, boolean[] fits, TypeChoice types) {
        long none = 0;
        for (int i = 0; i < requests.size(); i++) {
            none += !fits[requests.kind()[i]] && types.has(requests.type()[i]) ? 1 : 0;
        }
        return none;
    }

    /** Requirements that follow from a given one and limit how many requests may begin how late. */
    static List<SizeRequirement> relaxed(SizeRequirement its, Experiment experiment, RequestList requests) {
        return switch (its.kind()) {
            case MISSED -> List.of(its);
            case MEAN_WAIT -> byMean(its, its.withinNanos());
            case WAITING -> {
                long end = experiment.end().atNanos();
                long length = end != Long.MAX_VALUE ? end : requests.last();
                long number = requests.count(types(experiment, its));
                yield number == 0 || (experiment.end().drain() && end == Long.MAX_VALUE)
                        ? List.of()
                        : byMean(its, (long) Math.ceil(its.limit() * length / number));
            }
            case REWARD, STABLE -> List.of();
        };
    }

    private static List<SizeRequirement> byMean(SizeRequirement its, long mean) {
        if (mean == 0) {
            return List.of(missed(its, 0, 0));
        }
        return Arrays.stream(MULTIPLES)
                .filter(multiple -> mean < Long.MAX_VALUE / (2 * multiple))
                .mapToObj(multiple -> missed(its, (MILLION + multiple - 1) / multiple, mean * multiple))
                .toList();
    }

    private static SizeRequirement missed(SizeRequirement its, long part, long within) {
        return new SizeRequirement(SizeRequirement.Kind.MISSED, its.type(), part, within, 0, its.phrase());
    }
}
