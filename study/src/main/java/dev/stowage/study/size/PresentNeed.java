package dev.stowage.study.size;

import dev.stowage.core.model.Spread;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.TypeChoice;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * What the requests that are present at one moment need at least, when a number of them may be left out:
 *
 * <ul>
 *   <li>by resource, the sum of demands, without the largest requests;
 *   <li>where all servers are of the list, the program of configurations ({@link Packing}) at the moments at which a
 *       resource is at its greatest.
 * </ul>
 */
final class PresentNeed {
    private final ServerFleet fleet;
    private final RequestList requests;
    private final long allowed;
    private final Worths worths;
    private final ServerFleet.Loss loss;
    private final Packing packing;
    private final int resources;
    private final int[][] order;
    private final double[] listed;
    private final long[] fixed;

    private long peakNanos;

    PresentNeed(
            ServerFleet fleet,
            RequestList requests,
            long allowed,
            Worths worths,
            ServerFleet.Loss loss,
            Packing packing) {
        this.fleet = fleet;
        this.requests = requests;
        this.allowed = allowed;
        this.worths = worths;
        this.loss = loss;
        this.packing = packing;
        resources = requests.demands().length == 0 ? 0 : requests.demands()[0].length;
        order = Sweep.orders(requests, resources);
        listed = IntStream.range(0, resources).mapToDouble(fleet::listed).toArray();
        fixed = IntStream.range(0, resources).mapToLong(fleet::fixed).toArray();
    }

    /**
     * The moment of the greatest need; the first of several, with the resource of which the greatest part of the list
     * is needed then.
     */
    PeakBound.Moment greatest(Supplier<Sweep> sweeps) {
        PeakBound.Moment best = PeakBound.Moment.NONE;
        double greatest = 0;
        double tightest = 0;
        // What the servers found so far are known to hold.
        long[] held = new long[resources];
        Sweep sweep = sweeps.get();
        while (sweep.next()) {
            for (int r = 0; r < resources; r++) {
                if (listed[r] == 0) {
                    continue;
                }
                long need = sweep.sum(r) - fixed[r];
                if (need > held[r] && need - largest(sweep, r) > held[r]) {
                    held[r] = need - largest(sweep, r);
                    if (!holds(best.level(), r, held[r])) {
                        long level = fleet.least(BigInteger.valueOf(held[r]), fleet.each(r), loss, best.level());
                        best = best.or(new PeakBound.Moment(level, sweep.now(), r));
                        tightest = held[r] / listed[r];
                    }
                }
                if (best.level() > 0 && sweep.now() == best.atNanos() && need / listed[r] > tightest) {
                    long rest = need - largest(sweep, r);
                    if (rest / listed[r] > tightest && !holds(best.level() - 1, r, rest)) {
                        best = new PeakBound.Moment(best.level(), best.atNanos(), r);
                        tightest = rest / listed[r];
                    }
                }
                if (need / listed[r] > greatest) {
                    greatest = need / listed[r];
                    peakNanos = sweep.now();
                }
            }
        }
        return fleet.stay() == 0 ? best.or(byPacking(sweeps)) : best;
    }

    private boolean holds(long servers, int resource, long need) {
        return fleet.holds(servers, BigInteger.valueOf(need), fleet.each(resource), loss);
    }

    /** When most is needed of some resource, after {@link #greatest}. */
    long peakNanos() {
        return peakNanos;
    }

    /** The amount held by the largest requests, which may be left out. */
    private long largest(Sweep sweep, int r) {
        long left = allowed;
        long held = 0;
        for (int k = 0; k < order[r].length && left > 0; k++) {
            int kind = order[r][k];
            long taken = Math.min(left, sweep.count(kind));
            held += taken * requests.demands()[kind][r];
            left -= taken;
        }
        return held;
    }

    private PeakBound.Moment byPacking(Supplier<Sweep> sweeps) {
        PeakBound.Moment best = PeakBound.Moment.NONE;
        for (Packing.PeakMoment at : Packing.peaks(sweeps)) {
            BoundCertificate.Arithmetic arithmetic =
                    worths.arithmetic(packing.evidence(requests, at, fleet, allowed), fleet);
            best = best.or(new PeakBound.Moment(arithmetic.level(fleet, loss), at.nanos(), PeakBound.Moment.PACKING));
        }
        return best;
    }

    /**
     * How many servers an inventory needs because some of it is kept apart: of a group no server has more than the
     * greatest limit of a member, so that n need at least n / limit servers, rounded up.
     *
     * @param servers that are left after any loss
     * @param rule in the words of a list, as in {@code spread db:1}; empty if none are needed
     */
    record Apart(long servers, String rule) {
        /** Begins what decides a bound where this does. */
        static final String RULE = "spread ";

        /** Of the requests that count and fit a server, without some of them. */
        static Apart of(Experiment point, RequestList requests, TypeChoice types, boolean[] fits, long without) {
            Map<String, Long> members = new TreeMap<>();
            Map<String, Integer> limit = new TreeMap<>();
            for (int i = 0; i < requests.size() && point.workload().isInventory(); i++) {
                if (fits[requests.kind()[i]] && types.has(requests.type()[i])) {
                    for (Spread each :
                            PackingSearch.SpreadRules.spread(point.workload().typeConstraints(requests.type()[i]))) {
                        if (each.perServer()) {
                            members.merge(each.group(), 1L, Long::sum);
                            limit.merge(each.group(), each.most(), Math::max);
                        }
                    }
                }
            }
            Apart most = new Apart(0, "");
            for (Map.Entry<String, Integer> group : limit.entrySet()) {
                long all = members.getOrDefault(group.getKey(), 0L) - without;
                long servers = (all + group.getValue() - 1) / group.getValue();
                if (servers > most.servers()) {
                    most = new Apart(servers, RULE + group.getKey() + ":" + group.getValue());
                }
            }
            return most;
        }

        /** The least level of a fleet at which so many are left, whatever is lost. */
        long level(ServerFleet fleet, ServerFleet.Loss loss) {
            return fleet.least(
                    BigInteger.valueOf(servers - fleet.stay()),
                    Collections.nCopies(fleet.kinds().length, BigInteger.ONE),
                    loss,
                    0);
        }
    }
}
