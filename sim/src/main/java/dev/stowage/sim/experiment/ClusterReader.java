package dev.stowage.sim.experiment;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.measure.PricesInUse;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadedServers;
import dev.stowage.sim.trace.ServerList;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.sim.trace.TraceException;
import dev.stowage.sim.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The part {@code cluster} of an experiment or of a service. */
public final class ClusterReader {
    private static final String EXAMPLE = "{servers: {count: 1400, cpu: 48, memory: 128 GiB}}";
    /** Name of a class of servers, for a table of efficiencies. */
    static final String CLASS = "class";

    private static final String DEVICES = "devices";
    private static final String GPU = "gpu_milli";

    static final List<String> NOT_RESOURCES = List.of(
            "count",
            CLASS,
            "name",
            "names",
            "labels",
            HazardReader.FAILURES,
            PromisedCapacity.OVERCOMMIT,
            PromisedCapacity.RESERVE);

    /** The resource that is divisible, and the one that comes in devices; empty for none. */
    private record Special(String divisible, String devices) {
        Resource resource(String name) {
            long device = name.endsWith("_milli") ? 1000 : 1;
            return new Resource(name, name.equals(divisible), name.equals(devices) ? device : 0);
        }

        void check(YamlFields at, Cluster cluster) {
            List<String> names =
                    cluster.resources().stream().map(Resource::name).toList();
            checkIn(names, divisible, at.at("divisible"));
            checkIn(names, devices, at.at(DEVICES));
            for (String part : List.of(PromisedCapacity.OVERCOMMIT, PromisedCapacity.RESERVE)) {
                at.at(part).keys().stream()
                        .filter(key -> ResourceKeys.resource(key).equals(devices))
                        .forEach(key -> at.at(part)
                                .at(key)
                                .problem("cannot be given for devices, which are whole: leave it out"));
            }
        }

        private static void checkIn(List<String> names, String name, YamlFields at) {
            if (!name.isEmpty() && !names.contains(name)) {
                at.problem("'" + name + "' is not a resource of the servers: " + names);
            }
        }
    }

    private final InputFiles inputs;
    private final List<Remark> notes;
    private final boolean withClasses;
    private final boolean withFailures;
    /** Which blocks, in order, say themselves what may be used of them. */
    private final BitSet own = new BitSet();
    /** What is read. */
    private @Nullable YamlFields whole;

    private int blocks;

    /** With the directory of the file, and a list that takes notes. */
    public ClusterReader(Path base, List<Remark> notes) {
        this(InputFiles.in(base), notes, false, false);
    }

    /** For an experiment, where servers may fail, and says whether their blocks may name a class. */
    ClusterReader(InputFiles inputs, List<Remark> notes, boolean withClasses) {
        this(inputs, notes, withClasses, true);
    }

    private ClusterReader(InputFiles inputs, List<Remark> notes, boolean withClasses, boolean withFailures) {
        this.inputs = inputs;
        this.notes = notes;
        this.withClasses = withClasses;
        this.withFailures = withFailures;
    }

    /** The cluster, or null if it could not be read (the problems say why). */
    public @Nullable Cluster read(YamlFields cluster) {
        if (!cluster.isObject(EXAMPLE)) {
            return null;
        }
        whole = cluster;
        int before = cluster.problems();
        // lead= is about offers (--buy), which are no part of it.
        if (cluster.has("server-columns")
                && !cluster.has("server-list")
                && !cluster.at("server-columns").text("").equals("lead=")) {
            cluster.at("server-columns").problem("says what the columns of a server list are, but there is no list");
        }
        Special special = new Special(
                ResourceKeys.resource(cluster.at("divisible").text("")),
                ResourceKeys.resource(cluster.at(DEVICES).text("")));
        Cluster result = switch (form(cluster)) {
            case "sites" -> ofSites(cluster.at("sites").elements(), special);
            case "servers" -> ofServers(cluster.at("servers").elements(), special);
            case "server-list" -> ofList(cluster, special);
            default -> null;
        };
        if (result != null && cluster.problems() == before) {
            special.check(cluster, result);
            noteGpus(result);
            if (!withFailures) {
                noteMissing(result);
            }
        }
        if (result != null && cluster.problems() == before) {
            PromisedCapacity usable = new PromisedCapacity(
                    cluster, result.resources().stream().map(Resource::name).toList());
            result = result.withSites(bearing(cluster, usable.of(cluster, result.sites(), own, notes)));
        }
        ResourceNames.declared(cluster);
        // What was not looked at, because the servers could not be read, is not unknown.
        cluster.at(PromisedCapacity.OVERCOMMIT);
        cluster.at(PromisedCapacity.RESERVE);
        PromisedCapacity.SPARES.forEach(cluster::at);
        if (withFailures) {
            cluster.at(HazardReader.FAILURES);
        }
        cluster.rejectUnknown();
        return cluster.problems() == before ? result : null;
    }

    /** Those that are left for what must run though some fail. */
    private List<Site> bearing(YamlFields cluster, List<Site> sites) {
        if (withFailures) {
            return PromisedCapacity.withoutSpare(cluster, sites, notes);
        }
        for (String key : PromisedCapacity.SPARES) {
            if (cluster.has(key)) {
                cluster.at(key)
                        .problem("is not for a service, whose servers come and go: drain those that are to stay free"
                                + " (stowage servers drain NAME)");
            }
        }
        return sites;
    }

    private static String form(YamlFields cluster) {
        List<String> given = List.of("sites", "servers", "server-list").stream()
                .filter(cluster::has)
                .toList();
        if (given.size() != 1) {
            cluster.problem("must have exactly one of sites, servers, server-list, not " + given + "; e.g. " + EXAMPLE);
            return "";
        }
        return given.get(0);
    }

    private void noteGpus(Cluster cluster) {
        for (int r = 0; r < cluster.resources().size(); r++) {
            int gpus = r;
            boolean several = cluster.sites().stream()
                    .flatMap(site -> site.servers().stream())
                    .anyMatch(block -> block.capacity().get(gpus) > 1000);
            if (cluster.resources().get(r).equals(Resource.of(GPU)) && several) {
                notes.add(
                        Remark.plain(
                                "the GPUs of a server count as one sum; with 'devices: gpu' in the cluster of a file"
                                        + " (--config, or an experiment) each is a device of its own, given whole or in parts"));
            }
        }
    }

    /** Whether requests demand whole devices, or a part of one. */
    static void checkDemands(YamlFields at, Workload workload, Cluster cluster) {
        for (Resource resource : cluster.resources()) {
            int source = workload.resources().indexOf(resource.name());
            for (int type = 0; type < workload.types().size() && source >= 0; type++) {
                String wrong = resource.wrongDemand(workload.typeDemand(type, source));
                if (!wrong.isEmpty()) {
                    at.problem("requests of type '" + workload.types().get(type) + "': " + wrong);
                    return;
                }
            }
        }
    }

    private @Nullable Cluster ofServers(List<YamlFields> blocks, Special special) {
        List<String> resources = resources(blocks);
        return made(
                blocks.get(0),
                resources,
                List.of(),
                special,
                List.of(new Site(ServerList.DEFAULT_SITE, blocks(blocks, resources), Amounts.NONE)));
    }

    private @Nullable Cluster ofSites(List<YamlFields> sites, Special special) {
        List<YamlFields> allBlocks = new ArrayList<>();
        Set<String> pooled = new LinkedHashSet<>();
        for (YamlFields site : sites) {
            if (site.isObject("{name: east, servers: {count: 100, cpu: 48, memory: 128 GiB}}")) {
                allBlocks.addAll(site.at("servers").elements());
                site.at("pooled").keys().forEach(key -> pooled.add(ResourceKeys.resource(key)));
            }
        }
        List<String> resources = resources(allBlocks);
        List<Site> read = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (YamlFields site : sites) {
            String name = site.at("name").text("site-" + read.size());
            if (!names.add(name)) {
                site.at("name").problem("'" + name + "' is the name of another site too");
            }
            long[] pools = ResourceKeys.amounts(site.at("pooled"), List.copyOf(pooled), List.of());
            site.rejectUnknown();
            read.add(new Site(name, blocks(site.at("servers").elements(), resources), Amounts.of(pools)));
        }
        return sites.isEmpty() ? null : made(sites.get(0), resources, List.copyOf(pooled), special, read);
    }

    private @Nullable Cluster ofList(YamlFields cluster, Special special) {
        YamlFields file = cluster.at("server-list");
        String name = file.requiredText("name of a server list file");
        try {
            LoadedServers loaded = list(cluster, inputs.find(name));
            notes.addAll(loaded.report().ofServers());
            Map<String, List<ServerBlock>> bySite = new LinkedHashMap<>();
            for (ServerList.Block block : loaded.servers().blocks()) {
                long[] capacity =
                        block.capacity().stream().mapToLong(Long::longValue).toArray();
                PricesInUse.of(block.labels());
                bySite.computeIfAbsent(block.site(), site -> new ArrayList<>())
                        .add(new ServerBlock(
                                Math.toIntExact(block.count()), Amounts.of(capacity), block.names(), block.labels()));
            }
            List<Site> all = new ArrayList<>();
            bySite.forEach((site, blocks) -> all.add(new Site(site, blocks, Amounts.NONE)));
            return made(file, loaded.servers().resources(), List.of(), special, all);
        } catch (TraceException | IllegalArgumentException e) {
            file.problem(e);
            return null;
        }
    }

    private static LoadedServers list(YamlFields cluster, Path file) {
        return ServerListReader.read(
                file,
                cluster.at("server-columns").text(""),
                cluster.at("server-rows-in").text(""),
                cluster.at("server-rows-with").text(""));
    }

    /** The list of servers of an experiment that was read, with what they are called; empty if it has none. */
    public static Optional<ServerList> list(ExperimentTree tree, InputFiles inputs) {
        YamlFields cluster = tree.fields(new ArrayList<>()).at("cluster");
        String name = cluster.at("server-list").text("");
        return name.isEmpty()
                ? Optional.empty()
                : Optional.of(list(cluster, inputs.find(name)).servers());
    }

    private static @Nullable Cluster made(
            YamlFields at, List<String> resources, List<String> pooled, Special special, List<Site> sites) {
        long servers = sites.stream()
                .flatMap(site -> site.servers().stream())
                .mapToLong(ServerBlock::count)
                .sum();
        if (servers == 0) {
            at.problem("the cluster has no server: at least one block needs a count above 0");
            return null;
        }
        try {
            List<Resource> declared = resources.stream().map(special::resource).toList();
            return new Cluster(declared, pooled, sites, List.of());
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /**
     * For a service, whose requests are not known yet: a forgotten CPU or memory would overfill servers. A cluster with
     * neither counts something else.
     */
    private void noteMissing(Cluster cluster) {
        List<String> has = cluster.resources().stream().map(Resource::name).toList();
        if (has.contains("cpu_milli") != has.contains("mem_mib")) {
            String missing = has.contains("cpu_milli") ? "memory" : "CPU";
            notes.add(Remark.plain("the servers have no " + missing + ", so " + missing + " is not looked at"));
        }
    }

    /** Every resource that some block names, in order of appearance. */
    private static List<String> resources(List<YamlFields> blocks) {
        Set<String> names = new LinkedHashSet<>();
        for (YamlFields block : blocks) {
            for (String key : block.keys()) {
                if (!NOT_RESOURCES.contains(key) && ResourceKeys.isResource(key)) {
                    names.add(ResourceKeys.resource(key));
                }
            }
        }
        return List.copyOf(names);
    }

    private List<ServerBlock> blocks(List<YamlFields> blocks, List<String> resources) {
        return IntStream.range(0, blocks.size())
                .mapToObj(i -> block(blocks.get(i), resources))
                .toList();
    }

    private ServerBlock block(YamlFields block, List<String> resources) {
        if (!block.isObject("{count: 100, cpu: 48, memory: 128 GiB}")) {
            blocks++;
            return new ServerBlock(0, Amounts.of(new long[resources.size()]));
        }
        if (withClasses) {
            block.at(CLASS).text("");
        }
        if (withFailures) {
            block.at(HazardReader.FAILURES);
        }
        int count = (int) block.at("count").whole(1, 0, 10_000_000);
        if (block.keys().stream().allMatch(NOT_RESOURCES::contains)) {
            block.problem("has no capacity; e.g. {count: 100, cpu: 48, memory: 128 GiB}");
        }
        long[] capacity = ResourceKeys.amounts(block, resources, NOT_RESOURCES);
        PromisedCapacity promised = PromisedCapacity.ofBlock(block, Objects.requireNonNull(whole), resources);
        ServerBlock plain = new ServerBlock(count, Amounts.of(promised.of(capacity)));
        ServerBlock read = ServerLabelsReader.of(plain, block);
        own.set(blocks++, promised.says());
        block.rejectUnknown();
        return read;
    }
}
