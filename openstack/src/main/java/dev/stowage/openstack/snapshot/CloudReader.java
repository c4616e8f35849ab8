package dev.stowage.openstack.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.Inventory;
import dev.stowage.openstack.translate.ServerFacts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads a cloud: from its APIs, or from files of its client. */
public final class CloudReader {
    static final String HYPERVISORS = "hypervisors";
    static final String SERVICES = "services";
    static final String AGGREGATES = "aggregates";
    static final String SERVERS = "servers";
    static final String FLAVORS = "flavors";
    static final String GROUPS = "server_groups";
    static final String PROVIDERS = "resource_providers";

    private static final String DOWN_TRAIT = "COMPUTE_STATUS_DISABLED";
    private static final String SHARES = "MISC_SHARES_VIA_AGGREGATE";
    private static final int MANY = 3;

    private final CloudSource source;
    private final List<String> notes = new ArrayList<>();
    private final Map<String, JsonNode> services = new HashMap<>();
    /** By consumer: what it holds of root providers, by node; and of others, in words. */
    private final Map<String, Map<String, SortedMap<String, Long>>> held = new LinkedHashMap<>();

    private final Map<String, List<String>> elsewhere = new HashMap<>();
    private final SortedMap<String, String> shared = new TreeMap<>();

    private CloudReader(CloudSource source) {
        this.source = source;
    }

    /**
     * A cloud as it is now.
     *
     * @throws dev.stowage.openstack.api.CloudException if it does not answer, or refuses
     */
    public static CloudFacts live(CloudSession session) {
        return new CloudReader(new LiveSource(session)).read();
    }

    /**
     * A cloud from a directory with what its client wrote ({@link ClientFiles}).
     *
     * @throws dev.stowage.openstack.api.CloudException if a file is missing or not understood
     */
    public static CloudFacts files(Path directory) {
        return new CloudReader(new ClientFiles(directory)).read();
    }

    private CloudFacts read() {
        for (JsonNode service : source.list(SERVICES)) {
            services.put(service.path("host").asText(), service);
        }
        List<HostFacts> hosts = hosts();
        SortedMap<String, FlavorFacts> flavors = new TreeMap<>();
        for (JsonNode flavor : source.list(FLAVORS)) {
            flavors.put(flavor.path("name").asText(), flavor(flavor));
        }
        List<ServerFacts> servers = servers(hosts);
        long zones = hosts.stream().map(HostFacts::zone).distinct().count();
        if (!source.saysZonesAsked() && zones > 1) {
            notes.add("the zones that servers were requested in are not known (Nova reports them from microversion 2.96"
                    + " on): each server is treated as bound to its current zone");
        }
        List<CloudFacts.Stranger> strangers = new ArrayList<>();
        held.forEach((consumer, nodes) ->
                nodes.forEach((node, amounts) -> strangers.add(new CloudFacts.Stranger(consumer, node, amounts))));
        if (!strangers.isEmpty()) {
            notes.add(strangers.size() + " allocations belong to no server: migrations and resizes under way, or"
                    + " orphans, as nova-manage placement audit finds them; the first is of consumer "
                    + strangers.get(0).consumer() + " on " + strangers.get(0).node());
        }
        return new CloudFacts(hosts, flavors, servers, groups(), strangers, shared, notes);
    }

    private List<HostFacts> hosts() {
        Map<String, JsonNode> roots = new HashMap<>();
        Map<String, String> nodeOf = new HashMap<>();
        List<JsonNode> providers = source.list(PROVIDERS);
        for (JsonNode provider : providers) {
            if (isRoot(provider)) {
                roots.put(provider.path("name").asText(), provider);
                nodeOf.put(provider.path("uuid").asText(), provider.path("name").asText());
            }
        }
        Map<String, List<HostFacts.Aggregate>> aggregates = new HashMap<>();
        for (JsonNode aggregate : source.list(AGGREGATES)) {
            HostFacts.Aggregate one =
                    new HostFacts.Aggregate(aggregate.path("name").asText(), strings(aggregate.path("metadata")));
            aggregate
                    .path("hosts")
                    .forEach(host -> aggregates
                            .computeIfAbsent(host.asText(), first -> new ArrayList<>())
                            .add(one));
        }
        List<HostFacts> hosts = new ArrayList<>();
        Set<String> nodes = new TreeSet<>();
        for (JsonNode hypervisor : source.list(HYPERVISORS)) {
            String node = hypervisor.path("hypervisor_hostname").asText();
            nodes.add(node);
            hosts.add(host(hypervisor, roots.get(node), aggregates));
        }
        hosts.sort((one, other) -> one.node().compareTo(other.node()));
        for (JsonNode provider : providers) {
            String name = provider.path("name").asText();
            String root =
                    nodeOf.getOrDefault(provider.path("root_provider_uuid").asText(), name);
            if (!isRoot(provider) || !nodes.contains(name)) {
                other(provider, name, nodes.contains(root));
            }
        }
        return hosts;
    }

    static boolean isRoot(JsonNode provider) {
        return provider.path("parent_provider_uuid").asText("null").equals("null");
    }

    private HostFacts host(
            JsonNode hypervisor,
            @org.jspecify.annotations.Nullable JsonNode provider,
            Map<String, List<HostFacts.Aggregate>> aggregates) {
        String node = hypervisor.path("hypervisor_hostname").asText();
        String name = hypervisor.path("service").path("host").asText();
        SortedMap<String, Inventory> inventories = new TreeMap<>();
        Set<String> traits = new TreeSet<>();
        if (provider != null) {
            String uuid = provider.path("uuid").asText();
            source.inventories(uuid)
                    .properties()
                    .forEach(one -> inventories.put(one.getKey(), inventory(one.getValue())));
            source.traits(uuid).forEach(trait -> traits.add(trait.asText()));
            source.allocations(uuid)
                    .properties()
                    .forEach(one -> held.computeIfAbsent(one.getKey(), first -> new TreeMap<>())
                            .put(node, amounts(one.getValue())));
        }
        List<HostFacts.Aggregate> own = aggregates.getOrDefault(name, List.of());
        JsonNode service = services.getOrDefault(name, hypervisor.path("none"));
        String reason = service.path("disabled_reason").isNull()
                ? ""
                : service.path("disabled_reason").asText();
        return new HostFacts(
                node,
                name,
                service.path("id").asText(),
                service.path("zone").asText(),
                closed(service, traits, provider == null, reason),
                reason,
                hypervisor.path("hypervisor_type").asText(),
                hypervisor.path("hypervisor_version").asLong(),
                inventories,
                traits,
                own);
    }

    private static String closed(JsonNode service, Set<String> traits, boolean withoutProvider, String reason) {
        if (service.path("status").asText().equals("disabled")) {
            return "is disabled" + (reason.isEmpty() ? "" : " (" + reason + ")");
        }
        if (service.path("forced_down").asBoolean()) {
            return "is forced down";
        }
        if (!service.path("state").asText("up").equals("up")) {
            return "is down";
        }
        if (traits.contains(DOWN_TRAIT)) {
            return "has trait " + DOWN_TRAIT + " in Placement, though its service is enabled";
        }
        return withoutProvider ? "has no resource provider in Placement" : "";
    }

    /** Amounts of an allocation, by resource class. */
    static SortedMap<String, Long> amounts(JsonNode allocation) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        allocation
                .path("resources")
                .properties()
                .forEach(
                        amount -> amounts.put(amount.getKey(), amount.getValue().asLong()));
        return amounts;
    }

    static Inventory inventory(JsonNode one) {
        return new Inventory(
                one.path("total").asLong(),
                one.path("reserved").asLong(),
                one.path("allocation_ratio").asDouble(1),
                one.path("min_unit").asLong(1),
                one.path("max_unit").asLong(Long.MAX_VALUE),
                Math.max(1, one.path("step_size").asLong(1)));
    }

    /** A provider that is not a hypervisor: a part of one (devices, NUMA nodes), or shared storage. */
    private void other(JsonNode provider, String name, boolean part) {
        String uuid = provider.path("uuid").asText();
        int holders = 0;
        SortedMap<String, Long> used = new TreeMap<>();
        for (Map.Entry<String, JsonNode> one : source.allocations(uuid).properties()) {
            holders++;
            amounts(one.getValue()).forEach((resource, amount) -> used.merge(resource, amount, Long::sum));
            List<String> amounts = new ArrayList<>();
            one.getValue()
                    .path("resources")
                    .properties()
                    .forEach(amount -> amounts.add(amount.getValue().asLong() + " " + amount.getKey() + " of " + name));
            elsewhere.computeIfAbsent(one.getKey(), first -> new ArrayList<>()).addAll(amounts);
        }
        if (part && holders == 0) {
            return;
        }
        boolean shares = false;
        for (JsonNode trait : source.traits(uuid)) {
            shares |= trait.asText().equals(SHARES);
        }
        if (shares && !part) {
            source.inventories(uuid).properties().forEach(one -> {
                long free = inventory(one.getValue()).capacity() - used.getOrDefault(one.getKey(), 0L);
                shared.merge(one.getKey(), name + " (" + free + " free)", (some, more) -> some + " and " + more);
            });
        }
        notes.add("resource provider " + name + " is "
                + (part ? "a part of a host" : shares ? "shared by hosts" : "not a hypervisor") + ": what " + holders
                + " servers hold of it is not checked, and these servers stay where they are");
    }

    private List<ServerFacts> servers(List<HostFacts> hosts) {
        Set<String> nodes = new TreeSet<>();
        hosts.forEach(host -> nodes.add(host.node()));
        List<ServerFacts> servers = new ArrayList<>();
        int nowhere = 0;
        List<String> unallocated = new ArrayList<>();
        List<JsonNode> all = new ArrayList<>(source.list(SERVERS));
        all.sort((one, other) ->
                one.path("created").asText().compareTo(other.path("created").asText()));
        for (JsonNode server : all) {
            ServerFacts facts = server(server);
            if (nodes.contains(facts.node()) || facts.refused()) {
                servers.add(facts);
                if (!facts.refused()
                        && facts.allocations().isEmpty()
                        && facts.elsewhere().isEmpty()) {
                    unallocated.add(facts.id());
                }
            } else {
                nowhere++;
            }
        }
        if (nowhere > 0) {
            notes.add(nowhere + " servers are on no host (shelved, being built, or failed) and left out");
        }
        if (!unallocated.isEmpty()) {
            notes.add(unallocated.size()
                    + " servers hold nothing in Placement; they are counted by their flavors and stay"
                    + " where they are: "
                    + String.join(", ", unallocated.subList(0, Math.min(MANY, unallocated.size()))));
        }
        return servers;
    }

    private ServerFacts server(JsonNode server) {
        String id = server.path("id").asText();
        String node = text(server.path("OS-EXT-SRV-ATTR:hypervisor_hostname"));
        JsonNode pinned = server.path("pinned_availability_zone");
        String zone = source.saysZonesAsked() ? text(pinned) : text(server.path("OS-EXT-AZ:availability_zone"));
        Map<String, SortedMap<String, Long>> own = held.getOrDefault(id, new TreeMap<>());
        SortedMap<String, Long> here = own.getOrDefault(node, new TreeMap<>());
        own.remove(node);
        if (own.isEmpty()) {
            held.remove(id);
        }
        List<String> others = new ArrayList<>(elsewhere.getOrDefault(id, List.of()));
        own.keySet().forEach(other -> others.add("room on " + other + " too"));
        JsonNode flavor = server.path("flavor");
        return new ServerFacts(
                id,
                server.path("name").asText(),
                server.path("tenant_id").asText(),
                server.path("status").asText(),
                text(server.path("OS-EXT-STS:task_state")),
                node,
                zone,
                flavor(flavor.path("original_name").asText(), flavor),
                !server.path("image").isObject(),
                here,
                others,
                server.path("fault").path("message").asText());
    }

    /** A flavor as Nova shows it. */
    public static FlavorFacts flavor(JsonNode flavor) {
        return flavor(flavor.path("name").asText(), flavor);
    }

    private static FlavorFacts flavor(String name, JsonNode flavor) {
        return new FlavorFacts(
                name,
                flavor.path("vcpus").asLong(),
                flavor.path("ram").asLong(),
                flavor.path("disk").asLong(),
                flavor.path("OS-FLV-EXT-DATA:ephemeral")
                        .asLong(flavor.path("ephemeral").asLong()),
                // No swap is an empty text in old microversions.
                flavor.path("swap").asLong(0),
                strings(flavor.path("extra_specs")));
    }

    private List<GroupFacts> groups() {
        List<GroupFacts> groups = new ArrayList<>();
        for (JsonNode group : source.list(GROUPS)) {
            List<String> members = new ArrayList<>();
            group.path("members").forEach(member -> members.add(member.asText()));
            groups.add(new GroupFacts(
                    group.path("id").asText(),
                    group.path("name").asText(),
                    group.path("policy").asText(),
                    group.path("rules").path("max_server_per_host").asInt(1),
                    members));
        }
        return groups;
    }

    private static SortedMap<String, String> strings(JsonNode object) {
        SortedMap<String, String> strings = new TreeMap<>();
        object.properties()
                .forEach(one -> strings.put(one.getKey(), one.getValue().asText()));
        return strings;
    }

    private static String text(JsonNode value) {
        return value.isNull() ? "" : value.asText();
    }
}
