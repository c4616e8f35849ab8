package dev.stowage.sim.predict;

import dev.stowage.core.random.KaplanMeier;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.Seconds;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lifetimes learned from the requests of a trace that arrive before a time, by what is known when a request arrives:
 * its type (where the type is the tenant, its tenant) and the hour of the day. The requests of a type and hour are a
 * group; where fewer than {@value #LEAST_ENDED} of a group have ended by that time, it is those of the type; where
 * these are too few, all. Of each group the distribution of lifetimes is estimated with those that still run as
 * censored ({@link KaplanMeier}).
 */
final class LifetimeGroups {
    private static final int LEAST_ENDED = 20;
    private static final long HOUR = 3_600_000_000_000L;
    private static final int HOURS = 24;
    private static final int ALL_HOURS = HOURS;
    private static final double MEDIAN = 0.5;

    private final long until;
    /** By type, then by hour. */
    private final Map<Integer, Map<Integer, KaplanMeier>> known;

    private final KaplanMeier all;
    private final Trace trace;

    private LifetimeGroups(Trace trace, long until, Map<Integer, Map<Integer, KaplanMeier>> known, KaplanMeier all) {
        this.trace = trace;
        this.until = until;
        this.known = known;
        this.all = all;
    }

    /** Of what arrives before a time, as far as it is known then. O(n log n). */
    static LifetimeGroups of(Trace trace, long until) {
        Map<Integer, Map<Integer, List<Integer>>> groups = new TreeMap<>();
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < trace.size() && trace.arrivalNanos(i) < until; i++) {
            Map<Integer, List<Integer>> ofType = groups.computeIfAbsent(trace.type(i), type -> new TreeMap<>());
            ofType.computeIfAbsent(hour(trace, i), hour -> new ArrayList<>()).add(i);
            ofType.computeIfAbsent(ALL_HOURS, hour -> new ArrayList<>()).add(i);
            seen.add(i);
        }
        if (seen.stream().noneMatch(i -> hasEnded(trace, i, until))) {
            throw new TraceException(
                    "nothing to learn lifetimes from: no request of the trace has ended by " + Seconds.words(until));
        }
        Map<Integer, Map<Integer, KaplanMeier>> known = new TreeMap<>();
        groups.forEach((type, ofType) -> ofType.forEach((hour, its) -> {
            if (its.stream().filter(i -> hasEnded(trace, i, until)).count() >= LEAST_ENDED) {
                known.computeIfAbsent(type, any -> new TreeMap<>()).put(hour, estimate(trace, its, until));
            }
        }));
        return new LifetimeGroups(trace, until, known, estimate(trace, seen, until));
    }

    private static int hour(Trace trace, int request) {
        return (int) (trace.arrivalNanos(request) / HOUR % HOURS);
    }

    private static boolean hasEnded(Trace trace, int request, long until) {
        long nanos = trace.durationNanos(request);
        return nanos != Trace.UNKNOWN && nanos <= until - trace.arrivalNanos(request);
    }

    private static KaplanMeier estimate(Trace trace, List<Integer> requests, long until) {
        long[] nanos = new long[requests.size()];
        boolean[] ended = new boolean[nanos.length];
        for (int k = 0; k < nanos.length; k++) {
            int request = requests.get(k);
            ended[k] = hasEnded(trace, request, until);
            nanos[k] = ended[k] ? trace.durationNanos(request) : until - trace.arrivalNanos(request);
        }
        return KaplanMeier.of(nanos, ended);
    }

    /** The median of those like it, at least 1; 0 for a request that was learned from. */
    long expectedNanos(int request) {
        return trace.arrivalNanos(request) < until ? 0 : Math.max(1, quantile(request, MEDIAN));
    }

    private long quantile(int request, double part) {
        Map<Integer, KaplanMeier> ofType = known.getOrDefault(trace.type(request), Map.of());
        KaplanMeier ofHour = ofType.get(hour(trace, request));
        KaplanMeier its = ofHour == null ? ofType.get(ALL_HOURS) : ofHour;
        return (its == null ? all : its).quantile(0, part);
    }

    /**
     * How many of the other requests run no longer than the quantiles that were learned. One that still runs when the
     * trace ends counts where that is certain. A warning if there are no others.
     */
    Remark calibration() {
        if (trace.lastArrivalNanos() < until) {
            return Remark.warning("no request arrives after " + Seconds.words(until)
                    + ": no lifetime is expected for anyone; learn for a shorter time");
        }
        StringBuilder text = new StringBuilder("learned lifetimes, of the requests that came later:");
        for (double part : new double[] {0.1, 0.25, MEDIAN, 0.75, 0.9}) {
            long within = 0;
            long longer = 0;
            for (int i = 0; i < trace.size(); i++) {
                if (trace.arrivalNanos(i) >= until) {
                    long limit = quantile(i, part);
                    boolean runs = trace.durationNanos(i) == Trace.UNKNOWN;
                    long seen = runs ? trace.lastArrivalNanos() - trace.arrivalNanos(i) : trace.durationNanos(i);
                    longer += seen > limit ? 1 : 0;
                    within += !runs && seen <= limit ? 1 : 0;
                }
            }
            text.append(String.format(
                    Locale.ROOT,
                    "%s %.1f %% ended by the time by which %.0f %% were expected to",
                    part == 0.1 ? "" : ",",
                    within + longer == 0 ? 0 : 100.0 * within / (within + longer),
                    100 * part));
        }
        return Remark.plain(text.toString());
    }
}
