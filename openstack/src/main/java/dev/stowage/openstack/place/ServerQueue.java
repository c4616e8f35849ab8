package dev.stowage.openstack.place;

import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.place.SentRequests.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests for servers that wait in the policy's queue until there is room in one of some clouds, and are then asked of
 * its Nova with the host named. What is done stands in a file beside the requests and, as the request's name, in the
 * metadata of each server: whoever works on the same requests again makes no server twice. Nothing is asked of any
 * cloud before all have been read once, nor where a call was lost before its cloud has been read again.
 */
public final class ServerQueue implements AutoCloseable {
    /** So long Nova may still carry out a call whose reply was lost. */
    private static final Duration LATE_CALL = Duration.ofSeconds(60);
    /** So long a host that Nova has refused is not asked for again. */
    private static final Duration REFUSED = Duration.ofSeconds(60);

    /** Stands before the name of a cloud where names of requests and nodes stand, too. */
    private static final String CLOUD = "cloud ";

    private static final int BAD_REQUEST = 400;
    private static final int UNKNOWN_TOKEN = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int BUSY = 409;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    private final HostEngine engine;
    private final Map<String, CloudSite> clouds = new LinkedHashMap<>();
    private final LongSupplier clock;
    private final InstantSource time;
    private final Consumer<String> tell;
    private final SentRequests sent;
    private final Map<String, ServerRequest> open = new LinkedHashMap<>();
    /** Servers that Nova builds, by request: their nodes. */
    private final Map<String, String> building = new LinkedHashMap<>();

    /** By request: nodes that Nova has refused, or clouds, and when; milliseconds since 1970. */
    private final Map<String, Map<String, Long>> refusedBy = new HashMap<>();

    private final Map<String, String> told = new HashMap<>();
    /** Not before the next step. */
    private final Set<String> later = new HashSet<>();

    private int made;
    private int failed;

    /**
     * The requests of a file, each line a body of Nova's {@code POST /servers}; what was done is in {@code FILE.sent}.
     *
     * @param engine with these clouds as its sites
     * @param clouds calls by name of the cloud
     * @param clock of the engine
     * @param tell what happens, in sentences
     * @throws IllegalArgumentException if a line is not understood, or somebody else works on the file
     */
    public ServerQueue(
            Path file,
            HostEngine engine,
            Map<String, ServerCalls> clouds,
            LongSupplier clock,
            InstantSource time,
            Consumer<String> tell)
            throws IOException {
        this.engine = engine;
        clouds.forEach((name, calls) ->
                this.clouds.put(name, new CloudSite(name, clouds.size() == 1, this.clouds.size(), calls)));
        this.clock = clock;
        this.time = time;
        this.tell = tell;
        List<ServerRequest> requests = ServerRequest.read(Files.readAllLines(file));
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("has no request");
        }
        for (ServerRequest one : requests) {
            for (String cloud : one.clouds()) {
                if (!clouds.containsKey(cloud)) {
                    throw new IllegalArgumentException("request '" + one.name() + "' names cloud '" + cloud
                            + "', but only these are given: " + String.join(", ", clouds.keySet()));
                }
                ServerRequest unused = one.in(cloud);
            }
        }
        sent = new SentRequests(file.resolveSibling(file.getFileName() + ".sent"));
        for (ServerRequest one : requests) {
            SentRequests.LastWord entry = sent.of(one.name());
            if (isUnderWay(entry) && askedOf(entry) == null) {
                sent.close();
                throw new IllegalArgumentException(
                        "cloud '" + Objects.requireNonNull(entry).cloud() + "' was asked for server '" + one.name()
                                + "' before, and is not given now");
            }
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
     * Reads the clouds, offers what is new to the policy, and asks for the servers that it places.
     *
     * @throws CloudException if a cloud may not be read, or none can be; another step may succeed
     */
    public void step() {
        Map<String, ServerCalls.Made> found = new HashMap<>();
        later.clear();
        CloudException last = null;
        for (Map.Entry<String, CloudSite> cloud : clouds.entrySet()) {
            try {
                for (ServerCalls.Made server : cloud.getValue().read(engine, clock.getAsLong())) {
                    if (!sent.isGivenUp(server.id())) {
                        found.put(server.request(), server);
                    }
                }
                told.remove(CLOUD + cloud.getKey());
            } catch (CloudException e) {
                if (e.status() == UNKNOWN_TOKEN || e.status() == FORBIDDEN) {
                    throw e;
                }
                last = e;
                if (clouds.size() > 1) {
                    once(CLOUD + cloud.getKey(), "was not read, and is left out until it is: " + e.getMessage());
                }
            }
        }
        if (last != null && clouds.values().stream().noneMatch(CloudSite::isFresh)) {
            throw last;
        }
        for (ServerRequest one : List.copyOf(open.values())) {
            look(one, found.get(one.name()));
        }
        if (clouds.values().stream().anyMatch(CloudSite::isUnknown)) {
            // A server of a request may be there.
            return;
        }
        offer();
        for (HostEngine.Placed placed = engine.next(); placed != null; placed = engine.next()) {
            ServerRequest one = Objects.requireNonNull(open.get(placed.name()));
            create(one, placed);
            if (!one.group().isEmpty()) {
                // The others of its group have other hosts now.
                clouds.values().forEach(CloudSite::forgetAllowed);
                offer();
            }
        }
    }

    /** The cloud of a node. */
    private CloudSite of(String node) {
        return clouds.values().stream().filter(one -> one.has(node)).findFirst().orElseThrow();
    }

    private static boolean isUnderWay(SentRequests.@Nullable LastWord entry) {
        return entry != null && (entry.state() == State.SENT || entry.state() == State.MADE);
    }

    /** The cloud that was asked for it last; null if none was. */
    private @Nullable CloudSite askedOf(SentRequests.@Nullable LastWord entry) {
        for (CloudSite one : clouds.values()) {
            boolean unnamed = clouds.size() == 1
                    && (one.name().isEmpty() || (entry != null && entry.cloud().isEmpty()));
            if (entry != null && (unnamed || one.name().equals(entry.cloud()))) {
                return one;
            }
        }
        return null;
    }

    /** What has become of a request, as the cloud and the file say. */
    private void look(ServerRequest one, ServerCalls.@Nullable Made server) {
        SentRequests.LastWord entry = sent.of(one.name());
        State state = entry == null ? State.AGAIN : entry.state();
        CloudSite cloud = askedOf(entry);
        if (server == null) {
            if (state == State.MADE && cloud != null && cloud.isFresh()) {
                // It ran, and somebody has deleted it.
                done(one, "was created, and no longer exists");
            }
            return;
        }
        CloudSite its = clouds.values().stream()
                .filter(each -> each.made(server.id()))
                .findFirst()
                .orElseThrow();
        if (state != State.MADE) {
            write(one, State.MADE, server.id(), its.name());
            engine.takeBack(one.name());
        }
        if (server.status().equals("ERROR")) {
            if (!server.fault().contains("No valid host")) {
                fail(one, "server " + server.id() + " failed: " + server.fault());
                return;
            }
            String host = building.getOrDefault(one.name(), "");
            refuse(one, host);
            write(one, State.AGAIN, server.id(), its.name());
            its.calls().delete(server.id());
            building.remove(one.name());
            engine.takeBack(server.id());
            tell.accept(one.name() + ": Nova refuses " + host + " (" + server.fault() + "); it waits for another host");
        } else if (!server.status().equals("BUILD")) {
            made++;
            done(one, "is server " + server.id() + ", " + server.status());
        }
    }

    private void refuse(ServerRequest one, String nodeOrCloud) {
        refusedBy.computeIfAbsent(one.name(), first -> new HashMap<>()).put(nodeOrCloud, time.millis());
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
        write(one, State.FAILED, entry == null ? "" : entry.server(), entry == null ? "" : entry.cloud());
        done(one, "fails: " + why);
    }

    private void write(ServerRequest one, State state, String server, String cloud) {
        sent.write(one.name(), new SentRequests.LastWord(state, server, cloud, time.millis()));
    }

    /** Whether it is to wait in the queue: no server is there or on its way. */
    private boolean waits(ServerRequest one) {
        SentRequests.LastWord entry = sent.of(one.name());
        CloudSite cloud = askedOf(entry);
        return entry == null
                || cloud == null
                || entry.state() == State.AGAIN
                || (entry.state() == State.SENT
                        && cloud.isFresh()
                        && time.millis() - entry.millis() > LATE_CALL.toMillis());
    }

    /** Gives the policy what waits, in the order of the file; all of it anew if the hosts of one have changed. */
    private void offer() {
        Map<String, List<String>> hosts = new LinkedHashMap<>();
        Map<String, SortedMap<String, Long>> amounts = new LinkedHashMap<>();
        for (ServerRequest one : List.copyOf(open.values())) {
            if (waits(one)
                    && !later.contains(one.name())
                    && engine.promisedTo(one.name()).isEmpty()) {
                try {
                    List<String> nodes = new ArrayList<>();
                    SortedMap<String, Long> needed = hosts(one, nodes);
                    if (needed != null) {
                        amounts.put(one.name(), needed);
                    }
                    hosts.put(one.name(), nodes);
                } catch (CloudException e) {
                    if (e.status() == 0 || e.status() >= SERVER_ERROR) {
                        throw e;
                    }
                    fail(one, String.valueOf(e.getMessage()));
                }
            }
        }
        engine.expect(amounts.values());
        boolean same = hosts.entrySet().stream()
                .allMatch(one -> !engine.isWaiting(one.getKey())
                        || engine.waitsFor(one.getKey()).equals(one.getValue()));
        hosts.forEach((name, nodes) -> {
            if (!same) {
                engine.takeBack(name);
            }
        });
        hosts.forEach((name, nodes) -> {
            String no = engine.cannotKeep(nodes);
            if (nodes.isEmpty()) {
                engine.takeBack(name);
                once(name, "waits: " + whyNone(Objects.requireNonNull(open.get(name))));
            } else if (!no.isEmpty()) {
                engine.takeBack(name);
                once(name, "waits: " + no);
            } else if (!engine.isWaiting(name)) {
                engine.offer(name, Objects.requireNonNull(amounts.get(name)), nodes);
                once(name, "waits for room on " + nodes.size() + (nodes.size() == 1 ? " host" : " hosts"));
            }
        });
    }

    /**
     * Adds the nodes that a request may use, whatever room they have.
     *
     * @return what it needs there; null if no cloud may be asked
     * @throws CloudException if no cloud knows what it asks for
     */
    private @Nullable SortedMap<String, Long> hosts(ServerRequest one, List<String> nodes) {
        Set<String> refused = new HashSet<>();
        refusedBy.getOrDefault(one.name(), Map.of()).forEach((host, when) -> {
            if (time.millis() - when < REFUSED.toMillis()) {
                refused.add(host);
            }
        });
        SortedMap<String, Long> needed = null;
        CloudException unknown = null;
        boolean known = false;
        for (Map.Entry<String, CloudSite> cloud : clouds.entrySet()) {
            ServerRequest its = one.in(cloud.getKey());
            if (its != null && cloud.getValue().isFresh() && !refused.contains(CLOUD + cloud.getKey())) {
                try {
                    SortedMap<String, Long> there = cloud.getValue().needs(its).amounts();
                    if (needed != null && !needed.equals(there)) {
                        throw new CloudException(
                                "flavor " + its.flavor() + " is " + there + " in cloud " + cloud.getKey() + ", and "
                                        + needed + " in another",
                                BAD_REQUEST);
                    }
                    needed = there;
                    nodes.addAll(cloud.getValue().hosts(its, refused));
                } catch (CloudException e) {
                    if (e.status() != NOT_FOUND) {
                        throw e;
                    }
                    unknown = e;
                }
            } else {
                known |= its != null;
            }
        }
        if (needed == null && unknown != null && !known) {
            throw unknown;
        }
        return needed;
    }

    /** Why no cloud has a host for a request, each once. */
    private String whyNone(ServerRequest one) {
        Set<String> why = new LinkedHashSet<>();
        for (Map.Entry<String, CloudSite> cloud : clouds.entrySet()) {
            ServerRequest its = one.in(cloud.getKey());
            if (its != null && cloud.getValue().isFresh()) {
                try {
                    why.add((clouds.size() > 1 ? "in cloud " + cloud.getKey() + " " : "")
                            + cloud.getValue().whyNone(its));
                } catch (CloudException e) {
                    if (e.status() != NOT_FOUND) {
                        throw e;
                    }
                    why.add("cloud " + cloud.getKey() + " has no flavor " + its.flavor());
                }
            }
        }
        return why.isEmpty() ? "no cloud that may take it can be asked now" : String.join("; ", why);
    }

    private void once(String name, String words) {
        if (!words.equals(told.put(name, words))) {
            tell.accept(name + " " + words);
        }
    }

    private void create(ServerRequest one, HostEngine.Placed placed) {
        List<String> nodes = new ArrayList<>();
        SortedMap<String, Long> unused = hosts(one, nodes);
        if (!nodes.contains(placed.node())) {
            // One of its group was placed in the same step.
            engine.takeBack(one.name());
            return;
        }
        CloudSite cloud = of(placed.node());
        String name = clouds.entrySet().stream()
                .filter(each -> each.getValue() == cloud)
                .findFirst()
                .orElseThrow()
                .getKey();
        String host = cloud.host(placed.node());
        String where = host + (clouds.size() > 1 ? " of cloud " + name : "");
        write(one, State.SENT, "", cloud.name());
        building.put(one.name(), placed.node());
        try {
            String id =
                    cloud.calls().create(Objects.requireNonNull(one.in(name)).on(host));
            write(one, State.MADE, id, cloud.name());
            engine.created(one.name(), id);
            cloud.asked(one, id, placed.node());
            once(one.name(), "goes to " + where + " as server " + id + " (" + placed.reason() + ")");
        } catch (CloudException e) {
            String words = String.valueOf(e.getMessage());
            if (e.status() == BUSY || e.status() == TOO_MANY || words.contains("Quota exceeded")) {
                write(one, State.AGAIN, "", cloud.name());
                engine.takeBack(one.name());
                later.add(one.name());
                if (clouds.size() > 1) {
                    refuse(one, CLOUD + name);
                }
                once(one.name(), "waits: " + words);
            } else if (e.status() > 0 && e.status() < SERVER_ERROR) {
                fail(one, words);
            } else {
                // Nova may have made it. The promise stays until that is known.
                once(one.name(), "was asked for, and the reply does not say whether it was created: " + words);
            }
        }
    }

    @Override
    public void close() throws IOException {
        sent.close();
    }
}
