package dev.stowage.openstack.translate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a host has and who holds what of it, as Placement says.
 *
 * @param node hypervisor, and name of its resource provider
 * @param inventories of its root provider, by resource class
 * @param held by consumer (a server, or a migration): amounts by resource class
 */
public record HostRoom(
        String node, SortedMap<String, Inventory> inventories, SortedMap<String, SortedMap<String, Long>> held) {
    /** Takes copies. */
    public HostRoom {
        inventories = new TreeMap<>(inventories);
        held = new TreeMap<>(held);
    }

    /** All hosts of a cloud. */
    public static List<HostRoom> of(CloudFacts facts) {
        Map<String, SortedMap<String, SortedMap<String, Long>>> held = new TreeMap<>();
        for (ServerFacts server : facts.servers()) {
            if (!server.node().isEmpty() && !server.allocations().isEmpty()) {
                held.computeIfAbsent(server.node(), first -> new TreeMap<>()).put(server.id(), server.allocations());
            }
        }
        for (CloudFacts.Stranger one : facts.strangers()) {
            held.computeIfAbsent(one.node(), first -> new TreeMap<>())
                    .put(one.consumer(), new TreeMap<>(one.amounts()));
        }
        List<HostRoom> rooms = new ArrayList<>();
        for (HostFacts host : facts.hosts()) {
            rooms.add(new HostRoom(host.node(), host.inventories(), held.getOrDefault(host.node(), new TreeMap<>())));
        }
        return rooms;
    }
}
