package dev.stowage.study.size;

import dev.stowage.sim.experiment.Experiment;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Which servers of several kinds an inventory at one site takes: of those that are there, or more of them. */
final class KindChoice {
    private static final double SMALLER = 1e-6;
    /** Which kinds to keep is sought in so many runs at least, and as many as place so many requests in all. */
    private static final int FEWEST_TRIALS = 40;

    private static final long TRIED = 4_000_000;

    private final ServerFleet given;
    private final Predicate<long[]> meets;
    /** Of equally many the larger ones are taken. */
    private final double[] price;

    /** With whether so many of each kind are enough. */
    KindChoice(ServerFleet given, Predicate<long[]> meets) {
        this.given = given;
        this.meets = meets;
        price = new double[given.kinds().length];
        int smaller = 0;
        for (int kind : given.bySize()) {
            price[kind] = 1 + SMALLER * smaller++;
        }
    }

    /** Whether the kinds of such servers are chosen. */
    static boolean applies(Experiment point, ServerFleet given) {
        return point.workload().isInventory()
                && point.cluster().sites().size() == 1
                && given.kinds().length > 1
                && given.kinds().length == given.blocks().size();
    }

    /** How many of each kind to keep of those that are there; all of them if these are not enough. */
    long[] kept(long requests) {
        long[] kept = new CheapestFleet(
                        price,
                        given.numbers(),
                        servers -> Arrays.stream(servers).sum() > 0 && meets.test(servers))
                .within((int)
                        Math.max(FEWEST_TRIALS, Math.min(CheapestFleet.MOST_TRIALS, TRIED / Math.max(1, requests))))
                .servers();
        return kept.length == 0 ? given.numbers() : kept;
    }

    /**
     * Those that are there and the fewest more that were found to be enough; empty if none more are needed, or no
     * number is enough.
     *
     * @param most more of each kind
     */
    Optional<long[]> more(long most) {
        long[] there = given.numbers();
        long[] limits = new long[there.length];
        Arrays.fill(limits, most);
        CheapestFleet.Found found = new CheapestFleet(price, limits, added -> meets.test(sum(there, added)))
                .search(new double[there.length], Double.POSITIVE_INFINITY);
        return found.cost() == 0 ? Optional.empty() : Optional.of(sum(there, found.servers()));
    }

    private static long[] sum(long[] a, long[] b) {
        return IntStream.range(0, a.length).mapToLong(i -> a[i] + b[i]).toArray();
    }
}
