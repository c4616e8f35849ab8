package dev.stowage.service.simulation;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
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
 *   <li>what the requests say that they hold fits every server, which is not gone and at a site that may run them;
 *   <li>an answer has seen all that was answered before it was asked for;
 *   <li>at the end every answer still holds on every node.
 * </ul>
 */
final class Witness {
    private static final int WHOLE_EVERY = 16;

    private record Applied(int node, byte[] entry, long digest, List<String> outcomes, long at) {}

    private record Acknowledged(Operation operation, long number, long at) {}

    private final ServiceSimulation all;
    private final TreeMap<Long, Applied> log = new TreeMap<>();
    private final TreeMap<Long, Integer> whole = new TreeMap<>();
    private final Map<String, Long> accepted = new TreeMap<>();
    private final Map<String, Acknowledged> acknowledged = new TreeMap<>();
    private final Map<String, RequestHistory> histories = new TreeMap<>();
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
            int hash = Arrays.hashCode(Node.bytes(state));
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
        return operation instanceof Change change ? "change " + change.id() : null;
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
            if (status != ServerStatus.UP && status != ServerStatus.DRAINING) {
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
                if (used[server][r] > view.capacity(server, r)) {
                    throw all.broken("after entry " + index + " server " + server + " holds " + used[server][r] + " of "
                            + view.capacity(server, r));
                }
            }
        }
        long inSystem = world.engine().arrived()
                - world.engine().left()
                - world.engine().rejected();
        if (live != world.live() || live != inSystem) {
            throw all.broken("after entry " + index + " " + live + " requests are in the system, the table counts "
                    + world.live() + ", the engine " + inSystem);
        }
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
