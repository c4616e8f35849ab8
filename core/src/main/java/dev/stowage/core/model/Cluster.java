package dev.stowage.core.model;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A cluster at the start: resources, sites with servers, and the known request types.
 *
 * @param resources resources of a server, 1 to {@value #MAX_RESOURCES}; every capacity and demand has one amount for
 *     each
 * @param pooledResources names of the resources that a site's servers share
 * @param sites data centers, at least one
 * @param types request types; may be empty if every request carries its own demand
 */
public record Cluster(
        List<Resource> resources, List<String> pooledResources, List<Site> sites, List<RequestType> types) {
    /** Most resources a server can have. */
    public static final int MAX_RESOURCES = 16;

    /** Checks that everything has the right number of amounts. */
    public Cluster {
        resources = List.copyOf(resources);
        pooledResources = List.copyOf(pooledResources);
        sites = List.copyOf(sites);
        types = List.copyOf(types);
        int dimensions = resources.size();
        require(dimensions >= 1 && dimensions <= MAX_RESOURCES, "a cluster has 1 to 16 resources, not " + dimensions);
        require(!sites.isEmpty(), "a cluster has at least one site");
        requireUnique(resources.stream().map(Resource::name), "resource");
        requireUnique(pooledResources.stream(), "pooled resource");
        requireUnique(sites.stream().map(Site::name), "site");
        requireUnique(types.stream().map(RequestType::name), "type");
        requireUnique(
                sites.stream().flatMap(site -> site.servers().stream()).flatMap(block -> block.names().stream()),
                "server");
        require(
                resources.stream().filter(Resource::divisible).count() <= 1,
                "at most one resource can be divisible: " + resources);
        require(
                resources.stream().filter(Resource::comesInDevices).count() <= 1,
                "at most one resource can come in devices: " + resources);
        for (Site site : sites) {
            requireSize(site.pooled(), pooledResources.size(), "pooled capacity of site " + site.name());
            for (ServerBlock block : site.servers()) {
                requireSize(block.capacity(), dimensions, "server capacity in site " + site.name());
                for (int r = 0; r < dimensions; r++) {
                    requireNothing(
                            resources.get(r).wrongCapacity(block.capacity().get(r)));
                }
            }
        }
        for (RequestType type : types) {
            requireSize(type.demand(), dimensions, "demand of type " + type.name());
            requireSize(type.pooledDemand(), pooledResources.size(), "pooled demand of type " + type.name());
            for (int r = 0; r < dimensions; r++) {
                requireNothing(resources.get(r).wrongDemand(type.demand().get(r)));
            }
        }
    }

    /** One site "site" with servers of one resource. */
    public static Cluster single(int servers, long... capacity) {
        List<Resource> resources = new java.util.ArrayList<>();
        for (int r = 0; r < capacity.length; r++) {
            resources.add(Resource.of("r" + r));
        }
        Site site = Site.of("site", new ServerBlock(servers, Amounts.of(capacity)));
        return new Cluster(resources, List.of(), List.of(site), List.of());
    }

    /** The same with other servers. */
    public Cluster withSites(List<Site> others) {
        return new Cluster(resources, pooledResources, others, types);
    }

    /** The same with other known types. */
    public Cluster withTypes(List<RequestType> others) {
        return new Cluster(resources, pooledResources, sites, others);
    }

    private static void requireUnique(Stream<String> names, String what) {
        Set<String> seen = new TreeSet<>();
        names.forEach(name -> require(seen.add(name), "more than one " + what + " is named '" + name + "'"));
    }

    private static void requireSize(Amounts amounts, int expected, String what) {
        require(amounts.size() == expected, what + " has " + amounts.size() + " amounts instead of " + expected);
    }

    private static void requireNothing(String wrong) {
        require(wrong.isEmpty(), wrong);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
