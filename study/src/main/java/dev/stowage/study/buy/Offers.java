package dev.stowage.study.buy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.experiment.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Kinds of servers that may be bought.
 *
 * @param names of each: what it is called and what it holds
 * @param capacity of each, as the resources of the cluster
 * @param price of each, above 0
 * @param priced whether prices were given; otherwise each costs 1, and the fewest are sought
 * @param currency of the prices, by its code; empty if nothing says it
 */
public record Offers(List<String> names, List<Amounts> capacity, List<Double> price, boolean priced, String currency) {
    /** Kinds whose prices have no currency. */
    public Offers(List<String> names, List<Amounts> capacity, List<Double> price, boolean priced) {
        this(names, capacity, price, priced, "");
    }

    /** Some of them. */
    Offers of(List<Integer> kinds) {
        return new Offers(
                kinds.stream().map(names::get).toList(),
                kinds.stream().map(capacity::get).toList(),
                kinds.stream().map(price::get).toList(),
                priced,
                currency);
    }

    /** Without those that hold no more than another and cost as much. */
    public Offers worthwhile() {
        int kinds = names.size();
        double[] all = price.stream().mapToDouble(Double::doubleValue).toArray();
        return of(IntStream.range(0, kinds)
                .filter(l -> IntStream.range(0, kinds).noneMatch(o -> isBetter(capacity, all, o, l)))
                .boxed()
                .toList());
    }

    /** Whether one kind holds as much as another, costs no more, and is not the same or a later one. */
    private static boolean isBetter(List<Amounts> capacity, double[] price, int one, int other) {
        boolean as = one != other && price[one] <= price[other];
        for (int r = 0; as && r < capacity.get(one).size(); r++) {
            as = capacity.get(one).get(r) >= capacity.get(other).get(r);
        }
        boolean same = price[one] == price[other] && capacity.get(one).equals(capacity.get(other));
        return as && (!same || one < other);
    }

    /** An experiment whose servers are those that stay, by block, and one of each kind on offer. */
    Experiment beside(Experiment point, List<ServerBlock> stay) {
        List<ServerBlock> all = new ArrayList<>(stay);
        capacity.forEach(each -> all.add(new ServerBlock(1, each)));
        Cluster cluster = point.cluster();
        Site site = cluster.sites().get(0);
        return point.with(new Cluster(
                cluster.resources(),
                cluster.pooledResources(),
                List.of(new Site(site.name(), all, site.pooled())),
                cluster.types()));
    }

    /** Prices by block of {@link #beside}: nothing for what stays. */
    double[] pricesBeside(int stay) {
        double[] all = new double[stay + price.size()];
        for (int l = 0; l < price.size(); l++) {
            all[stay + l] = price.get(l);
        }
        return all;
    }

    /** The servers of an experiment, equal ones together. */
    public static List<ServerBlock> blocks(Experiment point) {
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(block -> new ServerBlock(block.count(), block.capacity()))
                .toList();
    }
}
