package dev.stowage.study.load;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A number of each request, at its own time. Of types that grow alike, every request comes as often as the factor's
 * whole part, then further copies in one order, until each resource is demanded at least that many times as much.
 * Nothing is drawn, and with a greater factor none comes less often: the order is the same for all factors. In it
 * amounts and the number of each type stay as close to their shares as whole requests allow (goal chasing: Monden 1983,
 * Miltenburg 1989), so that a whole multiple has as many of each. Which request of a type comes next follows from bit
 * reversal of its place, as does which types are compared of those whose turn is the same.
 */
final class RepeatedWorkload extends ForwardingWorkload {
    /** Keeps what only a rounding error takes above what is there from being rounded up. */
    private static final double ROUNDING = 1e-9;

    /** So many types are compared for each copy, those whose turn is next; fewer where there are many requests. */
    private static final int MOST_COMPARED = 32;

    private static final long COMPARED = 10_000_000;

    private final List<LoadGrowth.Alike> groups;

    /** Of requests that are the same for every seed. */
    private long @Nullable [][] given;

    RepeatedWorkload(Workload workload, List<LoadGrowth.Alike> groups) {
        super(workload);
        this.groups = groups;
    }

    @Override
    public RequestStream open(long seed) {
        return new Repeated(super.open(seed), isGiven() ? given() : copies(seed));
    }

    private synchronized long[][] given() {
        if (given == null) {
            given = copies(0);
        }
        return given;
    }

    /** By type, of each of its requests. */
    private long[][] copies(long seed) {
        int[] count = new int[types().size()];
        double[][] sum = new double[count.length][resources().size()];
        RequestStream stream = super.open(seed);
        while (stream.next()) {
            count[stream.type()]++;
            for (int r = 0; r < sum[0].length; r++) {
                sum[stream.type()][r] += stream.demand(r);
            }
        }
        long[][] copies = new long[count.length][];
        for (LoadGrowth.Alike group : groups) {
            List<Integer> types =
                    group.types().stream().filter(type -> count[type] > 0).toList();
            long whole = (long) Math.floor(group.times() + ROUNDING);
            long[] more = new Further(types, count, sum).until(group.times() - whole);
            for (int type : group.types()) {
                copies[type] = new long[count[type]];
                Arrays.fill(copies[type], whole);
                int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(count[type] - 1));
                // Of places in this order, the first of any number are spread over all.
                for (int n = 0; more[type] > 0; n++) {
                    int place = Integer.reverse(n) >>> (Integer.SIZE - bits);
                    if (place < count[type]) {
                        copies[type][place]++;
                        more[type]--;
                    }
                }
            }
        }
        return copies;
    }

    /** The order in which requests of some types come once more. */
    private static final class Further {
        private final List<Integer> types;
        private final int[] count;
        private final long all;
        /** By type, the part of each resource that is demanded which one of its requests demands on average. */
        private final double[][] part;

        private final long[] more;
        private final double[] taken;
        private long number;

        Further(List<Integer> types, int[] count, double[][] sum) {
            this.types = types;
            this.count = count;
            all = types.stream().mapToLong(type -> count[type]).sum();
            more = new long[count.length];
            double[] whole = IntStream.range(0, sum[0].length)
                    .mapToDouble(r ->
                            types.stream().mapToDouble(type -> sum[type][r]).sum())
                    .toArray();
            int[] demanded =
                    IntStream.range(0, whole.length).filter(r -> whole[r] > 0).toArray();
            part = new double[count.length][];
            for (int type : types) {
                part[type] = demanded.length == 0
                        ? new double[] {1.0 / all}
                        : Arrays.stream(demanded)
                                .mapToDouble(r -> sum[type][r] / whole[r] / count[type])
                                .toArray();
            }
            taken = new double[Math.max(1, demanded.length)];
        }

        /** How many of each type there are once this part of every resource is taken. */
        long[] until(double asked) {
            int[] spread = new int[count.length];
            for (int i = 0; i < types.size(); i++) {
                spread[types.get(i)] = Integer.reverse(i) >>> 1;
            }
            // Types may be in order of size: those compared, of all whose turn is the same, are spread over them.
            TreeSet<Integer> turns =
                    new TreeSet<>(Comparator.comparingDouble(this::turn).thenComparingInt(type -> spread[type]));
            turns.addAll(types);
            long compared = Math.max(1, Math.min(MOST_COMPARED, COMPARED / Math.max(1, all)));
            while (number < all && Arrays.stream(taken).anyMatch(part -> part < asked - ROUNDING)) {
                number++;
                int next = turns.stream()
                        .limit(compared)
                        .min(Comparator.comparingDouble(this::away))
                        .orElseThrow();
                turns.remove(next);
                more[next]++;
                for (int r = 0; r < taken.length; r++) {
                    taken[r] += part[next][r];
                }
                if (more[next] < count[next]) {
                    turns.add(next);
                }
            }
            return more;
        }

        /** When the next copy of a type has its turn, as a part of all. */
        private double turn(int type) {
            return (more[type] + .5) / count[type];
        }

        /** How far all is from its share with a further copy of a type, up to what is the same for each. */
        private double away(int type) {
            double share = (double) number / all;
            double away = (2 * (more[type] - share * count[type]) + 1) / all / all;
            for (int r = 0; r < taken.length; r++) {
                double over = taken[r] + part[type][r] - share;
                away += over * over;
            }
            return away;
        }
    }

    private static final class Repeated extends Stream {
        private final long[][] copies;
        /** By type: the place of its next request. */
        private final int[] place;

        private long left;

        Repeated(RequestStream stream, long[][] copies) {
            super(stream);
            this.copies = copies;
            place = new int[copies.length];
        }

        @Override
        public boolean next() {
            while (left == 0) {
                if (!super.next()) {
                    return false;
                }
                left = copies[type()][place[type()]++];
            }
            left--;
            return true;
        }
    }
}
