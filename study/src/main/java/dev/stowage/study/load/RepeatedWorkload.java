package dev.stowage.study.load;

import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A number of each request, at its own time: of n requests of types with one factor ceil(factor n) in all, and of each
 * type as many within one. Nothing is drawn, and with a greater factor none comes less often: which type has the next
 * copy follows from the earliest deadline (Baruah, Cohen, Plaxton, Varvel 1996: lags stay below one), which of its
 * requests, and of types alike, from bit reversal of their place.
 */
final class RepeatedWorkload extends ForwardingWorkload {
    /** Keeps what only a rounding error takes above a whole number from being rounded up. */
    private static final double ROUNDING = 1e-9;

    /** By type. */
    private final double[] factor;

    /** Of requests that are the same for every seed. */
    private long @Nullable [][] given;

    RepeatedWorkload(Workload workload, double[] factor) {
        super(workload);
        this.factor = factor;
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
        RequestStream stream = super.open(seed);
        while (stream.next()) {
            count[stream.type()]++;
        }
        Map<Double, List<Integer>> alike = new LinkedHashMap<>();
        for (int type = 0; type < count.length; type++) {
            alike.computeIfAbsent(factor[type], any -> new ArrayList<>()).add(type);
        }
        long[][] copies = new long[count.length][];
        alike.forEach((times, types) -> {
            long all = types.stream().mapToLong(type -> count[type]).sum();
            long whole = (long) Math.floor(times + ROUNDING);
            long[] more = more(types, count, all, (long) Math.ceil(all * times - ROUNDING) - all * whole);
            for (int type : types) {
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
        });
        return copies;
    }

    /** A further copy of a request of a type: not before one number of copies in all, and before another. */
    private record Copy(int type, long number, long from, long until) {
        static Copy of(int type, long number, long count, long all) {
            return new Copy(type, number, (number - 1) * all / count, (number * all + count - 1) / count);
        }
    }

    /** How many of the requests of each type come once more, of so many in all. */
    private static long[] more(List<Integer> types, int[] count, long all, long copies) {
        long[] more = new long[count.length];
        int[] turn = new int[count.length];
        for (int i = 0; i < types.size(); i++) {
            turn[types.get(i)] = Integer.reverse(i) >>> 1;
        }
        PriorityQueue<Copy> later = new PriorityQueue<>(Comparator.comparingLong(Copy::from));
        PriorityQueue<Copy> ready =
                new PriorityQueue<>(Comparator.comparingLong(Copy::until).thenComparingInt(copy -> turn[copy.type()]));
        types.stream().filter(type -> count[type] > 0).forEach(type -> later.add(Copy.of(type, 1, count[type], all)));
        for (long n = 0; n < copies; n++) {
            while (!later.isEmpty() && later.element().from() <= n) {
                ready.add(later.remove());
            }
            Copy next = ready.remove();
            more[next.type()]++;
            if (next.number() < count[next.type()]) {
                later.add(Copy.of(next.type(), next.number() + 1, count[next.type()], all));
            }
        }
        return more;
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
