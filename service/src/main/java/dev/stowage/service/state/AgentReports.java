package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.service.state.Operation.Attempt;
import dev.stowage.service.state.Operation.Heartbeat;
import dev.stowage.service.state.Operation.Report;
import dev.stowage.service.state.Operation.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * Reports of agents about requests and servers. All of them may arrive late and more than once: a report about a
 * request names its stay, and a report about a server counts only while the server waits for one.
 */
record AgentReports(Engine engine, OperationDriver driver, RequestTable requests, Ledger ledger, HeldRoom heldRoom) {
    /** The agent of a request reports on it. */
    Outcome told(Told told, long at, long position) {
        Attempt of = told.of();
        Request known = requests.find(of.tenant(), of.id());
        if (known == null) {
            return new Outcome(Outcome.Kind.NOT_FOUND, null, Refusal.UNKNOWN_ID, -1, "no request '" + of.id() + "'");
        }
        Life life = known.life();
        if (!life.agent()) {
            return Outcome.refused(Refusal.WRONG_PHASE, "request '" + known.id() + "' is not run by an agent");
        }
        if (of.attempt() < 1 || of.attempt() > life.attempt()) {
            return new Outcome(
                    Outcome.Kind.NO_SUCH_EFFECT,
                    null,
                    null,
                    -1,
                    "request '" + known.id() + "' has no attempt " + of.attempt() + "; the last is " + life.attempt());
        }
        boolean present = known.state() == Request.State.RUNNING && of.attempt() == life.attempt();
        return switch (told.what()) {
            case STARTED ->
                !present
                        ? over(known, of)
                        : life.phase() == Phase.PLACED
                                ? carryOut(known, position, () -> engine.started(at, known.number()))
                                : Outcome.of(Outcome.Kind.REPEATED, known);
            case START_FAILED ->
                present
                        ? carryOut(known, position, () -> engine.startFailed(at, known.number()))
                        : Outcome.of(Outcome.Kind.REPEATED, known);
            case STOPPED ->
                present
                        ? carryOut(known, position, () -> engine.stopped(at, known.number()))
                        : Outcome.of(Outcome.Kind.REPEATED, known);
            default -> throw new IllegalArgumentException("no agent reports " + told.what());
        };
    }

    private static Outcome over(Request known, Attempt of) {
        return new Outcome(
                Outcome.Kind.SUPERSEDED,
                null,
                null,
                -1,
                "attempt " + of.attempt() + " of request '" + known.id()
                        + "' has ended and must not run: the request is " + known.state()
                        + (known.state() == Request.State.RUNNING
                                ? ", attempt " + known.life().attempt()
                                : ""));
    }

    private Outcome carryOut(Request before, long position, Runnable command) {
        Ledger.Done done = ledger.told(position, command);
        if (done.refusal() != null) {
            return Outcome.refused(done.refusal(), done.detail());
        }
        Request after = requests.find(before.tenant(), before.id());
        return after == null ? Outcome.NOTHING : Outcome.of(Outcome.Kind.DONE, after);
    }

    /** The agent of a server is alive. Answered with the server's new status. */
    Outcome heartbeat(Heartbeat heartbeat, long at, long position) {
        int server = driver.server(heartbeat.server());
        if (server < 0) {
            return unknown(heartbeat.server());
        }
        Ledger.Done done = ledger.during(position, () -> driver.heartbeat(heartbeat, at));
        return done.refusal() != null
                ? Outcome.refused(done.refusal(), done.detail())
                : answer(Outcome.Kind.DONE, server, List.of(), List.of());
    }

    /**
     * The agent of a server reports what runs there. Answered with what should not run there, and the server's status.
     */
    Outcome report(Report report, long at, long position) {
        int server = driver.server(report.server());
        if (server < 0) {
            return unknown(report.server());
        }
        List<Attempt> strays = new ArrayList<>();
        List<Request> running = new ArrayList<>();
        for (Attempt one : report.running()) {
            Request known = requests.find(one.tenant(), one.id());
            if (known != null
                    && known.state() == Request.State.RUNNING
                    && known.server() == server
                    && known.life().agent()
                    && known.life().attempt() == one.attempt()) {
                running.add(known);
            } else {
                strays.add(one);
            }
        }
        if (engine.view().status(server) != ServerStatus.RETURNING) {
            return answer(Outcome.Kind.REPEATED, server, running, strays);
        }
        Ledger.Done done = ledger.during(
                position,
                () -> engine.report(
                        at,
                        server,
                        report.incarnation(),
                        LongStream.concat(running.stream().mapToLong(Request::number), heldRoom.on(server))
                                .toArray()));
        return done.refusal() != null
                ? Outcome.refused(done.refusal(), done.detail())
                : answer(Outcome.Kind.DONE, server, running, strays);
    }

    private Outcome answer(Outcome.Kind kind, int server, List<Request> running, List<Attempt> strays) {
        String status = engine.view().status(server).name().toLowerCase(Locale.ROOT);
        return new Outcome(kind, null, null, server, status, running, strays);
    }

    private Outcome unknown(String server) {
        return Outcome.refused(Refusal.UNKNOWN_SERVER, ServerNames.unknown(engine.view(), server));
    }
}
