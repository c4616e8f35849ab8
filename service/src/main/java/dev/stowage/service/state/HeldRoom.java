package dev.stowage.service.state;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Room on servers that returned before the moves off them were confirmed: in the engine a stand-in runs there that is
 * stopping, so that no policy moves it, until the move is confirmed, replaced or over, or the server drains again or is
 * lost. Under a policy that cannot adopt requests no room is held.
 */
public final class HeldRoom {
    /** A stand-in has the number of its request plus this. */
    private static final long FIRST = 1L << 62;

    private final Engine engine;
    private final RequestTable requests;
    private final Ledger ledger;
    /** Numbers of the requests that have a stand-in. */
    private final TreeSet<Long> held = new TreeSet<>();

    HeldRoom(Engine engine, RequestTable requests, Ledger ledger) {
        this.engine = engine;
        this.requests = requests;
        this.ledger = ledger;
    }

    /** Whether a job of the engine is a stand-in. */
    static boolean is(View view, int job) {
        return view.id(job) >= FIRST;
    }

    /** Numbers of the stand-ins on a server. */
    LongStream on(int server) {
        return held.stream()
                .mapToLong(number -> FIRST + number)
                .filter(number -> engine.find(number) >= 0 && engine.view().server(engine.find(number)) == server);
    }

    /** Requests on a server, without those whose move off it is decided but not confirmed. */
    public int running(int server) {
        int all = engine.view().running(server);
        return held.isEmpty() ? all : all - (int) on(server).count();
    }

    /** Before a change, holds the room of what leaves the draining servers that it returns: one, or those of a site. */
    void hold(Operation.Change change, int site, long at, long position) {
        View view = engine.view();
        if (change.command().kind() != Command.Kind.RETURN || requests.unconfirmed() == 0) {
            return;
        }
        for (Request request : requests.inSystem()) {
            Adjustment move = request.unconfirmed();
            int from = move == null || move.from() == move.to() ? View.NONE : move.from();
            boolean returns = from != View.NONE
                    && view.status(from) == ServerStatus.DRAINING
                    && (change.ofSite()
                            ? view.site(from) == site
                            : from == change.command().subject());
            if (returns && !isHeld(request.number())) {
                ledger.during(position, () -> hold(request, from, at));
                restore(request.number());
            }
        }
    }

    private void hold(Request request, int server, long at) {
        long number = FIRST + request.number();
        // It keeps its part of the site's pools, if it stays at the site, where it runs now.
        long[] pooled = new long[engine.view().pooledResources()];
        // No other request may take this room.
        int priority = engine.view().prioritized() ? Integer.MAX_VALUE : 0;
        engine.adopt(
                at,
                new NewRequest(number, View.NONE, request.demand(), pooled, 0, Constraints.NONE, priority, true),
                server,
                0);
        if (engine.find(number) >= 0) {
            engine.stop(at, number);
        }
    }

    /** Whether it has a stand-in there; a server that drains again takes no requests anyhow. */
    private boolean isKeptOn(long number, int server) {
        return engine.view().server(engine.find(FIRST + number)) == server
                && engine.view().status(server) != ServerStatus.DRAINING;
    }

    /** The number of the stand-in of a request in an engine; -1 if it has none. */
    static long of(Engine engine, long request) {
        return engine.find(FIRST + request) >= 0 ? FIRST + request : -1;
    }

    private boolean isHeld(long number) {
        return of(engine, number) >= 0;
    }

    /** A request of a restored state. */
    void restore(long number) {
        if (isHeld(number)) {
            held.add(number);
        }
    }

    /** Frees what is no longer to be held. */
    void free(long at, long position) {
        for (long number : List.copyOf(held)) {
            int job = engine.find(number);
            Request request = job < 0 ? null : requests.ofJob(job);
            Adjustment move = request == null ? null : request.unconfirmed();
            int from = move == null || move.from() == move.to() ? View.NONE : move.from();
            if (isHeld(number) && !isKeptOn(number, from)) {
                ledger.during(position, () -> engine.stopped(at, FIRST + number));
            }
        }
        held.removeIf(number -> !isHeld(number));
    }
}
