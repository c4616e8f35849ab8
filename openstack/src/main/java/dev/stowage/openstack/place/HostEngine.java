package dev.stowage.openstack.place;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.openstack.translate.HostRoom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a cloud, or of several, each a site: hosts and what they hold come in as Placement says, decisions go
 * out. A decision is counted on its host at once, until Placement shows it there, or a reading that began some time
 * later does not. It has no thread and does no input or output; everything that it knows can be read again.
 */
public final class HostEngine {
    /** Hosts that the policy names, one after the other: as many as Nova tries by default ({@code max_attempts}). */
    private static final int CHOICES = 3;

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

    private final PolicyEngine policy;
    private final LongSupplier clock;
    private final long promisedNanos;
    private final SortedMap<String, HostRoom> rooms = new TreeMap<>();
    private final Map<String, Long> readAt = new TreeMap<>();
    /** By consumer and node. */
    private final Map<String, Held> held = new LinkedHashMap<>();

    private final Map<String, Promise> promises = new LinkedHashMap<>();
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();
    private final GroupMembers members = new GroupMembers();

    /**
     * An engine without hosts, which answers questions about some of them.
     *
     * @param clock nanoseconds that never go back
     * @param promisedNanos a decision that Placement does not show so long after it was made was not carried out
     * @throws IllegalArgumentException if there is no such policy, or it cannot keep a server off some hosts
     */
    public static HostEngine ofOne(PolicySpec spec, PolicyFactory policies, LongSupplier clock, long promisedNanos) {
        HostEngine engine = new HostEngine(spec, policies, clock, promisedNanos, List.of("cloud"));
        if (!engine.policy.leavesOutHosts() || !engine.policy.adopts()) {
            throw new IllegalArgumentException("policy " + spec + " cannot leave out hosts that Nova's filters forbid,"
                    + " or cannot adopt what runs; use bf-js, bf-j, bf-s, best-fit, first-fit or fifo-ff");
        }
        return engine;
    }

    /**
     * An engine without hosts, for requests that wait.
     *
     * @param clouds their names, each a site of the policy
     * @throws IllegalArgumentException if there is no such policy
     */
    public HostEngine(
            PolicySpec spec, PolicyFactory policies, LongSupplier clock, long promisedNanos, List<String> clouds) {
        policy = new PolicyEngine(spec, policies, clock, clouds);
        this.clock = clock;
        this.promisedNanos = promisedNanos;
    }

    // ---- what Placement says

    /** Hosts of the first cloud ({@link #read(int, Collection, boolean, long)}). */
    public void read(Collection<HostRoom> read, boolean whole, long began) {
        read(0, read, whole, began);
    }

    /**
     * Hosts as they were read; one that was read later already stays as it is.
     *
     * @param cloud number of their cloud
     * @param whole whether these are all its hosts: others are gone
     * @param began when the reading began, by the clock
     */
    public void read(int cloud, Collection<HostRoom> read, boolean whole, long began) {
        Set<String> classes = new LinkedHashSet<>(policy.resources());
        SortedSet<String> others = new TreeSet<>();
        Set<String> names = new HashSet<>();
        for (HostRoom room : read) {
            policy.isIn(room.node(), cloud);
            names.add(room.node());
            others.addAll(room.inventories().keySet());
        }
        classes.addAll(others);
        if (whole) {
            for (String node : List.copyOf(rooms.keySet())) {
                if (policy.cloud(node) == cloud && !names.contains(node) && readAt.getOrDefault(node, began) <= began) {
                    gone(node);
                }
            }
        }
        List<String> counted = classes.stream().limit(Cluster.MAX_RESOURCES).toList();
        if (!policy.isStarted() || !counted.equals(policy.resources())) {
            restart(counted);
        }
        for (HostRoom room : read) {
            if (readAt.getOrDefault(room.node(), began) <= began) {
                readAt.put(room.node(), began);
                host(room, began);
            }
        }
        stepBack();
    }

    /** What requests will ask for: policies that know types have these from now on. */
    public void expect(Collection<SortedMap<String, Long>> amounts) {
        if (policy.expects(amounts)) {
            restart(policy.resources());
            stepBack();
        }
    }

    private void stepBack() {
        if (policy.stepsBack()) {
            waiting.replaceAll((name, one) -> arrive(one.amounts(), one.nodes()));
        }
    }

    private void host(HostRoom room, long began) {
        boolean returns = rooms.put(room.node(), room) == null;
        if (!policy.host(room, returns)) {
            restart(policy.resources());
        }
        for (Map.Entry<String, Held> one : List.copyOf(held.entrySet())) {
            String consumer = one.getKey().substring(0, one.getKey().indexOf(' '));
            if (one.getValue().node().equals(room.node())
                    && !one.getValue().amounts().equals(room.held().get(consumer))) {
                policy.leave(one.getValue().id());
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
                boolean same = false;
                if (promise != null && promise.node().equals(room.node())) {
                    promises.remove(consumer);
                    same = policy.areEqual(promise.amounts(), amounts);
                    if (same) {
                        held.put(key, new Held(promise.id(), room.node(), amounts));
                    } else {
                        policy.leave(promise.id());
                    }
                }
                if (!same) {
                    held.put(key, new Held(adopt(amounts, room.node()), room.node(), amounts));
                }
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
        policy.drain(node);
        for (Map.Entry<String, Held> one : List.copyOf(held.entrySet())) {
            if (one.getValue().node().equals(node)) {
                policy.leave(one.getValue().id());
                held.remove(one.getKey());
            }
        }
        for (Map.Entry<String, Promise> one : List.copyOf(promises.entrySet())) {
            if (one.getValue().node().equals(node)) {
                takeBack(one.getKey());
            }
        }
        for (Waiting one : waiting.values()) {
            if (policy.nodeOf(one.id()).equals(node)) {
                // The policy has just placed it here: it does not wait any more, and is offered again.
                policy.leave(one.id());
            }
        }
        policy.remove(node);
        rooms.remove(node);
    }

    /** A new engine, which counts these resource classes; what is known is put into it. */
    private void restart(List<String> classes) {
        policy.start(classes, rooms.values());
        held.replaceAll((key, one) -> new Held(adopt(one.amounts(), one.node()), one.node(), one.amounts()));
        promises.replaceAll(
                (key, one) -> new Promise(adopt(one.amounts(), one.node()), one.node(), one.amounts(), one.at()));
        if (policy.adopts()) {
            waiting.replaceAll((name, one) -> arrive(one.amounts(), one.nodes()));
        }
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
            reason = "the host was requested by name";
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
                chosen.add(policy.node(outcome.server()));
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
                if (policy.hasRoom(node, asked.amounts())) {
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
        for (PolicyEars.Heard heard = policy.next(); heard != null; heard = policy.next()) {
            outcome = heard.id() == one.id() ? heard : outcome;
        }
        if (policy.has(one.id())) {
            policy.leave(one.id());
        }
        return outcome;
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
     *
     * @throws UnsupportedOperationException if the policy moved what runs
     */
    public @Nullable Placed next() {
        policy.tick();
        for (PolicyEars.Heard heard = policy.next(); heard != null; heard = policy.next()) {
            for (Map.Entry<String, Waiting> one : waiting.entrySet()) {
                if (one.getValue().id() == heard.id()
                        && !policy.nodeOf(heard.id()).isEmpty()) {
                    String node = policy.nodeOf(heard.id());
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
        return one != null && policy.has(one.id());
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
                policy.leave(promise.id());
            } else {
                promises.put(server, new Promise(promise.id(), promise.node(), promise.amounts(), clock.getAsLong()));
            }
        }
    }

    /** A request, or server, is not counted any more unless Placement shows it. */
    public void takeBack(String name) {
        Promise promise = promises.remove(name);
        if (promise != null) {
            policy.leave(promise.id());
            if (!held.containsKey(name + " " + promise.node())) {
                members.remove(name, promise.node());
            }
        }
        Waiting waited = waiting.remove(name);
        if (waited != null && policy.has(waited.id())) {
            policy.leave(waited.id());
        }
    }

    private Waiting arrive(SortedMap<String, Long> amounts, List<String> nodes) {
        return new Waiting(policy.arrive(amounts, nodes, rooms.keySet()), amounts, nodes);
    }

    private long adopt(SortedMap<String, Long> amounts, String node) {
        policy.stepAside(waiting.values().stream().map(Waiting::id).toList());
        return policy.adopt(amounts, node);
    }

    /** Why the policy cannot keep a request on these hosts; empty if it can. */
    public String cannotKeep(List<String> nodes) {
        return policy.cannotKeep(nodes, rooms.keySet());
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
        return policy.free(node, resource);
    }
}
