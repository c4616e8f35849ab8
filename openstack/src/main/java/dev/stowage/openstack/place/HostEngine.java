package dev.stowage.openstack.place;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
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
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
 * The engine of a cloud: hosts and what they hold come in as Placement says, decisions go out. A decision is counted on
 * its host at once, until Placement shows it there, or a reading that began some time later does not. It has no thread
 * and does no input or output; everything that it knows can be read again.
 */
public final class HostEngine {
    /** Hosts that the policy names, one after the other: as many as Nova tries by default ({@code max_attempts}). */
    private static final int CHOICES = 3;

    private static final long SEED = 1;
    /** Larger amounts are not counted, so that sums stay in range. */
    private static final long MOST = 1L << 50;

    private record Held(long id, String node, SortedMap<String, Long> amounts) {}

    private record Promise(long id, String node, SortedMap<String, Long> amounts, long at) {}

    private record Waiting(long id, SortedMap<String, Long> amounts, List<String> nodes) {}

    /**
     * A request that waited and has a host now.
     *
     * @param name of the request
     * @param node its host
     * @param reason of the policy
     */
    public record Placed(String name, String node, String reason) {}

    private final PolicySpec spec;
    private final PolicyFactory policies;
    private final LongSupplier clock;
    private final long promisedNanos;
    private final SortedMap<String, HostRoom> rooms = new TreeMap<>();
    private final Map<String, Long> readAt = new TreeMap<>();
    /** By consumer and node. */
    private final Map<String, Held> held = new LinkedHashMap<>();

    private final Map<String, Promise> promises = new LinkedHashMap<>();
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();
    private final GroupMembers members = new GroupMembers();
    /** Resource classes that are counted; those that a cloud has beyond these are left to Placement. */
    private List<String> resources = List.of(FlavorNeeds.VCPU, FlavorNeeds.MEMORY, FlavorNeeds.DISK);

    private PolicyEars ears = new PolicyEars();
    private @Nullable Engine engine;
    private long begun;
    private long now;
    private long ids;

    /**
     * An engine without hosts.
     *
     * @param clock nanoseconds that never go back
     * @param promisedNanos a decision that Placement does not show so long after it was made was not carried out
     * @throws IllegalArgumentException if there is no such policy, or it cannot keep a server off some hosts
     */
    public HostEngine(PolicySpec spec, PolicyFactory policies, LongSupplier clock, long promisedNanos) {
        if (!policies.create(spec)
                .capabilities()
                .containsAll(Set.of(Capability.CONSTRAINTS, Capability.OVERCOMMITMENT))) {
            throw new IllegalArgumentException("policy " + spec + " cannot leave out hosts that Nova's filters forbid,"
                    + " or cannot adopt what runs; best-fit, first-fit, fifo-ff, bf-js, bf-j and bf-s can");
        }
        this.spec = spec;
        this.policies = policies;
        this.clock = clock;
        this.promisedNanos = promisedNanos;
    }

    // ---- what Placement says

    /**
     * Hosts as they were read; one that was read later already stays as it is.
     *
     * @param whole whether these are all hosts: others are gone
     * @param began when the reading began, by the clock
     */
    public void read(Collection<HostRoom> read, boolean whole, long began) {
        Set<String> classes = new LinkedHashSet<>(resources);
        SortedSet<String> others = new TreeSet<>();
        Set<String> names = new HashSet<>();
        for (HostRoom room : read) {
            names.add(room.node());
            others.addAll(room.inventories().keySet());
        }
        classes.addAll(others);
        if (whole) {
            for (String node : List.copyOf(rooms.keySet())) {
                if (!names.contains(node) && readAt.getOrDefault(node, began) <= began) {
                    gone(node);
                }
            }
        }
        List<String> counted = classes.stream().limit(Cluster.MAX_RESOURCES).toList();
        if (engine == null || !counted.equals(resources)) {
            restart(counted);
        }
        for (HostRoom room : read) {
            if (readAt.getOrDefault(room.node(), began) <= began) {
                readAt.put(room.node(), began);
                host(room, began);
            }
        }
    }

    private void host(HostRoom room, long began) {
        HostRoom before = rooms.put(room.node(), room);
        int server = engine().findServer(room.node());
        if (server == View.NONE) {
            commands().addServer(at(), 0, capacity(room), room.node(), Labels.NONE);
        } else if (before == null) {
            commands().resizeServer(at(), server, capacity(room));
            commands().returnServer(at(), server);
        } else if (!before.inventories().equals(room.inventories())) {
            commands().resizeServer(at(), server, capacity(room));
        }
        for (Map.Entry<String, Held> one : List.copyOf(held.entrySet())) {
            String consumer = one.getKey().substring(0, one.getKey().indexOf(' '));
            if (one.getValue().node().equals(room.node())
                    && !one.getValue().amounts().equals(room.held().get(consumer))) {
                leave(one.getValue().id());
                held.remove(one.getKey());
                if (!room.held().containsKey(consumer)) {
                    members.remove(consumer, room.node());
                }
            }
        }
        room.held().forEach((consumer, amounts) -> {
            String key = consumer + " " + room.node();
            if (!held.containsKey(key)) {
                Promise promise = promises.get(consumer);
                if (promise != null && promise.node().equals(room.node())) {
                    leave(promise.id());
                    promises.remove(consumer);
                }
                held.put(key, new Held(adopt(amounts, room.node()), room.node(), amounts));
            }
        });
        for (Map.Entry<String, Promise> one : List.copyOf(promises.entrySet())) {
            if (one.getValue().node().equals(room.node())
                    && began - one.getValue().at() > promisedNanos) {
                takeBack(one.getKey());
            }
        }
    }

    private void gone(String node) {
        int server = engine().findServer(node);
        commands().drainServer(at(), server);
        for (Map.Entry<String, Held> one : List.copyOf(held.entrySet())) {
            if (one.getValue().node().equals(node)) {
                leave(one.getValue().id());
                held.remove(one.getKey());
            }
        }
        for (Map.Entry<String, Promise> one : List.copyOf(promises.entrySet())) {
            if (one.getValue().node().equals(node)) {
                takeBack(one.getKey());
            }
        }
        commands().removeServer(at(), server);
        rooms.remove(node);
    }

    /** A new engine, which counts these resource classes; what is known is put into it. */
    private void restart(List<String> classes) {
        resources = classes;
        ears = new PolicyEars();
        begun = clock.getAsLong();
        now = 0;
        Cluster cluster = new Cluster(
                resources.stream().map(Resource::of).toList(), List.of(), List.of(Site.of("cloud")), List.of());
        engine = Engine.start(cluster, spec, policies, Steps.COMMANDS, SEED, 0, ears);
        rooms.values().forEach(room -> commands().addServer(at(), 0, capacity(room), room.node(), Labels.NONE));
        held.replaceAll((key, one) -> new Held(adopt(one.amounts(), one.node()), one.node(), one.amounts()));
        promises.replaceAll(
                (key, one) -> new Promise(adopt(one.amounts(), one.node()), one.node(), one.amounts(), one.at()));
        waiting.replaceAll((name, one) -> arrive(one.amounts(), one.nodes()));
    }

    // ---- decisions at once

    /**
     * The hosts that a server may go to, best first: the first is counted as taken from now on.
     *
     * @return no host if the policy does not place it
     */
    public HostAnswer ask(HostQuestion asked) {
        Promise before = promises.get(asked.server());
        if (before != null
                && !(before.amounts().equals(asked.amounts()) && asked.nodes().contains(before.node()))) {
            takeBack(asked.server());
            before = null;
        }
        List<List<String>> tiers = members.admitted(asked);
        Set<String> chosen = new LinkedHashSet<>();
        String reason = tiers.isEmpty() ? "no host that its server group allows" : "";
        if (before != null) {
            chosen.add(before.node());
            reason = "as answered before";
        } else if (asked.forced() && asked.nodes().size() == 1) {
            tiers = List.of(asked.nodes());
            chosen.add(asked.nodes().get(0));
            reason = "somebody asked for it by name";
        }
        for (List<String> tier : tiers) {
            while (chosen.size() < CHOICES && !chosen.containsAll(tier)) {
                PolicyEars.Heard outcome = attempt(
                        asked.amounts(),
                        tier.stream().filter(node -> !chosen.contains(node)).toList());
                reason = chosen.isEmpty() ? outcome.reason() : reason;
                if (outcome.server() == View.NONE) {
                    break;
                }
                chosen.add(engine().view().serverName(outcome.server()));
            }
        }
        if (chosen.isEmpty()) {
            return new HostAnswer(List.of(), reason);
        }
        String first = chosen.iterator().next();
        if (before == null && rooms.containsKey(first)) {
            promise(asked.server(), first, asked.amounts());
            members.put(asked.group(), asked.server(), first);
        }
        List<String> rest = new ArrayList<>();
        for (List<String> tier : tiers) {
            for (String node : tier) {
                if (hasRoom(node, asked.amounts())) {
                    chosen.add(node);
                } else {
                    rest.add(node);
                }
            }
        }
        chosen.addAll(rest);
        return new HostAnswer(List.copyOf(chosen), reason);
    }

    /** Where the policy would put it among these hosts; it is not there afterwards. */
    private PolicyEars.Heard attempt(SortedMap<String, Long> amounts, List<String> nodes) {
        Waiting one = arrive(amounts, nodes);
        PolicyEars.Heard outcome = new PolicyEars.Heard(one.id(), View.NONE, "none of these hosts is known");
        for (PolicyEars.Heard heard = ears.next(); heard != null; heard = ears.next()) {
            outcome = heard.id() == one.id() ? heard : outcome;
        }
        if (engine().find(one.id()) != View.NONE) {
            leave(one.id());
        }
        return outcome;
    }

    private boolean hasRoom(String node, SortedMap<String, Long> amounts) {
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

    private void promise(String key, String node, SortedMap<String, Long> amounts) {
        promises.put(key, new Promise(adopt(amounts, node), node, amounts, clock.getAsLong()));
    }

    // ---- decisions when there is room

    /** A request waits in the policy's queue for one of these hosts. */
    public void offer(String name, SortedMap<String, Long> amounts, List<String> nodes) {
        waiting.put(name, arrive(amounts, nodes));
    }

    /** The hosts that a request waits for; empty if it does not wait. */
    public List<String> waitsFor(String name) {
        Waiting one = waiting.get(name);
        return one == null ? List.of() : one.nodes();
    }

    /**
     * The next request that has a host, counted there from now on as a promise with its name; null if there is none. A
     * request that the policy rejects stays, and is offered again with {@link #offer}.
     */
    public @Nullable Placed next() {
        for (PolicyEars.Heard heard = ears.next(); heard != null; heard = ears.next()) {
            for (Map.Entry<String, Waiting> one : waiting.entrySet()) {
                if (one.getValue().id() == heard.id() && heard.server() != View.NONE) {
                    String node = engine().view().serverName(heard.server());
                    waiting.remove(one.getKey());
                    promises.put(
                            one.getKey(),
                            new Promise(heard.id(), node, one.getValue().amounts(), clock.getAsLong()));
                    return new Placed(one.getKey(), node, heard.reason());
                }
            }
        }
        return null;
    }

    /** Whether a request is in the policy's queue. */
    public boolean isWaiting(String name) {
        Waiting one = waiting.get(name);
        return one != null && engine().find(one.id()) != View.NONE;
    }

    /** The host that a request, or a server, has been promised; empty if none. */
    public String promisedTo(String name) {
        Promise promise = promises.get(name);
        return promise == null ? "" : promise.node();
    }

    /** A request that has a host is a server by now. */
    public void created(String name, String server) {
        Promise promise = promises.remove(name);
        if (promise != null) {
            if (held.containsKey(server + " " + promise.node())) {
                leave(promise.id());
            } else {
                promises.put(server, new Promise(promise.id(), promise.node(), promise.amounts(), clock.getAsLong()));
            }
        }
    }

    /** A request, or server, is not counted any more unless Placement shows it. */
    public void takeBack(String name) {
        Promise promise = promises.remove(name);
        if (promise != null) {
            leave(promise.id());
            if (!held.containsKey(name + " " + promise.node())) {
                members.remove(name, promise.node());
            }
        }
        Waiting waited = waiting.remove(name);
        if (waited != null && engine().find(waited.id()) != View.NONE) {
            leave(waited.id());
        }
    }

    // ---- the engine

    private Waiting arrive(SortedMap<String, Long> amounts, List<String> nodes) {
        Set<String> allowed = new HashSet<>(nodes);
        List<Integer> avoided = new ArrayList<>();
        for (String node : rooms.keySet()) {
            if (!allowed.contains(node)) {
                avoided.add(engine().findServer(node));
            }
        }
        Waiting one = new Waiting(ids++, amounts, nodes);
        NewRequest request = NewRequest.of(one.id(), demand(amounts));
        commands().arrive(at(), avoided.isEmpty() ? request : request.constrained(Constraints.avoiding(avoided)));
        return one;
    }

    private long adopt(SortedMap<String, Long> amounts, String node) {
        long id = ids++;
        commands().adopt(at(), NewRequest.of(id, demand(amounts)), engine().findServer(node));
        if (engine().find(id) == View.NONE) {
            throw new IllegalStateException("cannot count " + amounts + " on " + node + ": " + ears.last());
        }
        return id;
    }

    private void leave(long id) {
        commands().leave(at(), id);
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
        return Objects.requireNonNull(engine, "no host was read yet");
    }

    private Commands commands() {
        return engine();
    }

    // ---- questions

    /** Whether a host is known. */
    public boolean knows(String node) {
        return rooms.containsKey(node);
    }

    /** Decisions that Placement does not show yet. */
    public int promised() {
        return promises.size();
    }

    /** Hosts. */
    public int hosts() {
        return rooms.size();
    }

    /** Free amount of a resource class on a host; negative if more is held than may be. */
    public long free(String node, String resource) {
        return engine().view().free(engine().findServer(node), resources.indexOf(resource));
    }
}
