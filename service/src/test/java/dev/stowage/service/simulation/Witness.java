package dev.stowage.service.simulation;

import dev.stowage.core.engine.Command;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.ChangedRequests;
import dev.stowage.service.state.DryRun;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Restless;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.SnapshotBytes;
import dev.stowage.service.state.Submits;
import dev.stowage.service.state.World;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees every entry that any node applies and every answer that any client gets, and complains at the first that breaks
 * a law:
 *
 * <ul>
 *   <li>at one position every node applies the same entry, has the same digest and gives the same outcomes, and now and
 *       then the whole state is the same byte for byte;
 *   <li>time does not go back;
 *   <li>no request is accepted twice, no change carried out twice;
 *   <li>what the requests say that they hold fits every server, which is not gone and at a site that may run them,
 *       but for what was adopted there, and where its capacity became smaller;
 *   <li>a state restored from its bytes has the same bytes, and a dry run says what would be, and changes nothing;
 *   <li>who watches is told the same of each entry by all nodes, also again after a restart, and misses nothing;
 *   <li>an answer has seen all that was answered before it was asked for;
 *   <li>at the end every answer still holds on every node.
 * </ul>
 */
final class Witness {
    private static final int WHOLE_EVERY = 16;
    private static final int DRY_RUN_EVERY = 50;

    private record Applied(int node, byte[] entry, long digest, List<String> outcomes, long at) {}

    private record Acknowledged(Operation operation, long number, long at) {}

    private final ServiceSimulation all;
    private final TreeMap<Long, Applied> log = new TreeMap<>();
    private final TreeMap<Long, Integer> whole = new TreeMap<>();
    private final Map<String, Long> accepted = new TreeMap<>();
    private final Map<String, Acknowledged> acknowledged = new TreeMap<>();
    private final Map<String, RequestHistory> histories = new TreeMap<>();
    /** What who watches is told of each entry, and the last of each request. */
    private final TreeMap<Long, byte[]> watched = new TreeMap<>();

    private final TreeMap<Long, Request> last = new TreeMap<>();
    /** By how much each server holds more than it has. */
    private final TreeMap<Integer, Long> overcommitted = new TreeMap<>();

    private long farthest;

    Witness(ServiceSimulation all) {
        this.all = all;
    }

    /** The highest log position that a client knows of. */
    long farthest() {
        return farthest;
    }

    int acknowledgements() {
        return acknowledged.size();
    }

    void applied(int node, long index, LogEntry entry, Batch batch, List<Outcome> outcomes, ServiceState state) {
        Applied first = log.get(index);
        List<String> texts = outcomes.stream().map(Witness::text).toList();
        if (first == null) {
            log.put(index, new Applied(node, entry.payload(), state.digest(), texts, state.now()));
            Map.Entry<Long, Applied> before = log.lowerEntry(index);
            if (before != null && before.getValue().at() > state.now()) {
                throw all.broken(
                        "time went back from " + before.getValue().at() + " to " + state.now() + " at entry " + index);
            }
            countOnce(index, batch, outcomes, state.now());
        } else {
            same(index, "entry", first.node(), Arrays.hashCode(first.entry()), node, Arrays.hashCode(entry.payload()));
            same(index, "digest", first.node(), first.digest(), node, state.digest());
            same(index, "outcomes", first.node(), first.outcomes(), node, texts);
        }
        checkWhole(node, index, state);
        checkCapacity(index, state);
        checkOvercommitted(index, batch, outcomes, state, first == null);
        checkChanges(node, index, state);
        if (first == null) {
            checkDryRun(index, state);
        }
    }

    /** Only what is adopted, a smaller capacity, or a return with room to hold makes a server hold more than it has. */
    private void checkOvercommitted(
            long index, Batch batch, List<Outcome> outcomes, ServiceState state, boolean isFirst) {
        World world = state.world();
        if (world == null || !isFirst) {
            return;
        }
        boolean may = false;
        for (int i = 0; i < outcomes.size(); i++) {
            Operation operation = batch.operations().get(i);
            may |= outcomes.get(i).kind() == Outcome.Kind.DONE
                    && (operation instanceof Operation.Adopt
                            || (operation instanceof Change change
                                    && (change.command().kind() == Command.Kind.RESIZE
                                            || change.command().kind() == Command.Kind.RETURN)));
        }
        View view = world.engine().view();
        for (int server = 0; server < view.servers(); server++) {
            long missing = Math.max(0, -view.free(server, 0));
            long before = overcommitted.getOrDefault(server, 0L);
            if (missing > before && !may) {
                throw all.broken("after entry " + index + " server " + server + " lacks " + missing + ", before "
                        + before + ", and nothing was adopted there, resized or returned");
            }
            overcommitted.put(server, missing);
        }
    }

    /** A node has the state of another's snapshot. */
    void restored(int node, long index, ServiceState state) {
        Applied first = log.get(index);
        if (first != null) {
            same(index, "digest", first.node(), first.digest(), node, state.digest());
        }
        checkCapacity(index, state);
    }

    private void checkWhole(int node, long index, ServiceState state) {
        if (index % WHOLE_EVERY == 0) {
            byte[] bytes = Node.bytes(state);
            int hash = Arrays.hashCode(bytes);
            checkRestored(node, index, bytes);
            Integer known = whole.putIfAbsent(index, hash);
            if (known != null) {
                same(index, "whole state", -1, known, node, hash);
            }
        }
    }

    private void same(long index, String what, int first, Object known, int node, Object now) {
        if (!known.equals(now)) {
            throw all.broken("after entry " + index + " node " + node + " has another " + what + " than node " + first
                    + ": " + now + " instead of " + known);
        }
    }

    private void countOnce(long index, Batch batch, List<Outcome> outcomes, long at) {
        for (int i = 0; i < outcomes.size(); i++) {
            Operation operation = batch.operations().get(i);
            String key = operation instanceof Operation.Confirm confirm
                    ? "confirmation of " + confirm.id() + " at " + confirm.effectPosition()
                    : key(operation);
            if (key != null
                    && !(operation instanceof Release)
                    && outcomes.get(i).kind() == Outcome.Kind.DONE) {
                Long before = accepted.put(key, at);
                if (before != null) {
                    throw all.broken(key + " was done twice, the second time by entry " + index);
                }
            }
        }
    }

    private static @Nullable String key(@Nullable Operation operation) {
        if (operation instanceof Submit submit) {
            return "submit " + submit.id();
        } else if (operation instanceof Release release) {
            return "release " + release.id();
        }
        if (operation instanceof Operation.Adopt adopt) {
            return "adopt " + adopt.submit().id();
        } else if (operation instanceof Operation.Gang gang) {
            return "gang of " + gang.members().get(0).id();
        } else if (operation instanceof Operation.SetQuota set) {
            return "quota " + set.id();
        }
        return operation instanceof Change change ? "change " + change.id() : null;
    }

    /** A copy made from the bytes of the state has the same bytes. */
    private void checkRestored(int node, long index, byte[] bytes) {
        try {
            ServiceState copy = Snapshot.read("copy", new SnapshotBytes(bytes), Restless.factory());
            same(index, "restored state", node, Arrays.hashCode(bytes), node, Arrays.hashCode(Node.bytes(copy)));
        } catch (IOException e) {
            throw all.broken("after entry " + index + " node " + node + " cannot be restored: " + e);
        }
    }

    /** What a submission would get is what it gets, and to ask changes nothing. */
    private void checkDryRun(long index, ServiceState state) {
        World world = state.world();
        if (world == null || index % DRY_RUN_EVERY != 0) {
            return;
        }
        byte[] before = Node.bytes(state);
        Submit asked = Submits.of("acme", "dry" + index, "small", new long[0], new long[0], 0, Operation.ANY_WAIT);
        String would = place(new DryRun(state, world, asked).outcome());
        if (!Arrays.equals(before, Node.bytes(state))) {
            throw all.broken("a dry run after entry " + index + " changed the state");
        }
        ServiceState copy = ServiceSimulation.copy(state);
        Batch batch = new Batch(ServiceState.VERSION, 0, 0, copy.now(), List.of(asked));
        String does = place(copy.apply(copy.position() + 1, batch).get(0));
        if (!would.equals(does)) {
            throw all.broken("a dry run after entry " + index + " says " + would + ", and it gets " + does);
        }
        all.count("dry runs");
    }

    private static String place(Outcome outcome) {
        Request request = outcome.request();
        return outcome.kind() + " " + outcome.refusal()
                + (request == null ? "" : " " + request.state() + " on " + request.server() + " " + request.reason());
    }

    /**
     * Who watches is told the same of an entry by every node, also by one that tells it again after a restart; and who
     * keeps the last that it was told of each request has what the state has.
     */
    private void checkChanges(int node, long index, ServiceState state) {
        List<Request> changes = state.takeChanges();
        byte[] told = new ChangedRequests(index, state.now(), changes).encode();
        byte[] first = watched.putIfAbsent(index, told);
        if (first != null) {
            same(index, "story of what changed", -1, Arrays.hashCode(first), node, Arrays.hashCode(told));
            return;
        }
        changes.forEach(request -> last.put(request.number(), request));
        World world = state.world();
        if (world != null && index % WHOLE_EVERY == 0) {
            for (Request request : world.requests()) {
                Request known = last.get(request.number());
                if (known == null || known.position() != request.position() || known.state() != request.state()) {
                    throw all.broken("after entry " + index + " request " + request.id() + " is " + request.state()
                            + ", and who watches was told " + known);
                }
            }
            long live = last.values().stream()
                    .filter(request -> !request.state().finished())
                    .count();
            if (live != world.live()) {
                throw all.broken("after entry " + index + " " + world.live() + " requests are in the system, and "
                        + live + " for who watches");
            }
        }
    }

    private void checkCapacity(long index, ServiceState state) {
        World world = state.world();
        if (world == null) {
            return;
        }
        View view = world.engine().view();
        long[][] used = new long[view.servers()][view.resources()];
        int live = 0;
        for (Request request : world.requests()) {
            live += request.state().finished() ? 0 : 1;
            if (request.state() != Request.State.RUNNING) {
                continue;
            }
            ServerStatus status = view.status(request.server());
            if (status == ServerStatus.GONE) {
                throw all.broken("after entry " + index + " request " + request.id() + " runs on server "
                        + request.server() + ", which is " + status);
            }
            String site = world.sites().get(view.site(request.server()));
            if (!request.sites().isEmpty() && !request.sites().contains(site)) {
                throw all.broken("after entry " + index + " request " + request.id() + ", limited to " + request.sites()
                        + ", runs in site " + site);
            }
            for (int r = 0; r < view.resources(); r++) {
                used[request.server()][r] += request.demand()[r];
            }
        }
        for (int server = 0; server < used.length; server++) {
            for (int r = 0; r < used[server].length; r++) {
                if (used[server][r] > view.capacity(server, r) - Math.min(0, view.free(server, r))) {
                    throw all.broken("after entry " + index + " server " + server + " holds " + used[server][r] + " of "
                            + view.capacity(server, r) + ", " + view.free(server, r) + " free");
                }
            }
        }
        long inSystem = world.engine().arrived()
                - world.engine().left()
                - world.engine().rejected()
                - heldOnReturned(world, index);
        if (live != world.live() || live != inSystem) {
            throw all.broken("after entry " + index + " " + live + " requests are in the system, the table counts "
                    + world.live() + ", the engine " + inSystem);
        }
    }

    /** How many hold room on servers that returned: only of requests whose moves off these are unconfirmed. */
    private long heldOnReturned(World world, long index) {
        View view = world.engine().view();
        long held = 0;
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                long number = view.id(job) - (1L << 62);
                int from = server;
                if (number >= 0
                        && world.requests().stream()
                                .noneMatch(request -> request.number() == number
                                        && request.unconfirmed() != null
                                        && request.unconfirmed().from() == from)) {
                    throw all.broken("after entry " + index + " server " + server + " holds room for request " + number
                            + ", which does not leave it");
                }
                held += number >= 0 ? 1 : 0;
            }
        }
        return held;
    }

    /** A client got an answer. */
    void answered(@Nullable Operation operation, Reply reply, long knownWhenAsked) {
        if (reply.position() < knownWhenAsked) {
            throw all.broken("an answer has seen the log up to entry " + reply.position() + ", but entry "
                    + knownWhenAsked + " was answered before it was asked for: " + reply);
        }
        farthest = Math.max(farthest, reply.position());
        Outcome outcome = reply.outcome();
        String key = key(operation);
        if (operation == null || outcome == null || key == null) {
            return;
        }
        boolean holds = outcome.kind() == Outcome.Kind.DONE || outcome.kind() == Outcome.Kind.REPEATED;
        if (holds) {
            Acknowledged before = acknowledged.putIfAbsent(
                    key,
                    new Acknowledged(operation, outcome.number(), all.agenda().now()));
            if (before != null && before.number() != outcome.number()) {
                throw all.broken(key + " was answered with number " + before.number() + " and " + outcome.number());
            }
        }
    }

    RequestHistory history(String id, boolean endsItself) {
        return histories.computeIfAbsent(id, key -> new RequestHistory(endsItself));
    }

    /** At the end: every answer is asked for again, and every history must have an order. */
    void checkAnswers(ServiceState end) {
        for (Map.Entry<String, Acknowledged> entry : acknowledged.entrySet()) {
            Acknowledged one = entry.getValue();
            Batch again = new Batch(ServiceState.VERSION, 0, 0, end.now(), List.of(one.operation()));
            Outcome outcome = end.apply(end.position() + 1, again).get(0);
            if (outcome.kind() != Outcome.Kind.REPEATED || outcome.number() != one.number()) {
                throw all.broken("the answer to '" + entry.getKey() + "', number " + one.number()
                        + ", is lost: asked again it is " + text(outcome));
            }
        }
        histories.forEach((id, history) -> {
            if (!history.isLinearizable()) {
                throw all.broken("what clients were told about request " + id + " has no order:" + history);
            }
        });
    }

    private static String text(Outcome outcome) {
        Request request = outcome.request();
        return outcome.kind() + " " + outcome.refusal() + " " + outcome.number() + " " + outcome.detail()
                + (request == null
                        ? ""
                        : " " + request.id() + " " + request.state() + " on " + request.server() + " since "
                                + request.since() + " " + request.reason());
    }
}
