package dev.stowage.service.state;

import dev.stowage.core.random.KaplanMeier;
import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long requests hold their servers, learned from the latest arrivals ({@link KaplanMeier}): from those of the same
 * type and demand if enough of them have ended, else from all.
 *
 * <p>If a request has run for longer than all that have ended, only its age can be used: it lasts longer than x times
 * its age with probability 1 / x (J. R. Gott, Implications of the Copernican principle for our future prospects, 1993).
 * The same holds for the fraction of other requests that, by Kaplan and Meier, last longer than the longest that has
 * ended.
 */
final class LearnedLifetimes {
    /** With fewer ended requests of a kind, all requests are a better estimate. */
    private static final int FEWEST = 20;

    private record Kind(String type, List<Long> demand) {
        static Kind of(String type, long[] demand) {
            return new Kind(type, Arrays.stream(demand).boxed().toList());
        }
    }

    /**
     * The lifetimes of a kind.
     *
     * @param known their distribution
     * @param longest the longest that was seen to its end, nanoseconds
     */
    record OfKind(KaplanMeier known, long longest) {
        private static final double MOST = Long.MAX_VALUE / 4.0;

        private static OfKind of(List<RecentRequests.Known> known) {
            boolean[] ends = new boolean[known.size()];
            long longest = 0;
            for (int i = 0; i < ends.length; i++) {
                ends[i] = known.get(i).ended();
                longest = ends[i] ? Math.max(longest, known.get(i).ranNanos()) : longest;
            }
            return new OfKind(
                    KaplanMeier.of(
                            known.stream()
                                    .mapToLong(RecentRequests.Known::ranNanos)
                                    .toArray(),
                            ends),
                    longest);
        }

        /**
         * A lifetime.
         *
         * @param age how long it has lasted already, nanoseconds
         * @param part uniform in (0, 1)
         * @return at least the age, nanoseconds
         */
        long draw(long age, double part) {
            double left = known.longerThan(age) * (1 - part);
            double beyond = known.longerThan(longest);
            if (age > 0 && age >= longest) {
                return (long) Math.min(MOST, age / (1 - part));
            }
            return left < beyond
                    ? (long) Math.min(MOST, Math.max(longest, 1) * (beyond / left))
                    : known.quantile(age, part);
        }
    }

    private final Map<Kind, OfKind> kinds = new HashMap<>();
    private final OfKind all;

    /**
     * Learned from these.
     *
     * @param known those that had a server, at least one
     */
    LearnedLifetimes(List<RecentRequests.Known> known) {
        all = OfKind.of(known);
        Map<Kind, List<RecentRequests.Known>> byKind = new HashMap<>();
        known.forEach(one -> byKind.computeIfAbsent(
                        Kind.of(one.request().type(), one.request().demand()), kind -> new ArrayList<>())
                .add(one));
        byKind.forEach((kind, its) -> {
            if (its.stream().filter(RecentRequests.Known::ended).count() >= FEWEST) {
                kinds.put(kind, OfKind.of(its));
            }
        });
    }

    /**
     * Learned from a bootstrap sample of the same size: each known request is drawn any number of times (B. Efron,
     * Censored Data and the Bootstrap, 1981). So estimates from few requests are as uncertain as they should be. A
     * sample in which none has ended is useless, and is drawn again.
     *
     * @param known of which at least one has ended
     */
    static LearnedLifetimes resampled(List<RecentRequests.Known> known, KeyedRandom random) {
        List<RecentRequests.Known> drawn = new ArrayList<>(known.size());
        while (drawn.stream().noneMatch(RecentRequests.Known::ended)) {
            drawn.clear();
            for (int i = 0; i < known.size(); i++) {
                drawn.add(known.get(random.nextInt(known.size())));
            }
        }
        return new LearnedLifetimes(drawn);
    }

    /** The lifetimes of requests of a type, or without one, and a demand. */
    OfKind of(String type, long[] demand) {
        OfKind ofKind = kinds.get(Kind.of(type, demand));
        return ofKind == null ? all : ofKind;
    }

    /** The lifetimes of all requests. */
    OfKind ofAll() {
        return all;
    }
}
