package dev.stowage.openstack.place;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.openstack.translate.FlavorNeeds;
import dev.stowage.openstack.translate.HostRoom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine under its policy, in words of OpenStack: hosts by name, amounts by resource class. A policy that cannot
 * adopt what runs follows another one that has done so, so it begins anew where somebody else's server has come.
 */
final class PolicyEngine {
    private static final long SEED = 1;
    /** What runs is adopted under this policy, where the policy itself cannot. */
    private static final PolicySpec ADOPTER = PolicySpec.of("first-fit");
    /** Larger amounts are not counted, so that sums stay in range. */
    private static final long MOST = 1L << 50;

    private final PolicySpec spec;
    private final PolicyFactory policies;
    private final LongSupplier clock;
    private final List<String> clouds;
    private final Set<Capability> can;
    /** What requests are known to ask for: each is a type. */
    private final Set<SortedMap<String, Long>> types = new LinkedHashSet<>();
    /** By host, also one that is gone: its capacity. */
    private final Map<String, long[]> capacities = new HashMap<>();
    /** By host: number of its cloud. */
    private final Map<String, Integer> cloudOf = new TreeMap<>();

    /** Resource classes that are counted; those that a cloud has beyond these are left to Placement. */
    private List<String> resources = List.of(FlavorNeeds.VCPU, FlavorNeeds.MEMORY, FlavorNeeds.DISK);

    private PolicyEars ears = new PolicyEars();
    private @Nullable Engine engine;
    /** Whether {@link #ADOPTER} is in the place of the policy. */
    private boolean aside;

    private long begun;
    private long now;
    private long ids;

    /** Not started yet. */
    PolicyEngine(PolicySpec spec, PolicyFactory policies, LongSupplier clock, List<String> clouds) {
        this.spec = spec;
        this.policies = policies;
        this.clock = clock;
        this.clouds = List.copyOf(clouds);
        can = policies.create(spec).capabilities();
    }

    /** Whether the policy itself can adopt what runs, and work with hosts that hold more than they have. */
    boolean adopts() {
        return can.contains(Capability.OVERCOMMITMENT);
    }

    boolean leavesOutHosts() {
        return can.contains(Capability.CONSTRAINTS);
    }

    boolean isStarted() {
        return engine != null;
    }

    List<String> resources() {
        return resources;
    }

    /** A host is in the cloud of this number. */
    void isIn(String node, int cloud) {
        cloudOf.put(node, cloud);
    }

    int cloud(String node) {
        return cloudOf.getOrDefault(node, 0);
    }

    /** Takes in what requests will ask for; whether it must start again to know it. */
    boolean expects(Collection<SortedMap<String, Long>> amounts) {
        return types.addAll(amounts) && isStarted();
    }

    /** Starts, or starts again, with these resource classes and hosts, and without any request. */
    void start(List<String> classes, Collection<HostRoom> rooms) {
        resources = classes;
        ears = new PolicyEars();
        begun = clock.getAsLong();
        now = 0;
        List<RequestType> kinds = new ArrayList<>();
        types.forEach(amounts -> kinds.add(RequestType.of("type-" + kinds.size(), demand(amounts))));
        Cluster cluster = new Cluster(
                resources.stream().map(Resource::of).toList(),
                List.of(),
                clouds.stream().map(Site::of).toList(),
                kinds);
        aside = !adopts();
        engine = Engine.start(cluster, aside ? ADOPTER : spec, policies, Steps.COMMANDS, SEED, 0, ears);
        capacities.clear();
        rooms.forEach(this::add);
    }

    /** These requests leave, and {@link #ADOPTER} takes over, if the policy cannot adopt. */
    void stepAside(Collection<Long> waiting) {
        if (!aside && !adopts()) {
            aside = true;
            waiting.stream().filter(this::has).forEach(this::leave);
            commands().setPolicy(at(), ADOPTER);
        }
    }

    /** Gives the policy its place back; whether it had lost it, so that those who wait must arrive again. */
    boolean stepsBack() {
        if (!aside) {
            return false;
        }
        aside = false;
        commands().setPolicy(at(), spec);
        if (!engine().policy().equals(spec)) {
            throw new IllegalStateException("policy " + spec + " cannot start here: " + ears.last());
        }
        return true;
    }

    // ---- hosts

    private void add(HostRoom room) {
        capacities.put(room.node(), capacity(room));
        commands().addServer(at(), cloud(room.node()), capacity(room), room.node(), Labels.NONE);
    }

    /**
     * A host as it is now; whether it is taken in, and not only by {@link #start}.
     *
     * @param returns whether it was gone
     */
    boolean host(HostRoom room, boolean returns) {
        int server = engine().findServer(room.node());
        if (server == View.NONE) {
            add(room);
            return true;
        }
        if (!Arrays.equals(capacity(room), capacities.get(room.node()))) {
            if (!adopts()) {
                return false;
            }
            capacities.put(room.node(), capacity(room));
            commands().resizeServer(at(), server, capacity(room));
        }
        if (returns) {
            commands().returnServer(at(), server);
        }
        return true;
    }

    void drain(String node) {
        commands().drainServer(at(), engine().findServer(node));
    }

    void remove(String node) {
        commands().removeServer(at(), engine().findServer(node));
    }

    String node(int server) {
        return engine().view().serverName(server);
    }

    long free(String node, String resource) {
        return engine().view().free(engine().findServer(node), resources.indexOf(resource));
    }

    boolean hasRoom(String node, SortedMap<String, Long> amounts) {
        int server = engine().findServer(node);
        if (server == View.NONE) {
            return false;
        }
        long[] demand = demand(amounts);
        View view = engine().view();
        boolean room = view.status(server) == ServerStatus.UP;
        for (int r = 0; r < demand.length; r++) {
            room &= view.free(server, r) >= demand[r];
        }
        return room;
    }

    // ---- requests

    /** A request that may use some of all hosts; its id. */
    long arrive(SortedMap<String, Long> amounts, List<String> nodes, Set<String> all) {
        long id = ids++;
        commands().arrive(at(), request(id, amounts).constrained(constraints(nodes, all)));
        return id;
    }

    /** Only these hosts: by whole clouds where all, or none, of the hosts of each are among them. */
    private Constraints constraints(List<String> nodes, Set<String> all) {
        Set<String> allowed = new HashSet<>(nodes);
        List<Integer> avoided = new ArrayList<>();
        SortedSet<Integer> used = new TreeSet<>();
        SortedSet<Integer> left = new TreeSet<>();
        for (String node : all) {
            (allowed.contains(node) ? used : left).add(cloud(node));
            if (!allowed.contains(node)) {
                avoided.add(engine().findServer(node));
            }
        }
        boolean whole = !used.isEmpty() && Collections.disjoint(used, left);
        if (avoided.isEmpty()) {
            return Constraints.NONE;
        }
        return whole ? Constraints.NONE.withSites(List.copyOf(used)) : Constraints.avoiding(avoided);
    }

    /** Why the policy cannot keep a request on some of all hosts; empty if it can. */
    String cannotKeep(List<String> nodes, Set<String> all) {
        Constraints needed = constraints(nodes, all);
        boolean sites = needed.hasSitesOnly();
        if (needed.isNone() || can.contains(sites ? Capability.SITE_LIMITS : Capability.CONSTRAINTS)) {
            return "";
        }
        return "policy " + spec + " cannot leave out "
                + (sites
                        ? "a cloud"
                        : "individual hosts, and the server may use " + nodes.size() + " of " + all.size());
    }

    private NewRequest request(long id, SortedMap<String, Long> amounts) {
        int type = List.copyOf(types).indexOf(amounts);
        return new NewRequest(id, type, demand(amounts), new long[0], 0, Constraints.NONE, 0, false);
    }

    /** Counts what runs on a host; its id. */
    long adopt(SortedMap<String, Long> amounts, String node) {
        long id = ids++;
        int server = engine().findServer(node);
        NewRequest request = request(id, amounts);
        if (aside) {
            // The policy that follows works with no server that holds more than it has.
            long[] most = demand(amounts);
            for (int r = 0; r < most.length; r++) {
                most[r] = Math.min(most[r], Math.max(0, engine().view().free(server, r)));
            }
            request = Arrays.equals(most, request.demand()) ? request : NewRequest.of(id, most);
        }
        commands().adopt(at(), request, server);
        if (!has(id)) {
            throw new IllegalStateException("cannot count " + amounts + " on " + node + ": " + ears.last());
        }
        return id;
    }

    boolean has(long id) {
        return engine().find(id) != View.NONE;
    }

    /** Where a request runs; empty if it waits, or is not there. */
    String nodeOf(long id) {
        int job = engine().find(id);
        int server = job == View.NONE ? View.NONE : engine().view().server(job);
        return server == View.NONE ? "" : node(server);
    }

    void leave(long id) {
        commands().leave(at(), id);
    }

    /** Lets what is due happen. */
    void tick() {
        commands().tick(at());
        if (ears.moved()) {
            throw new UnsupportedOperationException("policy " + spec
                    + " moves running servers, which a queue does not do: choose one that moves nothing");
        }
    }

    /** What the policy has done with a request; null if nothing more. */
    PolicyEars.@Nullable Heard next() {
        return ears.next();
    }

    // ---- amounts

    /** Whether these are the same as far as they are counted. */
    boolean areEqual(SortedMap<String, Long> one, SortedMap<String, Long> other) {
        return Arrays.equals(demand(one), demand(other));
    }

    private long[] capacity(HostRoom room) {
        return resources.stream()
                .mapToLong(one -> {
                    var inventory = room.inventories().get(one);
                    return inventory == null ? 0 : Math.min(MOST, inventory.capacity());
                })
                .toArray();
    }

    /** What is held of classes that no host has itself, as of devices below it, is Placement's own matter. */
    private long[] demand(SortedMap<String, Long> amounts) {
        return resources.stream()
                .mapToLong(one -> Math.min(MOST, amounts.getOrDefault(one, 0L)))
                .toArray();
    }

    private long at() {
        now = Math.max(now, clock.getAsLong() - begun);
        return now;
    }

    private Engine engine() {
        return Objects.requireNonNull(engine, "no host has been read yet");
    }

    private Commands commands() {
        return engine();
    }
}
