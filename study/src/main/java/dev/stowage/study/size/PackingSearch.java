package dev.stowage.study.size;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.Capability;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.PolicyNeeds;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether requests fit servers, by trying where each can go, up to a number of tries. What is found is a placement;
 * that none is found says nothing.
 */
final class PackingSearch {
    /** More requests are not tried. */
    static final int MOST_REQUESTS = 300;

    private static final int MOST_TRIES = 20_000;

    private final long[][] demand;
    private final int[] type;
    private final SpreadRules apart;
    private final long[][] free;
    private final SpreadRules.Held[] held;
    /** What all requests from one on need, by resource. */
    private final long[][] rest;

    private int tries;

    /**
     * A search.
     *
     * @param demand of each request by resource, the largest first
     * @param type of each request
     * @param apart of which a server has at most so many
     * @param capacity of each server by resource
     */
    PackingSearch(long[][] demand, int[] type, SpreadRules apart, long[][] capacity) {
        this.demand = demand;
        this.type = type;
        this.apart = apart;
        held = Stream.generate(() -> apart.new Held()).limit(capacity.length).toArray(SpreadRules.Held[]::new);
        free = Arrays.stream(capacity).map(long[]::clone).toArray(long[][]::new);
        rest = new long[demand.length + 1][capacity.length == 0 ? 0 : capacity[0].length];
        for (int i = demand.length - 1; i >= 0; i--) {
            for (int r = 0; r < rest[i].length; r++) {
                rest[i][r] = rest[i + 1][r] + demand[i][r];
            }
        }
    }

    boolean found() {
        return demand.length <= MOST_REQUESTS && placed(0, 0);
    }

    /** Places a request and those after it; on a server from one on, as one that is alike is on the one before. */
    private boolean placed(int i, int from) {
        if (i == demand.length) {
            return true;
        }
        if (tries++ >= MOST_TRIES || !enough(rest[i])) {
            return false;
        }
        for (int s = from; s < free.length; s++) {
            if (fits(demand[i], free[s]) && held[s].admits(type[i]) && !isTried(s, from)) {
                add(free[s], demand[i], -1);
                held[s].add(type[i], 1);
                boolean same = i + 1 < demand.length
                        && Arrays.equals(demand[i], demand[i + 1])
                        && apart.alike(type[i], type[i + 1]);
                boolean all = placed(i + 1, same ? s : 0);
                held[s].add(type[i], -1);
                add(free[s], demand[i], 1);
                if (all) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean enough(long[] needed) {
        for (int r = 0; r < needed.length; r++) {
            long sum = 0;
            for (long[] each : free) {
                sum += each[r];
            }
            if (sum < needed[r]) {
                return false;
            }
        }
        return true;
    }

    /** Whether a server before has as much free. */
    private boolean isTried(int server, int from) {
        for (int s = from; s < server; s++) {
            if (Arrays.equals(free[s], free[server]) && held[s].same(held[server])) {
                return true;
            }
        }
        return false;
    }

    private static boolean fits(long[] demand, long[] free) {
        for (int r = 0; r < demand.length; r++) {
            if (demand[r] > free[r]) {
                return false;
            }
        }
        return true;
    }

    private static void add(long[] free, long[] demand, int sign) {
        for (int r = 0; r < demand.length; r++) {
            free[r] += sign * demand[r];
        }
    }

    /**
     * Of which groups a server has at most so many requests. Here a limit holds for all of the group that a server has,
     * whichever of them came first.
     *
     * @param groups by type of request, each once
     * @param limits the same, for all of that group on a server
     * @param number of groups
     */
    record SpreadRules(int[][] groups, int[][] limits, int number) {
        /** What requests say; empty if they need more of a policy than to keep some of them on servers of their own. */
        static Optional<SpreadRules> of(Experiment point) {
            Set<Capability> needed = EnumSet.noneOf(Capability.class);
            needed.addAll(PolicyNeeds.of(point.cluster(), point.workload(), point.origins(), point.hazards()));
            needed.remove(Capability.CONSTRAINTS);
            int types = point.workload().types().size();
            boolean plain = needed.isEmpty()
                    && point.origins().all().stream()
                            .allMatch(origin -> origin.constraints().hasSitesOnly());
            Map<String, Integer> names = new TreeMap<>();
            int[][] groups = new int[types][];
            int[][] limits = new int[types][];
            for (int type = 0; type < types && plain; type++) {
                ConstraintWords words = point.workload().typeConstraints(type);
                List<Spread> spread = spread(words);
                plain = words.where().isEmpty()
                        && words.avoid().isEmpty()
                        && spread.stream().allMatch(Spread::perServer)
                        && !point.workload().typeTraits(type).distinctServers();
                groups[type] = spread.stream()
                        .mapToInt(each -> names.computeIfAbsent(each.group(), any -> names.size()))
                        .toArray();
                limits[type] = spread.stream().mapToInt(Spread::most).toArray();
            }
            return plain ? Optional.of(new SpreadRules(groups, limits, names.size())) : Optional.empty();
        }

        /** Of a type's words; a rule that is written twice is one. */
        static List<Spread> spread(ConstraintWords words) {
            return words.spread().stream().map(Spread::parse).distinct().toList();
        }

        /** Whether two types have the same rules. */
        boolean alike(int type, int other) {
            return type == other
                    || (Arrays.equals(groups[type], groups[other]) && Arrays.equals(limits[type], limits[other]));
        }

        /** The most of a type that a server has; {@link Integer#MAX_VALUE} without a rule. */
        int most(int type) {
            return Arrays.stream(limits[type]).min().orElse(Integer.MAX_VALUE);
        }

        /** What a server has of each group. */
        final class Held {
            /** By group, of which it has some, and limit: how many requests with that limit. */
            private final Map<Integer, TreeMap<Integer, Integer>> limited = new TreeMap<>();

            /** Whether one more of a type may be there. */
            boolean admits(int type) {
                for (int i = 0; i < groups[type].length; i++) {
                    TreeMap<Integer, Integer> its = limited.get(groups[type][i]);
                    int count = 0;
                    for (int each : its == null ? List.<Integer>of() : its.values()) {
                        count += each;
                    }
                    if (count >= (its == null ? limits[type][i] : Math.min(its.firstKey(), limits[type][i]))) {
                        return false;
                    }
                }
                return true;
            }

            /** One of a type more, or less. */
            void add(int type, int sign) {
                for (int i = 0; i < groups[type].length; i++) {
                    TreeMap<Integer, Integer> its = limited.computeIfAbsent(groups[type][i], any -> new TreeMap<>());
                    its.merge(limits[type][i], sign, (a, b) -> a + b == 0 ? null : (Integer) (a + b));
                    if (its.isEmpty()) {
                        limited.remove(groups[type][i]);
                    }
                }
            }

            boolean same(Held other) {
                return limited.equals(other.limited);
            }
        }
    }
}
