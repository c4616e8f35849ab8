package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The moves that a drain with moves, or an eviction, would cause: a copy of the engine carries it out, as if every
 * agent stopped its requests at once. Nothing is changed. Begun under the state's lock, which is held as long as for a
 * snapshot; {@link #result} takes O(requests in the system + servers), without the lock.
 */
public final class MovesDryRun {
    private final Supplier<byte[]> engine;
    private final Supplier<Request[]> inSystem;
    private final PolicyFactory policies;
    private final long position;
    private final int server;
    private final long evicted;

    private MovesDryRun(ServiceState state, World world, int server, long evicted) {
        engine = world.engine().copy();
        inSystem = world.table().copyInSystem();
        policies = world.policies();
        position = state.position();
        this.server = server;
        this.evicted = evicted;
    }

    /** For a drain; under the state's lock. */
    public static MovesDryRun ofDrain(ServiceState state, World world, int server) {
        return new MovesDryRun(state, world, server, -1);
    }

    /** For an eviction; under the state's lock. */
    public static MovesDryRun ofEviction(ServiceState state, World world, Request request) {
        return new MovesDryRun(state, world, request.server(), request.number());
    }

    /**
     * A request that would move.
     *
     * @param request as it is now
     * @param from where it runs now, or -1
     * @param to where it would run, or -1
     * @param state its state afterwards
     * @param reason the rule that would put it there
     */
    public record Moved(Request request, int from, int to, Request.State state, String reason) {}

    /**
     * What would come of it.
     *
     * @param moves in the order in which they would begin, each request once
     * @param stay how many would still be on the server
     * @param position log position for which it holds
     * @param refused why the engine would not do it, or null
     */
    public record Result(
            List<Moved> moves,
            int stay,
            long position,
            @Nullable Outcome refused) {}

    /** What would come of it. */
    public Result result() {
        EffectsOnRequests effects = new EffectsOnRequests();
        Engine copy = Engine.restore(engine.get(), policies, effects);
        View view = copy.view();
        long at = view.now();
        int rounds;
        if (evicted >= 0) {
            copy.evict(at, evicted);
            rounds = 1;
        } else {
            rounds = view.running(server) + 1;
            copy.drainServer(at, server, 1);
        }
        for (int round = 0; round < rounds && effects.refusal() == null; round++) {
            copy.tick(++at);
            while (!effects.stopping().isEmpty()) {
                copy.stopped(at, effects.stopping().remove());
            }
        }
        Refusal refusal = effects.refusal();
        return refusal != null
                ? new Result(List.of(), 0, position, Outcome.refused(refusal, effects.detail()))
                : new Result(moves(effects.ends()), server < 0 ? 0 : view.running(server), position, null);
    }

    private List<Moved> moves(Map<Long, EffectsOnRequests.End> ends) {
        Map<Long, Request> known = new HashMap<>();
        for (Request request : inSystem.get()) {
            if (ends.containsKey(request.number())) {
                known.put(request.number(), request);
            }
        }
        List<Moved> moves = new ArrayList<>();
        ends.forEach((number, end) -> {
            Request request = known.get(number);
            int from = request == null || request.state() != Request.State.RUNNING ? -1 : request.server();
            // A request that only changed its queue, or came back to its server, has not moved.
            boolean stays = request == null || (end.state() == request.state() && end.server() == from);
            if (request != null && !stays) {
                moves.add(new Moved(request, from, end.server(), end.state(), end.reason()));
            }
        });
        return moves;
    }
}
