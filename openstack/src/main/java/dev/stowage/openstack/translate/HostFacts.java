package dev.stowage.openstack.translate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A hypervisor with its compute service, its resource provider and its aggregates.
 *
 * @param node name of the hypervisor ({@code hypervisor_hostname}), and of its resource provider
 * @param host name of its compute service
 * @param service id of that service
 * @param zone availability zone
 * @param closed why it takes no server, in words that follow "the host"; empty if it does
 * @param disabledReason what stands at its service; empty if nothing does
 * @param type hypervisor type, as in {@code QEMU}
 * @param version hypervisor version; a server moves to the same or a later one only
 * @param inventories of its root provider, by resource class
 * @param traits of its root provider
 * @param aggregates that it is a member of
 */
public record HostFacts(
        String node,
        String host,
        String service,
        String zone,
        String closed,
        String disabledReason,
        String type,
        long version,
        SortedMap<String, Inventory> inventories,
        Set<String> traits,
        List<Aggregate> aggregates) {
    /** A host aggregate. */
    public record Aggregate(String name, Map<String, String> metadata) {
        /** Takes a copy. */
        public Aggregate {
            metadata = Map.copyOf(metadata);
        }
    }

    /** Takes copies. */
    public HostFacts {
        inventories = new TreeMap<>(inventories);
        traits = Set.copyOf(traits);
        aggregates = List.copyOf(aggregates);
    }

    /** What may be allocated of a resource class; 0 of one that it does not have. */
    public long capacity(String resource) {
        Inventory inventory = inventories.get(resource);
        return inventory == null ? 0 : inventory.capacity();
    }
}
