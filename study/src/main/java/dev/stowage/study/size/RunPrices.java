package dev.stowage.study.size;

import dev.stowage.optimize.bound.CheapestServers;
import dev.stowage.optimize.bound.RewardBound;
import dev.stowage.optimize.bound.RewardLimit;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.optimize.configuration.Knapsack;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.study.load.PresentLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Prices of requests, whole numbers, from which {@link RunWork} concludes what is needed; any prices are valid. */
record RunPrices(ServerFleet fleet, List<RunWork.AlikeRequests> work, long length) {
    /** Prices of one resource have about this many bits. */
    private static final int BITS = 40;

    private static final double LARGEST_WEIGHT = 1L << 50;
    private static final double TOLERANCE = 1e-6;
    private static final int ROUNDS = 300;

    /**
     * Prices.
     *
     * @param perReward what a micro-unit of reward an hour weighs; 0 where no reward is required
     */
    record PriceList(Evidence evidence, long perReward) {}

    /** For a unit of each resource alone. */
    List<PriceList> ofResources(SizeRequirement its) {
        boolean earns = its.kind() == SizeRequirement.Kind.REWARD;
        int resources = fleet.resources().size();
        return IntStream.range(0, resources)
                .mapToObj(r -> earns ? ofResource(r, its.limit()) : new PriceList(Evidence.perUnit(r, 1, resources), 0))
                .toList();
    }

    /**
     * A price for a unit of one resource. Of the work those that earn most for it come first; the price is what the
     * last of them earns that must run to earn enough.
     */
    private PriceList ofResource(int r, double limit) {
        int resources = fleet.resources().size();
        double left = limit * length;
        double price = 0;
        for (RunWork.AlikeRequests each : work.stream()
                .filter(one -> one.reward() > 0)
                .sorted(Comparator.comparingDouble(one -> -perUnit(one, r)))
                .toList()) {
            left -= each.reward() * each.nanos().doubleValue();
            price = perUnit(each, r);
            if (left <= 0) {
                break;
            }
        }
        if (!(price > 0 && price < Double.POSITIVE_INFINITY)) {
            return new PriceList(Evidence.perUnit(r, 0, resources), 1);
        }
        long perReward = 1L << Math.max(0, BITS - Math.getExponent(price));
        return new PriceList(Evidence.perUnit(r, Math.round(price * perReward), resources), perReward);
    }

    private static double perUnit(RunWork.AlikeRequests work, int resource) {
        return (double) work.reward() / work.demand()[resource];
    }

    private double[] load() {
        return work.stream()
                .mapToDouble(each -> each.nanos().doubleValue() / length)
                .toArray();
    }

    private long[][] demands() {
        return work.stream().map(RunWork.AlikeRequests::demand).toArray(long[][]::new);
    }

    /** Of the program of configurations for the mean numbers in service. */
    List<PriceList> serving(double[] price) {
        if (work.size() > PresentLoad.MOST_KINDS) {
            return List.of();
        }
        CheapestServers.LeastCost least =
                new CheapestServers(fleet.kinds(), price, demands()).solve(load(), 0, TOLERANCE, ROUNDS);
        return List.of(new PriceList(Evidence.packed(List.of(), List.of(demands()), least.proof()), 0));
    }

    /**
     * Of the program for the reward, at the number of servers at which it earns just enough: it is concave in their
     * number, so Newton's method comes to it from below.
     */
    List<PriceList> earning(double limit) {
        if (work.size() > PresentLoad.MOST_KINDS) {
            return List.of();
        }
        long[] reward = work.stream().mapToLong(RunWork.AlikeRequests::reward).toArray();
        double[] load = load();
        List<PriceList> found = new ArrayList<>();
        long servers = 1;
        for (int round = 0; round < ROUNDS; round++) {
            RewardLimit program = RewardBound.of(
                    List.of(new ServerClass((int) servers, fleet.kinds()[0])), demands(), reward, load, TOLERANCE);
            PriceList prices = whole(program.prices());
            found.add(prices);
            if (program.upper() >= limit) {
                break;
            }
            double beyond = 0;
            for (int k = 0; k < load.length; k++) {
                beyond += load[k] * Math.max(0, reward[k] - program.prices()[k]);
            }
            double slope = (program.upper() - beyond) / servers;
            long next = slope > 0 ? (long) Math.ceil((limit - beyond) / slope - TOLERANCE) : Long.MAX_VALUE;
            if (next <= servers || next > Integer.MAX_VALUE) {
                break;
            }
            servers = next;
        }
        return found;
    }

    private PriceList whole(double[] price) {
        double dearest = Arrays.stream(price).max().orElse(0);
        if (!(dearest > 0)) {
            return new PriceList(Evidence.perUnit(0, 0, fleet.resources().size()), 1);
        }
        long most = work.stream()
                .mapToLong(each -> mostOf(each.demand(), fleet.kinds()[0]))
                .max()
                .orElse(1);
        int exponent = Math.getExponent(LARGEST_WEIGHT / (dearest * most * (work.size() + 1)));
        long perReward = 1L << Math.max(0, Math.min(BITS, exponent));
        long[] weight = Arrays.stream(price)
                .mapToLong(each -> Math.round(each * perReward))
                .toArray();
        long heaviest = new Knapsack(fleet.kinds()[0], demands()).nearlyBest(weight, TOLERANCE, new int[work.size()]);
        return new PriceList(
                Evidence.packed(
                        List.of(), List.of(demands()), new CheapestServers.Weights(weight, new long[] {heaviest})),
                perReward);
    }

    private static long mostOf(long[] demand, long[] capacity) {
        return IntStream.range(0, demand.length)
                .filter(r -> demand[r] > 0)
                .mapToLong(r -> capacity[r] / demand[r])
                .min()
                .orElse(0);
    }
}
