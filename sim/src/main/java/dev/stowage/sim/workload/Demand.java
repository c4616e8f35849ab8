package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;
import java.util.List;
import java.util.Optional;

/** What the requests of a type ask for, in whole units per resource. */
public sealed interface Demand {
    /** Number of resources. */
    int resources();

    /** What every request demands of a resource; 0 where that is drawn. */
    long fixedUnits(int resource);

    /** Writes one request's demand into {@code units}. */
    void draw(KeyedRandom random, long[] units);

    /** The same demand for every request. */
    static Demand fixed(long... units) {
        return new Fixed(units.clone());
    }

    /** A demand drawn per request, each resource independently and in the given order. */
    static Demand drawn(Size... sizes) {
        return new Drawn(List.of(sizes));
    }

    /**
     * A random size and its unit: a draw times {@code scale} is rounded to the nearest whole unit, but a draw above 0
     * is at least 1 unit. So a size that is a whole number of units stays exactly that number.
     */
    record Size(Distribution distribution, long scale) {
        public Size {
            Parameters.check(scale >= 1, "scale of a demand", scale, "at least 1 unit");
        }

        /** Probability that a draw is that many units or less. */
        public double atMost(long units) {
            // Half a unit more is rounded up; what is above 0 is at least 1.
            return units <= 0
                    ? units < 0 ? 0 : distribution.atMost(0)
                    : distribution.atMost(StrictMath.nextDown((units + 0.5) / scale));
        }

        long draw(KeyedRandom random) {
            double size = distribution.sample(random) * scale;
            if (size >= Long.MAX_VALUE) {
                throw new IllegalArgumentException("a demand of " + size + " units was drawn from " + distribution
                        + " with scale " + scale + ", must be below 9.2e18: choose a smaller scale");
            }
            return size > 0 ? Math.max(1, Math.round(size)) : 0;
        }
    }

    /** How the demand of a resource is drawn; empty where it is fixed. */
    default Optional<Size> drawnUnits(int resource) {
        return Optional.empty();
    }

    /** A constant vector. */
    final class Fixed implements Demand {
        private final long[] units;

        private Fixed(long[] units) {
            Parameters.check(units.length >= 1, "number of resources of a demand", units.length, "at least 1");
            for (int r = 0; r < units.length; r++) {
                Parameters.check(units[r] >= 0, "demand[" + r + "]", units[r], "at least 0");
            }
            this.units = units;
        }

        @Override
        public int resources() {
            return units.length;
        }

        @Override
        public long fixedUnits(int resource) {
            return units[resource];
        }

        @Override
        public void draw(KeyedRandom random, long[] into) {
            System.arraycopy(units, 0, into, 0, units.length);
        }
    }

    /** A vector of random sizes. */
    final class Drawn implements Demand {
        private final List<Size> sizes;

        private Drawn(List<Size> sizes) {
            Parameters.check(!sizes.isEmpty(), "number of resources of a demand", sizes.size(), "at least 1");
            this.sizes = sizes;
        }

        @Override
        public int resources() {
            return sizes.size();
        }

        @Override
        public long fixedUnits(int resource) {
            return 0;
        }

        @Override
        public Optional<Size> drawnUnits(int resource) {
            return Optional.of(sizes.get(resource));
        }

        @Override
        public void draw(KeyedRandom random, long[] into) {
            for (int r = 0; r < into.length; r++) {
                into[r] = sizes.get(r).draw(random);
            }
        }
    }
}
