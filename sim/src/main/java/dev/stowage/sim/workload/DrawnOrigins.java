package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Each request draws its origin with a probability in proportion to the origins' weights at its arrival, which are
 * piecewise constant and may repeat. The draw is keyed by the number of the request. O(log changes + log origins) per
 * request.
 *
 * @param periodNanos period after which the weights repeat; 0: the last ones stay for ever
 * @param shares the origins with their weights; at any time one weight is positive
 */
public record DrawnOrigins(long periodNanos, List<Share> shares) implements Origins {
    /** Every request may run at every site. */
    public static final Origins ANYWHERE = new DrawnOrigins(0, List.of(new Share(RequestOrigin.ANYWHERE, List.of())));

    private static final long ORIGINS = Streams.of("origins");

    /**
     * A weight from a time on.
     *
     * @param fromNanos since the start of the run, or of the period
     * @param weight at least 0
     */
    public record Weight(long fromNanos, double weight) {}

    /**
     * An origin and its share of the requests.
     *
     * @param origin where from
     * @param weights the first from 0 on, the times strictly rising; none for 1 at all times
     */
    public record Share(RequestOrigin origin, List<Weight> weights) {
        /** Checks times and weights. */
        public Share {
            weights = weights.isEmpty() ? List.of(new Weight(0, 1)) : List.copyOf(weights);
            for (int i = 0; i < weights.size(); i++) {
                long from = weights.get(i).fromNanos();
                String what = "start of weight " + i + " of origin " + origin.name() + " in nanoseconds";
                if (i == 0) {
                    Parameters.check(from == 0, what, from, "0");
                } else {
                    long before = weights.get(i - 1).fromNanos();
                    Parameters.check(from > before, what, from, "above the one before, " + before);
                }
                Parameters.nonnegative(
                        "weight " + i + " of origin " + origin.name(),
                        weights.get(i).weight());
            }
        }

        /** The weight at a time since the start of the run, or of the period. */
        public double weightAt(long nanos) {
            double weight = 0;
            for (Weight each : weights) {
                weight = each.fromNanos() <= nanos ? each.weight() : weight;
            }
            return weight;
        }
    }

    /** Checks the period, and that at any time some weight is positive. */
    public DrawnOrigins {
        shares = List.copyOf(shares);
        Parameters.check(periodNanos >= 0, "period of the origins in nanoseconds", periodNanos, "at least 0");
        Parameters.check(!shares.isEmpty(), "number of origins", shares.size(), "at least 1");
        for (long change : changes(shares)) {
            Parameters.check(
                    periodNanos == 0 || change < periodNanos,
                    "start of a weight in nanoseconds",
                    change,
                    "below the period, " + periodNanos);
            Parameters.positive("sum of the origins' weights from " + change / 1e9 + " s on", sum(shares, change));
        }
    }

    private static long[] changes(List<Share> shares) {
        TreeSet<Long> times = new TreeSet<>();
        shares.forEach(share -> share.weights().forEach(weight -> times.add(weight.fromNanos())));
        return times.stream().mapToLong(Long::longValue).toArray();
    }

    private static double sum(List<Share> shares, long nanos) {
        double sum = 0;
        for (Share share : shares) {
            sum += share.weightAt(nanos);
        }
        return sum;
    }

    @Override
    public List<RequestOrigin> all() {
        return shares.stream().map(Share::origin).toList();
    }

    /** Expected fraction of the requests that come from each origin at a time. */
    public double[] parts(long nanos) {
        long at = periodNanos == 0 ? nanos : nanos % periodNanos;
        double sum = sum(shares, at);
        return shares.stream().mapToDouble(share -> share.weightAt(at) / sum).toArray();
    }

    /**
     * When the weights may change: from a time on and before another.
     *
     * @return ascending, without {@code fromNanos} itself; no more than {@code most}
     */
    public List<Long> changes(long fromNanos, long toNanos, int most) {
        long[] changes = changes(shares);
        List<Long> times = new ArrayList<>();
        if (changes.length == 1) {
            return times;
        }
        long begun = periodNanos == 0 ? 0 : fromNanos - fromNanos % periodNanos;
        while (begun < toNanos && times.size() < most) {
            for (long change : changes) {
                if (begun + change > fromNanos && begun + change < toNanos && times.size() < most) {
                    times.add(begun + change);
                }
            }
            begun = periodNanos == 0 || begun > Long.MAX_VALUE - 2 * periodNanos ? toNanos : begun + periodNanos;
        }
        return times;
    }

    @Override
    public Cursor open(long seed) {
        if (shares.size() == 1) {
            return arrivalNanos -> 0;
        }
        long[] changes = changes(shares);
        WeightedChoice[] choices = new WeightedChoice[changes.length];
        Arrays.setAll(
                choices,
                i -> new WeightedChoice(shares.stream()
                        .mapToDouble(share -> share.weightAt(changes[i]))
                        .toArray()));
        return new Draws(periodNanos, changes, choices, seed);
    }

    private static final class Draws implements Cursor {
        private final long periodNanos;
        private final long[] changes;
        private final WeightedChoice[] choices;
        private final long seed;
        private final KeyedRandom random = new KeyedRandom();
        private long requests;

        Draws(long periodNanos, long[] changes, WeightedChoice[] choices, long seed) {
            this.periodNanos = periodNanos;
            this.changes = changes;
            this.choices = choices;
            this.seed = seed;
        }

        @Override
        public int next(long arrivalNanos) {
            int found = Arrays.binarySearch(changes, periodNanos == 0 ? arrivalNanos : arrivalNanos % periodNanos);
            WeightedChoice choice = choices[found >= 0 ? found : -found - 2];
            return choice.choose(random.key(seed, ORIGINS, requests++).nextDouble());
        }
    }
}
