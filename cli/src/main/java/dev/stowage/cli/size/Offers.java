package dev.stowage.cli.size;

import dev.stowage.cli.experiment.ExperimentOptions;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.ResourceWords;
import dev.stowage.sim.trace.ServerList;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.study.size.SizeWords;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * @param notes on how they were read
 */
record Offers(List<String> names, List<Amounts> capacity, List<Double> price, boolean priced, List<String> notes) {
    /**
     * Kinds in words, or a file with a row for each.
     *
     * @param prices as given; empty for those of the file
     * @param source the experiment, whose overcommitment and reserve hold for these servers too
     * @param point the same, read
     */
    static Offers read(String text, List<String> prices, ExperimentSource source, Experiment point) {
        ReadExperiment read =
                source.withServers(ExperimentOptions.oneOfEach(text)).experiment();
        Experiment offered = read.points().get(0);
        List<Resource> wanted = point.cluster().resources();
        List<Amounts> capacity = blocks(offered).stream()
                .map(block -> as(wanted, offered.cluster().resources(), block.capacity()))
                .toList();
        int kinds = capacity.size();
        List<String> names = new ArrayList<>(SizeWords.kinds(offered));
        double[] price = new double[kinds];
        if (Files.exists(Path.of(text))) {
            List<ServerList.Block> list = ServerListReader.read(Path.of(text), ReadOptions.defaults())
                    .servers()
                    .blocks();
            for (int l = 0; l < kinds; l++) {
                price[l] = list.get(l).price();
                String name = list.get(l).kind().isEmpty()
                        ? String.join("/", list.get(l).names())
                        : list.get(l).kind();
                names.set(l, name.isEmpty() ? names.get(l) : name + " (" + names.get(l) + ")");
            }
        }
        if (!prices.isEmpty()) {
            price = SizeSettings.priceOf(prices, kinds);
        }
        double[] all = price;
        long given = IntStream.range(0, kinds).filter(l -> all[l] > 0).count();
        if (given > 0 && given < kinds) {
            throw new BadInputException("--buy " + text + ": " + (kinds - given) + " of " + kinds
                    + " kinds have no price; give each one, or none for the fewest servers");
        }
        List<String> notes = read.notes().stream()
                .filter(note -> note.startsWith("server list "))
                .toList();
        List<Integer> worthwhile = IntStream.range(0, kinds)
                .filter(l -> IntStream.range(0, kinds).noneMatch(o -> isBetter(capacity, all, o, l)))
                .boxed()
                .toList();
        return new Offers(
                worthwhile.stream().map(names::get).toList(),
                worthwhile.stream().map(capacity::get).toList(),
                worthwhile.stream().map(l -> given == 0 ? 1.0 : all[l]).toList(),
                given > 0,
                notes);
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

    /** Some of them. */
    Offers of(List<Integer> kinds) {
        return new Offers(
                kinds.stream().map(names::get).toList(),
                kinds.stream().map(capacity::get).toList(),
                kinds.stream().map(price::get).toList(),
                priced,
                notes);
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
    static List<ServerBlock> blocks(Experiment point) {
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(block -> new ServerBlock(block.count(), block.capacity()))
                .toList();
    }

    private static Amounts as(List<Resource> wanted, List<Resource> there, Amounts capacity) {
        long[] amounts = new long[wanted.size()];
        for (int r = 0; r < amounts.length; r++) {
            int at = names(there).indexOf(wanted.get(r).name());
            if (at < 0) {
                throw new BadInputException("--buy: the servers on offer have no "
                        + ResourceWords.resource(wanted.get(r).name()) + ", as those that are there");
            }
            amounts[r] = capacity.get(at);
        }
        return Amounts.of(amounts);
    }

    private static List<String> names(List<Resource> resources) {
        return resources.stream().map(Resource::name).toList();
    }
}
