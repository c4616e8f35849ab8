package dev.stowage.study.size;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Numbers of servers of several kinds that meet a target at a low cost. From several starts (each kind alone, at all
 * sites, and the linear program's mix, scaled up until it meets the target) one kind after the other is reduced as
 * far as the others allow; then some more of one kind take the place of others, as long as that is cheaper, and what
 * one site has is tried at each. Then, if few cost less than that and no less than any policy needs, they are tried in
 * order of their cost. Otherwise the result is a local optimum over whole numbers; the program's bound holds for any
 * policy.
 */
final class CheapestFleet {
    static final int MOST_TRIALS = 400;
    /** So many more are for what one site has, tried at each. */
    private static final int MORE_TRIALS = 50;
    /** So many mixes between the bound and what was found are all tried. */
    private static final int FEW = 200;

    /** So few more of a kind may take the place of several others. */
    private static final int FEW_MORE = 3;

    private static final int MOST_LOOKS = 100_000;

    private static final double ROUNDING = 1e-9;

    private final double[] price;
    private final long[] most;
    private final Predicate<long[]> meets;
    private final Map<List<Long>, Boolean> tried = new LinkedHashMap<>();
    private int mostTrials = MOST_TRIALS;
    private int looked;
    private boolean ranOut;

    /**
     * A search.
     *
     * @param price of a server by kind
     * @param most that there can be of each kind
     * @param meets whether so many of each kind meet the target
     */
    CheapestFleet(double[] price, long[] most, Predicate<long[]> meets) {
        this.price = price.clone();
        this.most = most.clone();
        this.meets = meets;
    }

    /**
     * The result.
     *
     * @param servers by block; empty if nothing that was tried meets the target
     * @param cost of them
     * @param tried every mix that was run, in order, and whether it met the target
     * @param ranOut whether the search ended because it had run as many mixes as it may
     */
    record Found(long[] servers, double cost, Map<List<Long>, Boolean> tried, boolean ranOut) {}

    /**
     * Searches.
     *
     * @param alike which are the same kind at several sites, so that as many of each come first
     * @param mix of the linear program, servers in parts
     * @param atLeast no servers cost less; infinite if what is found need not be compared with it. Asked for where
     *     something must be bought
     */
    Found search(Collection<List<Integer>> alike, double[] mix, DoubleSupplier atLeast) {
        long[] none = new long[price.length];
        if (holds(none)) {
            return new Found(none, 0, tried, false);
        }
        List<long[]> ends = new ArrayList<>();
        double[] even = new double[price.length];
        for (List<Integer> its : alike) {
            double[] alone = new double[price.length];
            double each = its.stream().mapToDouble(l -> mix[l]).sum() / its.size();
            its.forEach(l -> {
                alone[l] = 1;
                even[l] = each;
            });
            start(alone, ends);
        }
        start(even, ends);
        if (ends.isEmpty()) {
            // No kind alone is offered wherever servers are needed.
            double[] any = new double[price.length];
            Arrays.fill(any, 1);
            start(any, ends);
        }
        Found some = best(ends);
        mostTrials += MORE_TRIALS;
        Found found = sameAtEach(some, alike);
        List<long[]> cheaper = new ArrayList<>();
        if (found.servers().length > 0) {
            between(atLeast.getAsDouble() - ROUNDING, found.cost() - ROUNDING, 0, none, cheaper);
        }
        if (cheaper.size() > FEW || looked > MOST_LOOKS) {
            return found;
        }
        cheaper.sort(Comparator.comparingDouble(this::cost));
        for (long[] servers : cheaper) {
            if (!failsAsPartOf(servers) && holds(servers)) {
                return new Found(servers, cost(servers), tried, ranOut);
            }
        }
        return found;
    }

    /** What one site has at each of them, as long as that is cheaper. */
    private Found sameAtEach(Found found, Collection<List<Integer>> alike) {
        int sites = found.servers().length == 0
                ? 0
                : alike.stream().mapToInt(List::size).min().orElse(0);
        for (int s = 0; s < sites; s++) {
            int site = s;
            long[] same = found.servers().clone();
            alike.forEach(its -> its.forEach(l -> same[l] = found.servers()[its.get(site)]));
            if (cost(same) < found.cost() - ROUNDING && holds(same)) {
                return sameAtEach(best(List.of(fewer(same))), alike);
            }
        }
        return found;
    }

    /** Mixes that cost at least so much and less than so much, until there are more than a few. */
    private void between(double from, double below, int kind, long[] servers, List<long[]> found) {
        boolean last = kind == price.length - 1;
        long n = last ? Math.max(0, (long) Math.ceil((from - cost(servers)) / price[kind])) : 0;
        for (; found.size() <= FEW && looked++ <= MOST_LOOKS && n <= most[kind]; n++) {
            long[] next = with(servers, kind, n);
            if (cost(next) >= below) {
                return;
            }
            if (last) {
                found.add(next);
            } else {
                between(from, below, kind + 1, next, found);
            }
        }
    }

    /** Whether more of each kind were too few. */
    private boolean failsAsPartOf(long[] servers) {
        return tried.entrySet().stream()
                .filter(each -> !each.getValue())
                .anyMatch(each -> IntStream.range(0, servers.length)
                        .allMatch(l -> servers[l] <= each.getKey().get(l)));
    }

    /**
     * Searches from all that there can be: the dearest are reduced first, then each other kind in turn is the first.
     *
     * @param trials so many mixes are run at most
     */
    Found within(int trials) {
        mostTrials = trials;
        List<long[]> ends = new ArrayList<>();
        if (holds(most)) {
            ends.add(fewer(most));
            for (int l = 0; l < price.length; l++) {
                ends.add(fewer(with(most, l, least(most, l, most[l]))));
            }
        }
        return best(ends);
    }

    private Found best(List<long[]> ends) {
        long[] best = new long[0];
        for (long[] end : ends) {
            long[] better = end;
            long[] next = end;
            while (next.length > 0) {
                better = next;
                next = ranOut ? new long[0] : cheaper(better);
            }
            best = best.length == 0 || cost(better) < cost(best) ? better : best;
        }
        return new Found(best, best.length == 0 ? 0 : cost(best), tried, ranOut);
    }

    private void start(double[] direction, List<long[]> ends) {
        double largest = Arrays.stream(direction).max().orElse(0);
        if (largest == 0) {
            return;
        }
        // This many of the most frequent kind, the others in proportion.
        LeastLevel least = LeastLevel.of(
                Math.round(Math.ceil(largest)),
                1,
                Arrays.stream(most).max().orElse(1),
                Math.max(1, (long) largest / 16),
                n -> holds(scaled(direction, n / largest)));
        if (least.found()) {
            ends.add(fewer(scaled(direction, least.level() / largest)));
        }
    }

    private static long[] scaled(double[] direction, double by) {
        return Arrays.stream(direction)
                .mapToLong(part -> (long) Math.ceil(part * by - 1e-9))
                .toArray();
    }

    private boolean holds(long[] servers) {
        for (int l = 0; l < servers.length; l++) {
            if (servers[l] > most[l]) {
                return false;
            }
        }
        List<Long> key = Arrays.stream(servers).boxed().toList();
        Boolean known = tried.get(key);
        if (known != null) {
            return known;
        }
        if (tried.size() >= mostTrials) {
            ranOut = true;
            return false;
        }
        boolean holds = meets.test(servers);
        tried.put(key, holds);
        return holds;
    }

    /** Reduces each kind in turn, the dearest first, as far as the others allow. */
    private long[] fewer(long[] servers) {
        long[] now = servers.clone();
        Integer[] order = new Integer[price.length];
        Arrays.setAll(order, l -> l);
        Arrays.sort(order, (a, b) -> Double.compare(price[b], price[a]));
        for (int l : order) {
            if (now[l] > 0) {
                now[l] = least(now, l, now[l]);
            }
        }
        return now;
    }

    private long least(long[] servers, int l, long most) {
        LeastLevel least = LeastLevel.of(most, 0, most, 1, n -> holds(with(servers, l, n)));
        return least.found() ? least.level() : most;
    }

    private static long[] with(long[] servers, int l, long number) {
        long[] other = servers.clone();
        other[l] = number;
        return other;
    }

    /** With some more of a kind fewer of another, then of the rest; none where that is never enough and cheaper. */
    private long[] cheaper(long[] now) {
        for (int of = 0; of < price.length; of++) {
            for (int first = 0; first < price.length; first++) {
                double worth = price[of] / price[first];
                long some = first == of || now[first] == 0 ? 0 : Math.max(1, (long) Math.ceil(now[first] / worth) - 1);
                for (; some > 0; some = some > FEW_MORE + 1 ? some / 2 : some - 1) {
                    long[] more = with(now, of, now[of] + some);
                    long fewer = some > FEW_MORE ? (long) (some * worth) + 1 : 1;
                    if (fewer <= now[first] && holds(with(more, first, now[first] - fewer))) {
                        long[] other = fewer(with(more, first, least(more, first, now[first] - fewer)));
                        if (cost(other) < cost(now) - ROUNDING) {
                            return other;
                        }
                    }
                }
            }
        }
        return new long[0];
    }

    double cost(long[] servers) {
        double sum = 0;
        for (int l = 0; l < servers.length; l++) {
            sum += servers[l] * price[l];
        }
        return sum;
    }
}
