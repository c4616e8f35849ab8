package dev.stowage.openstack.place;

import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.place.SentRequests.State;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import dev.stowage.openstack.translate.FlavorNeeds;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.HostRoom;
import dev.stowage.openstack.translate.HostRules;
import dev.stowage.openstack.translate.ServerFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests for servers that wait in the policy's queue until there is room, and are then asked of Nova with the host
 * named. What is done stands in a file beside the requests and, as the request's name, in the metadata of each server:
 * whoever works on the same requests again makes no server twice.
 */
public final class ServerQueue implements AutoCloseable {
    /** So long Nova may still carry out a call whose reply was lost. */
    private static final Duration LATE_CALL = Duration.ofSeconds(60);
    /** So long a host that Nova has refused is not asked for again. */
    private static final Duration REFUSED = Duration.ofSeconds(60);

    private static final int BUSY = 409;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    private final HostEngine engine;
    private final ServerCalls calls;
    private final LongSupplier clock;
    private final InstantSource time;
    private final Consumer<String> tell;
    private final SentRequests sent;
    private final Map<String, ServerRequest> open = new LinkedHashMap<>();
    /** Servers that Nova builds, by request: their hosts. */
    private final Map<String, String> building = new LinkedHashMap<>();

    private final Map<String, FlavorFacts> flavors = new HashMap<>();
    /** By request: hosts that Nova has refused, and when; milliseconds since 1970. */
    private final Map<String, Map<String, Long>> refusedBy = new HashMap<>();
    /** Groups of servers that were asked for since the last reading: where. */
    private final Map<String, Map<String, String>> asked = new HashMap<>();

    private final Map<String, String> told = new HashMap<>();
    /** Hosts of requests that ask for the same, as of the last reading. */
    private final Map<List<Object>, List<String>> allowed = new HashMap<>();

    /** Not before the next step. */
    private final Set<String> later = new HashSet<>();

    private CloudFacts facts = CloudFacts.EMPTY;
    private int made;
    private int failed;

    /**
     * The requests of a file, each line a body of Nova's {@code POST /servers}; what was done is in {@code FILE.sent}.
     *
     * @param clock of the engine
     * @param tell what happens, in sentences
     * @throws IllegalArgumentException if a line is not understood, or somebody else works on the file
     */
    public ServerQueue(
            Path file,
            HostEngine engine,
            ServerCalls calls,
            LongSupplier clock,
            InstantSource time,
            Consumer<String> tell)
            throws IOException {
        this.engine = engine;
        this.calls = calls;
        this.clock = clock;
        this.time = time;
        this.tell = tell;
        List<ServerRequest> requests = ServerRequest.read(Files.readAllLines(file));
        sent = new SentRequests(file.resolveSibling(file.getFileName() + ".sent"));
        for (ServerRequest one : requests) {
            SentRequests.LastWord entry = sent.of(one.name());
            if (entry != null && entry.state() == State.FAILED) {
                failed++;
            } else {
                open.put(one.name(), one);
            }
        }
    }

    /** Whether requests wait, or servers are being built. */
    public boolean isBusy() {
        return !open.isEmpty();
    }

    /** Requests for which there will be no server. */
    public int failed() {
        return failed;
    }

    /** Requests that have become servers. */
    public int made() {
        return made;
    }

    /**
     * Reads the cloud, offers what is new to the policy, and asks for the servers that it places.
     *
     * @throws CloudException if the cloud cannot be read; another step may succeed
     */
    public void step() {
        long began = clock.getAsLong();
        List<ServerCalls.Made> servers = calls.made(ServerRequest.MARK);
        facts = calls.read();
        asked.clear();
        later.clear();
        allowed.clear();
        engine.read(HostRoom.of(facts), true, began);
        Map<String, ServerCalls.Made> found = new HashMap<>();
        servers.stream()
                .filter(server -> !sent.isGivenUp(server.id()))
                .forEach(server -> found.put(server.request(), server));
        for (ServerRequest one : List.copyOf(open.values())) {
            look(one, found.get(one.name()));
        }
        offer();
        for (HostEngine.Placed placed = engine.next(); placed != null; placed = engine.next()) {
            ServerRequest one = Objects.requireNonNull(open.get(placed.name()));
            create(one, placed);
            if (!one.group().isEmpty()) {
                // The others of its group have other hosts now.
                allowed.clear();
                offer();
            }
        }
    }

    /** What has become of a request, as the cloud and the file say. */
    private void look(ServerRequest one, ServerCalls.@Nullable Made server) {
        SentRequests.LastWord entry = sent.of(one.name());
        State state = entry == null ? State.AGAIN : entry.state();
        if (server == null) {
            if (state == State.MADE) {
                // It ran, and somebody has deleted it.
                done(one, "was made, and is not there any more");
            }
            return;
        }
        if (state != State.MADE) {
            write(one, State.MADE, server.id());
            engine.takeBack(one.name());
        }
        if (server.status().equals("ERROR")) {
            if (!server.fault().contains("No valid host")) {
                fail(one, "server " + server.id() + " failed: " + server.fault());
                return;
            }
            String host = building.getOrDefault(one.name(), "");
            refusedBy.computeIfAbsent(one.name(), first -> new HashMap<>()).put(host, time.millis());
            write(one, State.AGAIN, server.id());
            calls.delete(server.id());
            building.remove(one.name());
            engine.takeBack(server.id());
            tell.accept(one.name() + ": Nova refuses " + host + " (" + server.fault() + "); it waits for another host");
        } else if (!server.status().equals("BUILD")) {
            made++;
            done(one, "is server " + server.id() + ", " + server.status());
        }
    }

    private void done(ServerRequest one, String words) {
        open.remove(one.name());
        building.remove(one.name());
        tell.accept(one.name() + " " + words);
    }

    private void fail(ServerRequest one, String why) {
        failed++;
        SentRequests.LastWord entry = sent.of(one.name());
        engine.takeBack(one.name());
        write(one, State.FAILED, entry == null ? "" : entry.server());
        done(one, "fails: " + why);
    }

    private void write(ServerRequest one, State state, String server) {
        sent.write(one.name(), state, server, time.millis());
    }

    /** Whether it is to wait in the queue: no server is there or on its way. */
    private boolean waits(ServerRequest one) {
        SentRequests.LastWord entry = sent.of(one.name());
        return entry == null
                || entry.state() == State.AGAIN
                || (entry.state() == State.SENT && time.millis() - entry.millis() > LATE_CALL.toMillis());
    }

    /** Gives the policy what waits, in the order of the file; all of it anew if the hosts of one have changed. */
    private void offer() {
        Map<String, List<String>> hosts = new LinkedHashMap<>();
        Map<String, FlavorNeeds> needs = new HashMap<>();
        for (ServerRequest one : List.copyOf(open.values())) {
            if (waits(one)
                    && !later.contains(one.name())
                    && engine.promisedTo(one.name()).isEmpty()) {
                try {
                    FlavorNeeds its =
                            FlavorNeeds.of(flavors.computeIfAbsent(one.flavor(), calls::flavor), one.fromVolume());
                    needs.put(one.name(), its);
                    hosts.put(one.name(), hosts(one, its));
                } catch (CloudException e) {
                    if (e.status() == 0 || e.status() >= SERVER_ERROR) {
                        throw e;
                    }
                    fail(one, String.valueOf(e.getMessage()));
                }
            }
        }
        boolean same = hosts.entrySet().stream()
                .allMatch(one -> !engine.isWaiting(one.getKey())
                        || engine.waitsFor(one.getKey()).equals(one.getValue()));
        hosts.forEach((name, nodes) -> {
            if (!same) {
                engine.takeBack(name);
            }
        });
        hosts.forEach((name, nodes) -> {
            if (nodes.isEmpty()) {
                engine.takeBack(name);
                once(name, "waits: no host may take it (stowage openstack advise --explain FLAVOR says why)");
            } else if (!engine.isWaiting(name)) {
                engine.offer(name, Objects.requireNonNull(needs.get(name)).amounts(), nodes);
                once(name, "waits for room on " + nodes.size() + " hosts");
            }
        });
    }

    private void once(String name, String words) {
        if (!words.equals(told.put(name, words))) {
            tell.accept(name + " " + words);
        }
    }

    /** The hosts that a request may use, whatever room they have. */
    private List<String> hosts(ServerRequest one, FlavorNeeds needs) {
        Set<String> refused = new HashSet<>();
        refusedBy.getOrDefault(one.name(), Map.of()).forEach((host, when) -> {
            if (time.millis() - when < REFUSED.toMillis()) {
                refused.add(host);
            }
        });
        List<Object> like = List.of(one.flavor(), one.fromVolume(), one.zone(), one.group(), refused);
        return allowed.computeIfAbsent(like, first -> hosts(one, needs, refused));
    }

    private List<String> hosts(ServerRequest one, FlavorNeeds needs, Set<String> refused) {
        HostRules rules = HostRules.ofNew(needs, "", one.zone());
        Set<String> keys = facts.metadataKeys();
        GroupFacts group = facts.groups().stream()
                .filter(each -> each.id().equals(one.group()))
                .findFirst()
                .orElse(null);
        Map<String, Integer> counts = new HashMap<>();
        if (group != null) {
            for (ServerFacts server : facts.servers()) {
                if (group.members().contains(server.id()) && !server.node().isEmpty()) {
                    counts.merge(server.node(), 1, Integer::sum);
                }
            }
            asked.getOrDefault(group.id(), Map.of()).values().forEach(node -> counts.merge(node, 1, Integer::sum));
        }
        List<String> nodes = new ArrayList<>();
        for (HostFacts host : facts.hosts()) {
            int members = counts.getOrDefault(host.node(), 0);
            boolean free = host.closed().isEmpty()
                    && !refused.contains(host.host())
                    && rules.forbid(host, keys).isEmpty();
            boolean admitted = group == null ? one.group().isEmpty() : group.admits(members, !counts.isEmpty());
            if (free && admitted) {
                nodes.add(host.node());
            }
        }
        return nodes;
    }

    private void create(ServerRequest one, HostEngine.Placed placed) {
        FlavorNeeds needs = FlavorNeeds.of(Objects.requireNonNull(flavors.get(one.flavor())), one.fromVolume());
        if (!hosts(one, needs).contains(placed.node())) {
            // One of its group was placed in the same step.
            engine.takeBack(one.name());
            return;
        }
        String host = facts.hosts().stream()
                .filter(each -> each.node().equals(placed.node()))
                .findFirst()
                .orElseThrow()
                .host();
        write(one, State.SENT, "");
        building.put(one.name(), host);
        try {
            String id = calls.create(one.on(host));
            write(one, State.MADE, id);
            engine.created(one.name(), id);
            if (!one.group().isEmpty()) {
                asked.computeIfAbsent(one.group(), first -> new HashMap<>()).put(id, placed.node());
            }
            once(one.name(), "goes to " + host + " as server " + id + " (" + placed.reason() + ")");
        } catch (CloudException e) {
            String words = String.valueOf(e.getMessage());
            if (e.status() == BUSY || e.status() == TOO_MANY || words.contains("Quota exceeded")) {
                write(one, State.AGAIN, "");
                engine.takeBack(one.name());
                later.add(one.name());
                once(one.name(), "waits: " + words);
            } else if (e.status() > 0 && e.status() < SERVER_ERROR) {
                fail(one, words);
            } else {
                // Nova may have made it. The promise stays until that is known.
                once(one.name(), "was asked for, and the reply is lost: " + words);
            }
        }
    }

    @Override
    public void close() throws IOException {
        sent.close();
    }
}
