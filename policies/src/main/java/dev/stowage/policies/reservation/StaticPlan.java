package dev.stowage.policies.reservation;

import dev.stowage.core.policy.View;
import dev.stowage.optimize.bound.RewardBound;
import dev.stowage.optimize.bound.RewardLimit;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.optimize.bound.SupportableLoad;
import dev.stowage.optimize.greedy.GreedyPlacement;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which configuration each server gets once and for all, for a known load. */
enum StaticPlan {
    /** GPA. Classes of servers one after the other. */
    GREEDY {
        @Override
        List<List<Part>> parts(View view, long[] load, int[] servers) {
            List<List<Part>> all = new ArrayList<>();
            long[] left = load.clone();
            for (int c = 0; c < servers.length; c++) {
                GreedyPlacement greedy = new GreedyPlacement(Fleet.maxReward(view, c));
                greedy.place(left, servers[c]);
                List<Part> parts = new ArrayList<>();
                for (int i = 0; i < greedy.iterations(); i++) {
                    parts.add(new Part(greedy.configuration(i), (int) greedy.servers(i)));
                }
                all.add(parts);
            }
            return all;
        }
    },
    /**
     * The linear program (6): of x servers with a configuration the whole ones, the rest by largest fraction. Solved in
     * pure Java on every machine, because decisions depend on which of several optima is found.
     */
    OPTIMAL {
        @Override
        List<List<Part>> parts(View view, long[] load, int[] servers) {
            List<Integer> types = new ArrayList<>();
            for (int type = 0; type < load.length; type++) {
                if (demandsSomething(view, type)) {
                    types.add(type);
                }
            }
            List<List<Part>> all = new ArrayList<>();
            List<ServerClass> classes = new ArrayList<>();
            List<Integer> numbers = new ArrayList<>();
            for (int c = 0; c < servers.length; c++) {
                all.add(new ArrayList<>());
                if (servers[c] > 0) {
                    int group = c;
                    long[] capacity = new long[view.resources()];
                    Arrays.setAll(capacity, r -> view.classCapacity(group, r));
                    classes.add(new ServerClass(servers[c], capacity));
                    numbers.add(c);
                }
            }
            if (types.isEmpty() || classes.isEmpty()) {
                return all;
            }
            RewardLimit limit = limit(view, load, types, classes);
            for (int k = 0; k < numbers.size(); k++) {
                all.set(numbers.get(k), whole(limit, k, servers[numbers.get(k)], types, load.length));
            }
            return all;
        }
    };

    /** Share of a server below which a fraction is rounding. */
    private static final double ROUNDING = 1e-6;

    private static final double TOLERANCE = 1e-9;

    /** Servers with a configuration, counts per type. */
    record Part(int[] counts, int servers) {}

    /**
     * The parts of each capacity class; servers beyond the parts hold nothing.
     *
     * @param load requests per type
     * @param servers servers per capacity class
     */
    abstract List<List<Part>> parts(View view, long[] load, int[] servers);

    private static boolean demandsSomething(View view, int type) {
        long most = 0;
        for (int r = 0; r < view.resources(); r++) {
            most = Math.max(most, view.typeDemand(type, r));
        }
        return most > 0;
    }

    private static RewardLimit limit(View view, long[] load, List<Integer> types, List<ServerClass> classes) {
        long[][] demand = new long[types.size()][view.resources()];
        long[] reward = new long[demand.length];
        double[] loads = new double[demand.length];
        for (int i = 0; i < demand.length; i++) {
            int type = types.get(i);
            Arrays.setAll(demand[i], r -> view.typeDemand(type, r));
            reward[i] = view.typeReward(type);
            loads[i] = load[type];
        }
        return RewardBound.of(classes, demand, reward, loads, TOLERANCE, LinearSolvers.OJALGO);
    }

    private static List<Part> whole(RewardLimit limit, int serverClass, int servers, List<Integer> types, int all) {
        List<SupportableLoad.Share> shares = new ArrayList<>(limit.shares().stream()
                .filter(share -> share.serverClass() == serverClass && share.servers() > ROUNDING)
                .toList());
        shares.sort(Comparator.comparingDouble(share -> -fraction(share)));
        int left = servers;
        for (SupportableLoad.Share share : shares) {
            left -= (int) (share.servers() + ROUNDING);
        }
        List<Part> parts = new ArrayList<>();
        for (SupportableLoad.Share share : shares) {
            int extra = left > 0 && fraction(share) > ROUNDING ? 1 : 0;
            left -= extra;
            int[] counts = new int[all];
            for (int i = 0; i < types.size(); i++) {
                counts[types.get(i)] = share.counts()[i];
            }
            parts.add(new Part(counts, (int) (share.servers() + ROUNDING) + extra));
        }
        return parts;
    }

    /** What a share has beyond whole servers. */
    private static double fraction(SupportableLoad.Share share) {
        return Math.max(0, share.servers() - (int) (share.servers() + ROUNDING));
    }
}
