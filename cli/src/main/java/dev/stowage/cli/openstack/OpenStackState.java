package dev.stowage.cli.openstack;

import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorNeeds;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.HostRules;
import dev.stowage.openstack.translate.ServerFacts;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterServer;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.NeighbourRule;
import dev.stowage.study.advise.ServerAdmission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Hosts, servers and groups of OpenStack as a cluster for advice. */
final class OpenStackState {
    private static final Set<String> MOVING = Set.of("ACTIVE", "PAUSED");
    private static final String DOWN = "down";

    private record Kind(HostRules rules, List<String> together, String unchecked) {}

    private final CloudFacts source;
    private final boolean keepLocalDisks;
    private final List<String> resources;
    private final Set<String> metadataKeys;
    /** What no host has, and a provider shares with hosts. */
    private final Map<String, String> shared;

    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final Map<String, ServerFacts> byName = new LinkedHashMap<>();
    /** Numbers of the rules of anti-affinity groups, by group. */
    private final Map<String, Integer> ruleOf = new HashMap<>();

    private final Map<String, GroupFacts> groupOf = new HashMap<>();
    private final List<NeighbourRule> rules = new ArrayList<>();
    private final Map<Kind, ServerAdmission> admissions = new HashMap<>();
    private final List<String> notes;

    OpenStackState(CloudFacts source, boolean keepLocalDisks) {
        this.source = source;
        this.keepLocalDisks = keepLocalDisks;
        metadataKeys = source.metadataKeys();
        notes = new ArrayList<>(source.notes());
        Set<String> ordered = new LinkedHashSet<>(List.of(FlavorNeeds.VCPU, FlavorNeeds.MEMORY, FlavorNeeds.DISK));
        Set<String> others = new TreeSet<>();
        for (HostFacts host : source.hosts()) {
            numbers.put(host.node(), numbers.size());
            others.addAll(host.inventories().keySet());
        }
        source.servers()
                .forEach(server -> others.addAll(server.needs().amounts().keySet()));
        source.strangers().forEach(one -> others.addAll(one.amounts().keySet()));
        ordered.addAll(others);
        shared = new TreeMap<>(source.shared());
        source.hosts()
                .forEach(host -> shared.keySet().removeAll(host.inventories().keySet()));
        ordered.removeAll(shared.keySet());
        resources = List.copyOf(ordered);
        for (GroupFacts group : source.groups()) {
            group.members().forEach(member -> groupOf.put(member, group));
            if (group.apart()) {
                ruleOf.put(group.id(), rules.size());
                rules.add(apart(group));
            }
        }
    }

    private NeighbourRule apart(GroupFacts group) {
        int[] own = new int[numbers.size()];
        Arrays.setAll(own, n -> n);
        String text = "holds " + (group.mostPerHost() == 1 ? "a server" : group.mostPerHost() + " servers")
                + " of anti-affinity group " + group.name();
        return NeighbourRule.limit(text, own, group.mostPerHost());
    }

    List<String> notes() {
        return notes;
    }

    List<String> resources() {
        return resources;
    }

    CloudFacts source() {
        return source;
    }

    /** A server by the name that it has here; null if there is none. */
    @Nullable
    ServerFacts server(String name) {
        return byName.get(name);
    }

    /** For advice: what must stay with its affinity group is kept, but may run elsewhere if its host is lost. */
    ClusterState state() {
        return state(false);
    }

    /** For a question about a single server: affinity groups also bind what runs. */
    ClusterState withGroupsBinding() {
        return state(true);
    }

    private ClusterState state(boolean groupsBind) {
        List<ClusterServer> hosts = new ArrayList<>();
        for (HostFacts host : source.hosts()) {
            long[] capacity = resources.stream().mapToLong(host::capacity).toArray();
            hosts.add(new ClusterServer(
                    host.node(), capacity, new TreeMap<>(Map.of("zone", host.zone())), host.closed()));
        }
        Map<String, Integer> uses = new HashMap<>();
        source.servers().forEach(server -> uses.merge(server.name(), 1, Integer::sum));
        List<ClusterJob> jobs = new ArrayList<>();
        for (ServerFacts server : source.servers()) {
            String name = uses.getOrDefault(server.name(), 0) == 1 ? server.name() : server.name() + " " + server.id();
            byName.put(name, server);
            jobs.add(job(name, server, groupsBind));
        }
        for (CloudFacts.Stranger stranger : source.strangers()) {
            jobs.add(new ClusterJob(
                    "allocation " + stranger.consumer() + " on " + stranger.node(),
                    amounts(stranger.amounts()),
                    number(stranger.node()),
                    ServerAdmission.everywhere(numbers.size()),
                    ClusterJob.Hold.FIXED,
                    "is an allocation without a server: a migration or resize in progress, or an orphan",
                    List.of(),
                    List.of(),
                    List.of()));
        }
        return new ClusterState(resources, hosts, jobs, rules, List.of());
    }

    private List<Integer> bound(@Nullable GroupFacts group) {
        Integer rule = group == null ? null : ruleOf.get(group.id());
        return rule == null ? List.of() : List.of(rule);
    }

    private int number(String node) {
        return java.util.Objects.requireNonNull(numbers.get(node));
    }

    private ClusterJob job(String name, ServerFacts server, boolean groupsBind) {
        FlavorNeeds needs = server.needs();
        GroupFacts group = groupOf.get(server.id());
        List<Integer> bound = bound(group);
        if (server.refused()) {
            HostRules asked = HostRules.ofNew(needs, server.project(), server.zone());
            return new ClusterJob(
                    name,
                    amounts(needs.amounts()),
                    ClusterJob.WAITS,
                    admission(asked, group),
                    ClusterJob.Hold.MOVABLE,
                    "",
                    bound,
                    bound,
                    List.of());
        }
        HostFacts host = source.hosts().get(number(server.node()));
        String fixed = fixed(server, needs, host);
        String kept = kept(server, group, host);
        HostRules asked = new HostRules(needs, server.project(), server.zone(), host.type(), host.version());
        return new ClusterJob(
                name,
                amounts(needs.amounts()),
                number(server.node()),
                admission(asked, groupsBind && group != null ? group.without(server.id()) : null),
                !fixed.isEmpty()
                        ? ClusterJob.Hold.FIXED
                        : kept.isEmpty() ? ClusterJob.Hold.MOVABLE : ClusterJob.Hold.KEPT,
                fixed.isEmpty() ? kept : fixed,
                bound,
                bound,
                List.of());
    }

    /** Why a server may run nowhere else as far as is known; empty if it may. */
    private static String fixed(ServerFacts server, FlavorNeeds needs, HostFacts host) {
        if (host.type().equals("ironic")) {
            return "runs on bare metal";
        }
        if (!server.elsewhere().isEmpty()) {
            return "holds resources of other providers than its host, such as "
                    + server.elsewhere().get(0);
        }
        if (server.allocations().isEmpty()) {
            return "holds nothing in Placement";
        }
        for (String resource : server.allocations().keySet()) {
            if (resource.equals("PCPU")) {
                return "has pinned CPUs (PCPU)";
            }
            if (resource.equals("VGPU") || resource.equals("PGPU")) {
                return "has a device of its host (" + resource + ")";
            }
        }
        if (!needs.unknown().isEmpty()) {
            return "has extra specs that are not understood: " + String.join(", ", needs.unknown());
        }
        return "";
    }

    /** Why a server stays where it is, though another host could run it; empty if it may be moved. */
    private String kept(ServerFacts server, @Nullable GroupFacts group, HostFacts host) {
        if (!server.task().isEmpty()) {
            return "is being changed (" + server.task() + ")";
        }
        if (!MOVING.contains(server.status())) {
            return "is " + server.status() + ", and only running servers are migrated live";
        }
        if (host.closed().contains(DOWN)) {
            return "is on a host that is down";
        }
        if (group != null && group.together()) {
            return "is in an affinity group, whose servers must be on one host";
        }
        return keepLocalDisks && server.hasLocalDisk() ? "has a disk on its host" : "";
    }

    private long[] amounts(Map<String, Long> amounts) {
        return resources.stream()
                .mapToLong(resource -> amounts.getOrDefault(resource, 0L))
                .toArray();
    }

    /** Where a new server of a flavor may be placed, and what it takes. */
    ClusterJob asked(String flavor, FlavorNeeds needs, String project, String zone, @Nullable GroupFacts group) {
        List<Integer> bound = bound(group);
        return new ClusterJob(
                "a new server of flavor " + flavor,
                amounts(needs.amounts()),
                ClusterJob.WAITS,
                admission(HostRules.ofNew(needs, project, zone), group),
                ClusterJob.Hold.MOVABLE,
                "",
                bound,
                bound,
                List.of());
    }

    private ServerAdmission admission(HostRules asked, @Nullable GroupFacts group) {
        List<String> together = group != null && group.together() ? group.members() : List.of();
        FlavorNeeds needs = asked.needs();
        Map<String, Long> known = new TreeMap<>(needs.amounts());
        List<String> unchecked = new ArrayList<>();
        shared.forEach((resource, provider) -> {
            if (known.remove(resource) != null) {
                unchecked.add(resource + " of " + provider + ", which is shared by hosts and not checked");
            }
        });
        HostRules rules =
                new HostRules(needs.holding(known), asked.project(), asked.zone(), asked.type(), asked.version());
        return admissions.computeIfAbsent(new Kind(rules, together, String.join(", and ", unchecked)), this::admission);
    }

    private ServerAdmission admission(Kind kind) {
        Set<String> nodes = new TreeSet<>();
        for (ServerFacts server : source.servers()) {
            if (!server.node().isEmpty() && kind.together().contains(server.id())) {
                nodes.add(server.node());
            }
        }
        List<List<String>> all = new ArrayList<>();
        Map<List<String>, List<String>> same = new HashMap<>();
        for (HostFacts host : source.hosts()) {
            List<String> forbidden = new ArrayList<>(kind.rules().forbid(host, metadataKeys));
            source.shared()
                    .forEach((resource, provider) -> forbidden.replaceAll(text -> text.equals("has no " + resource)
                            ? "cannot be checked: " + resource + " may come from " + provider
                            : text));
            if (!nodes.isEmpty() && !nodes.contains(host.node())) {
                forbidden.add("holds no server of the affinity group, whose servers must be on one host");
            }
            all.add(forbidden.isEmpty() ? Collections.emptyList() : same.computeIfAbsent(forbidden, one -> one));
        }
        return new ServerAdmission(all, kind.unchecked());
    }
}
