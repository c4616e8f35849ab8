package dev.stowage.policies.devices;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * The requests that fragmentation is measured by: the commonest kinds, up to 95 % of the requests known. They are
 * declared, or those that have arrived; then they are taken anew when the number of arrivals has grown by a quarter.
 * Memory is that of the distinct kinds.
 */
final class TargetWorkload {
    private static final double POPULAR = 95;
    private static final double GROWTH = 1.25;

    /**
     * A kind of request.
     *
     * @param other what it demands of the other resource
     * @param each what it demands of each of its devices
     * @param devices how many devices; 0 if none
     * @param constraints the sites and labels that it is limited to; none if it demands no device
     */
    record Kind(long other, long each, int devices, Constraints constraints) {
        private static final Comparator<Kind> ORDER = Comparator.comparingLong(Kind::other)
                .thenComparingLong(Kind::each)
                .thenComparingInt(Kind::devices)
                .thenComparing(kind -> kind.constraints.termsText())
                .thenComparing(kind -> kind.constraints.sites().toString());

        /** That of a request, in a cluster with devices of an amount. */
        static Kind of(long device, long other, long demand, Constraints constraints) {
            int devices = (int) ((demand + device - 1) / device);
            boolean limited = devices > 0 && !constraints.isNone();
            return new Kind(
                    other,
                    Math.min(demand, device),
                    devices,
                    limited
                            ? new Constraints(constraints.sites(), constraints.terms(), List.of(), List.of())
                            : Constraints.NONE);
        }
    }

    private final TreeMap<Kind, Double> known = new TreeMap<>(Kind.ORDER);
    private final boolean learns;
    private final List<Kind> kinds = new ArrayList<>();
    private double[] parts = {};
    private double total;
    private double nextEstimate = 1;
    private int version;

    private TargetWorkload(boolean learns) {
        this.learns = learns;
    }

    /** One that is learned from what arrives. */
    static TargetWorkload learned() {
        return new TargetWorkload(true);
    }

    /** That of a list of requests. */
    static TargetWorkload of(View view, List<NewRequest> list) {
        TargetWorkload target = new TargetWorkload(false);
        for (NewRequest request : list) {
            target.add(view, r -> request.demand()[r], request.constraints(), 1);
        }
        target.estimate();
        return target;
    }

    /**
     * That of the declared types of requests.
     *
     * @param often how often each comes, by type
     */
    static TargetWorkload of(View view, double[] often) {
        if (often.length != view.types()) {
            throw new IllegalArgumentException("parameter target has " + often.length + " numbers, for " + view.types()
                    + " types of requests; it needs one for each");
        }
        TargetWorkload target = new TargetWorkload(false);
        for (int type = 0; type < often.length; type++) {
            int number = type;
            target.add(view, r -> view.typeDemand(number, r), Constraints.NONE, often[type]);
        }
        target.estimate();
        return target;
    }

    private void add(View view, IntToLongFunction demand, Constraints constraints, double times) {
        int other = DeviceState.other(view);
        if (view.deviceResource() != View.NONE && times > 0) {
            add(
                    Kind.of(
                            view.deviceAmount(),
                            other == View.NONE ? 0 : demand.applyAsLong(other),
                            demand.applyAsLong(view.deviceResource()),
                            constraints),
                    times);
        }
    }

    private void add(Kind kind, double times) {
        known.merge(kind, times, Double::sum);
        total += times;
    }

    /** A request has arrived. */
    void arrived(View view, int job) {
        if (learns) {
            add(view, r -> view.demand(job, r), view.constraints(view.constraint(job)), 1);
            if (total >= nextEstimate) {
                estimate();
            }
        }
    }

    /** The kinds, the commonest first. */
    List<Kind> kinds() {
        return kinds;
    }

    /** The part of each in the requests of these kinds. */
    double[] parts() {
        return parts;
    }

    /** Changes with the kinds or their parts. */
    int version() {
        return version;
    }

    /** In the order of the published simulator, whose sums are rounded in this order. */
    private void estimate() {
        version++;
        nextEstimate = Math.max(total + 1, StrictMath.floor(total * GROWTH));
        List<Map.Entry<Kind, Double>> sorted = new ArrayList<>(known.entrySet());
        sorted.sort(Map.Entry.<Kind, Double>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Kind.ORDER))
                .reversed());
        kinds.clear();
        double wanted = POPULAR * total / 100;
        double sum = 0;
        while (sum < wanted && kinds.size() < sorted.size()) {
            Map.Entry<Kind, Double> next = sorted.get(kinds.size());
            kinds.add(next.getKey());
            sum += next.getValue();
        }
        parts = new double[kinds.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = sorted.get(i).getValue() / total;
            if (parts.length < sorted.size()) {
                parts[i] /= sum / total;
            }
        }
    }

    /** Writes what was learned. */
    void save(StateWriter out) {
        if (learns) {
            out.putDouble(nextEstimate);
            out.putInt(known.size());
            known.forEach((kind, times) -> {
                out.putLong(kind.other);
                out.putLong(kind.each);
                out.putInt(kind.devices);
                out.putString(kind.constraints.termsText());
                out.putInts(
                        kind.constraints.sites().stream().mapToInt(site -> site).toArray(),
                        kind.constraints.sites().size());
                out.putDouble(times);
            });
            out.putInts(kinds.stream().mapToInt(this::place).toArray(), kinds.size());
            for (double part : parts) {
                out.putDouble(part);
            }
        }
    }

    private int place(Kind kind) {
        return known.headMap(kind).size();
    }

    /** Reads it. */
    void restore(StateReader in) {
        if (!learns) {
            return;
        }
        nextEstimate = in.getDouble();
        List<Kind> all = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            long other = in.getLong();
            long each = in.getLong();
            int devices = in.getInt();
            String terms = in.getString();
            List<Integer> sites = new ArrayList<>();
            for (int site : in.getInts()) {
                sites.add(site);
            }
            Kind kind = new Kind(
                    other, each, devices, new Constraints(sites, Constraints.parseTerms(terms), List.of(), List.of()));
            add(kind, in.getDouble());
            all.add(kind);
        }
        for (int place : in.getInts()) {
            kinds.add(all.get(place));
        }
        parts = new double[kinds.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = in.getDouble();
        }
        version++;
    }
}
