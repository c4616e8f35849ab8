package dev.stowage.openstack.translate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A cloud at one moment.
 *
 * @param hosts hypervisors
 * @param flavors flavors, by name
 * @param servers servers that run, or were refused for lack of a host, in order of creation
 * @param groups server groups
 * @param strangers allocations that belong to no server
 * @param shared resource classes that a provider shares with hosts: which one, and how much of it is free
 * @param notes on what was read
 */
public record CloudFacts(
        List<HostFacts> hosts,
        SortedMap<String, FlavorFacts> flavors,
        List<ServerFacts> servers,
        List<GroupFacts> groups,
        List<Stranger> strangers,
        SortedMap<String, String> shared,
        List<String> notes) {
    /**
     * An allocation of a consumer that is not a server: a migration or resize under way, or an orphan.
     *
     * @param consumer UUID
     * @param node hypervisor
     * @param amounts by resource class
     */
    public record Stranger(String consumer, String node, Map<String, Long> amounts) {
        /** Takes a copy. */
        public Stranger {
            amounts = Map.copyOf(amounts);
        }
    }

    /** Nothing. */
    public static final CloudFacts EMPTY =
            new CloudFacts(List.of(), new TreeMap<>(), List.of(), List.of(), List.of(), new TreeMap<>(), List.of());

    /** Takes copies. */
    public CloudFacts {
        hosts = List.copyOf(hosts);
        flavors = new TreeMap<>(flavors);
        servers = List.copyOf(servers);
        groups = List.copyOf(groups);
        strangers = List.copyOf(strangers);
        shared = new TreeMap<>(shared);
        notes = List.copyOf(notes);
    }

    /** Keys of the metadata of all aggregates. */
    public Set<String> metadataKeys() {
        Set<String> keys = new TreeSet<>();
        hosts.forEach(host -> host.aggregates()
                .forEach(aggregate -> keys.addAll(aggregate.metadata().keySet())));
        return keys;
    }
}
