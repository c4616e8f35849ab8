package dev.stowage.study.buy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.experiment.Experiment;
import java.util.ArrayList;
import java.util.Collections;
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
 * @param sites for which each is; without a name where there is one, or it is for any
 * @param leadTimeDays days from the order of each until it is delivered; NaN if nothing says it
 */
public record Offers(
        List<String> names,
        List<Amounts> capacity,
        List<Double> price,
        boolean priced,
        String currency,
        List<String> sites,
        List<Double> leadTimeDays) {
    /** Kinds for one site, of which nothing says when they would be delivered. */
    public Offers(List<String> names, List<Amounts> capacity, List<Double> price, boolean priced, String currency) {
        this(
                names,
                capacity,
                price,
                priced,
                currency,
                Collections.nCopies(names.size(), ""),
                Collections.nCopies(names.size(), Double.NaN));
    }

    /** Those for each of some sites: all for the first, then all for the next. */
    Offers atEach(List<Site> all) {
        List<Integer> each = new ArrayList<>();
        List<String> where = new ArrayList<>();
        for (Site site : all) {
            at(site).forEach(l -> {
                each.add(l);
                where.add(site.name());
            });
        }
        return of(each).atSites(where);
    }

    private Offers atSites(List<String> where) {
        return new Offers(names, capacity, price, priced, currency, where, leadTimeDays);
    }

    /** Those that may be bought for some of these sites; without the name of the site where it is the only one. */
    public Offers forSites(List<Site> all) {
        Offers some = of(IntStream.range(0, names.size())
                .filter(l -> all.stream().anyMatch(site -> at(site).anyMatch(its -> its == l)))
                .boxed()
                .toList());
        return all.size() > 1 ? some : some.atSites(Collections.nCopies(some.names.size(), ""));
    }

    /** How many kinds there are, those for several sites once. */
    public int kinds() {
        return (int) names.stream().distinct().count();
    }

    /** What each is called, with its site. */
    public List<String> labels() {
        return IntStream.range(0, names.size())
                .mapToObj(l -> names.get(l) + (sites.get(l).isEmpty() ? "" : " at " + sites.get(l)))
                .toList();
    }

    /** Some of them. */
    Offers of(List<Integer> kinds) {
        return new Offers(
                kinds.stream().map(names::get).toList(),
                kinds.stream().map(capacity::get).toList(),
                kinds.stream().map(price::get).toList(),
                priced,
                currency,
                kinds.stream().map(sites::get).toList(),
                kinds.stream().map(leadTimeDays::get).toList());
    }

    /** Without those that hold no more than another and cost as much, unless they are worthwhile at another site. */
    public Offers worthwhile() {
        List<Integer> some = IntStream.range(0, names.size())
                .filter(this::isWorthwhile)
                .boxed()
                .toList();
        return of(IntStream.range(0, names.size())
                .filter(l -> some.stream()
                        .anyMatch(o -> o == l
                                || (names.get(o).equals(names.get(l))
                                        && !sites.get(o).equals(sites.get(l)))))
                .boxed()
                .toList());
    }

    private boolean isWorthwhile(int l) {
        double[] all = price.stream().mapToDouble(Double::doubleValue).toArray();
        return IntStream.range(0, all.length)
                .noneMatch(o -> sites.get(o).equals(sites.get(l)) && isBetter(capacity, all, o, l));
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

    /** Those for a site. */
    IntStream at(Site site) {
        return IntStream.range(0, names.size())
                .filter(l -> sites.get(l).isEmpty() || sites.get(l).equals(site.name()));
    }

    /** The sites of an experiment with their servers, or without any; with labels where requests may need them. */
    public static List<Site> sites(Experiment point, boolean servers) {
        return point.cluster().sites().stream()
                .map(site -> new Site(
                        site.name(),
                        servers
                                ? site.servers().stream()
                                        .map(block -> point.workload().isConstrained()
                                                ? new ServerBlock(
                                                        block.count(), block.capacity(), List.of(), block.labels())
                                                : plain(block))
                                        .toList()
                                : List.of(),
                        site.pooled()))
                .toList();
    }

    private static ServerBlock plain(ServerBlock block) {
        return new ServerBlock(block.count(), block.capacity());
    }

    /** The servers of an experiment. */
    public static List<ServerBlock> blocks(Experiment point) {
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(Offers::plain)
                .toList();
    }
}
