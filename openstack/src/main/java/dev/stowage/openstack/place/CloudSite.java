package dev.stowage.openstack.place;

import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import dev.stowage.openstack.translate.FlavorNeeds;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.HostRoom;
import dev.stowage.openstack.translate.HostRules;
import dev.stowage.openstack.translate.Inventory;
import dev.stowage.openstack.translate.ServerFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One cloud of a queue, as it was read last: a site of the engine. Its hosts that are closed are not in the engine. */
final class CloudSite {
    private final String name;
    private final boolean only;
    private final int number;
    private final ServerCalls calls;
    /** By node, as the engine knows it. */
    private final Map<String, HostFacts> hosts = new HashMap<>();

    private final Map<String, FlavorFacts> flavors = new HashMap<>();
    /** Hosts of requests that ask for the same. */
    private final Map<List<Object>, List<String>> allowed = new HashMap<>();
    /** By group: servers that were asked for since the last reading, and their nodes. */
    private final Map<String, Map<String, String>> asked = new HashMap<>();

    private final Set<String> made = new HashSet<>();
    private CloudFacts facts = CloudFacts.EMPTY;
    private boolean fresh;
    private boolean unknown = true;

    /**
     * A cloud that was not read yet.
     *
     * @param name stands before the names of its nodes, unless it is the only cloud
     * @param number of its site
     */
    CloudSite(String name, boolean only, int number, ServerCalls calls) {
        this.name = name;
        this.only = only;
        this.number = number;
        this.calls = calls;
    }

    String name() {
        return name;
    }

    ServerCalls calls() {
        return calls;
    }

    /** Whether the newest reading succeeded. */
    boolean isFresh() {
        return fresh;
    }

    /** Whether none has succeeded yet. */
    boolean isUnknown() {
        return unknown;
    }

    /** Reads it and tells the engine; its servers that were made for requests. */
    List<ServerCalls.Made> read(HostEngine engine, long began) {
        fresh = false;
        List<ServerCalls.Made> servers = calls.made(ServerRequest.MARK);
        facts = calls.read();
        fresh = true;
        unknown = false;
        made.clear();
        servers.forEach(server -> made.add(server.id()));
        asked.clear();
        allowed.clear();
        hosts.clear();
        Set<String> closed = new HashSet<>();
        for (HostFacts host : facts.hosts()) {
            if (host.closed().isEmpty()) {
                hosts.put(node(host.node()), host);
            } else {
                closed.add(host.node());
            }
        }
        engine.read(
                number,
                HostRoom.of(facts).stream()
                        .filter(room -> !closed.contains(room.node()))
                        .map(room -> new HostRoom(node(room.node()), room.inventories(), room.held()))
                        .toList(),
                true,
                began);
        return servers;
    }

    /** The name of a node that no other cloud has. */
    private String node(String node) {
        return only ? node : name + "/" + node;
    }

    boolean has(String node) {
        return hosts.containsKey(node);
    }

    /** The name of a node's host. */
    String host(String node) {
        return Objects.requireNonNull(hosts.get(node)).host();
    }

    /** Whether it has this server, made for a request. */
    boolean made(String server) {
        return made.contains(server);
    }

    FlavorNeeds needs(ServerRequest one) {
        return FlavorNeeds.of(flavors.computeIfAbsent(one.flavor(), calls::flavor), one.fromVolume());
    }

    /** A server was asked for, and is in no reading yet. */
    void asked(ServerRequest one, String server, String node) {
        if (!one.group().isEmpty()) {
            asked.computeIfAbsent(one.group(), first -> new HashMap<>()).put(server, node);
        }
    }

    void forgetAllowed() {
        allowed.clear();
    }

    /** The nodes that a request may use, whatever room they have. */
    List<String> hosts(ServerRequest one, Set<String> refused) {
        List<Object> like = List.of(one.flavor(), one.fromVolume(), one.zone(), one.group(), refused);
        return allowed.computeIfAbsent(like, first -> find(one, refused));
    }

    private List<String> find(ServerRequest one, Set<String> refused) {
        GroupFacts group = group(one);
        Map<String, Integer> counts = new HashMap<>();
        if (group != null) {
            for (ServerFacts server : facts.servers()) {
                if (group.members().contains(server.id()) && !server.node().isEmpty()) {
                    counts.merge(node(server.node()), 1, Integer::sum);
                }
            }
            asked.getOrDefault(group.id(), Map.of()).values().forEach(node -> counts.merge(node, 1, Integer::sum));
        }
        List<String> nodes = new ArrayList<>();
        for (HostFacts host : facts.hosts()) {
            String node = node(host.node());
            boolean free = !refused.contains(node) && mayTake(one, host);
            boolean admitted = group == null
                    ? one.group().isEmpty()
                    : group.admits(counts.getOrDefault(node, 0), !counts.isEmpty());
            if (free && admitted) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    private @Nullable GroupFacts group(ServerRequest one) {
        return facts.groups().stream()
                .filter(each -> each.id().equals(one.group()))
                .findFirst()
                .orElse(null);
    }

    /** Whether a host that is open may take a request if it is empty, groups aside. */
    private boolean mayTake(ServerRequest one, HostFacts host) {
        return hosts.containsKey(node(host.node()))
                && HostRules.ofNew(needs(one), "", one.zone())
                        .forbid(host, facts.metadataKeys())
                        .isEmpty()
                && isLargeEnough(one, host);
    }

    private boolean isLargeEnough(ServerRequest one, HostFacts host) {
        return needs(one).amounts().entrySet().stream().allMatch(amount -> {
            Inventory there = host.inventories().get(amount.getKey());
            return there != null && Math.min(there.capacity(), there.max()) >= amount.getValue();
        });
    }

    /** Why {@link #hosts} has none for a request. */
    String whyNone(ServerRequest one) {
        String flavor = flavors.containsKey(one.flavor())
                ? Objects.requireNonNull(flavors.get(one.flavor())).name()
                : one.flavor();
        GroupFacts group = group(one);
        if (group == null && !one.group().isEmpty()) {
            return "there is no server group '" + one.group() + "'";
        }
        if (!needs(one).unknown().isEmpty()) {
            return "no host may take it: flavor " + flavor + " asks for something that Stowage does not know: "
                    + String.join(", ", needs(one).unknown());
        }
        if (facts.hosts().stream().noneMatch(host -> isLargeEnough(one, host))) {
            return "no host is large enough for flavor " + flavor + ", even empty";
        }
        if (facts.hosts().stream().noneMatch(host -> mayTake(one, host))) {
            return "no host may take it (stowage openstack advise" + (name.isEmpty() ? "" : " --cloud " + name)
                    + " --explain " + flavor + (one.zone().isEmpty() ? "" : " --zone " + one.zone()) + " says why)";
        }
        return group != null && hosts(one, Set.of()).isEmpty()
                ? "no host may take it: its server group " + group.name() + " admits none of those that could"
                : "Nova has just refused every host that may take it; asking again soon";
    }
}
