package dev.stowage.service.simulation;

import dev.stowage.core.engine.Command;
import dev.stowage.service.simulation.RequestHistory.Call;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Confirm;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Submits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks one thing after the other, and the same again, of another node, until it is answered or gives up.
 */
final class Client {
    private static final int TRIES = 14;
    /** One client mostly reads: it is the one that notices a leader that is none any more. */
    private static final int READER = 1000;

    private final ServiceSimulation all;
    private final Random random;
    private final int endpoint;
    private final int nodes;
    private int calls;
    private int target;

    /** What is asked now, or null. */
    private @Nullable Operation operation;

    private @Nullable String id;

    /** A request that was seen with something to confirm, or null. */
    private @Nullable Request unconfirmed;

    private Call call = Call.GET;
    /** When each try was sent, and how much of the log was known to clients then. */
    private final List<Long> sent = new ArrayList<>();

    private final List<Long> known = new ArrayList<>();
    private boolean answered = true;
    private final AgentOperations agents;

    Client(ServiceSimulation all, int endpoint, int nodes, Random random) {
        this.all = all;
        this.endpoint = endpoint;
        this.nodes = nodes;
        this.random = random;
        agents = new AgentOperations(all, random);
    }

    void next() {
        if (all.closing()) {
            return;
        }
        choose();
        calls++;
        answered = false;
        sent.clear();
        known.clear();
        attempt(calls, 0);
    }

    private void choose() {
        operation = null;
        id = null;
        if (all.drivesAgents() && endpoint > nodes && random.nextBoolean()) {
            operation = agents.next();
            return;
        }
        int what = random.nextInt(endpoint == nodes ? READER : 100);
        Request moved = unconfirmed;
        if (moved != null && moved.unconfirmed() != null && random.nextBoolean()) {
            unconfirmed = null;
            operation = new Confirm(
                    "acme",
                    moved.id(),
                    moved.unconfirmed().kind(),
                    moved.unconfirmed().position());
        } else if (what < 40) {
            int number = random.nextInt(8) == 0 ? all.someRequest(random) : all.newRequest();
            id = "r" + number;
            operation = submit(number);
            call = Call.SUBMIT;
        } else if (what < 60) {
            id = "r" + all.someRequest(random);
            operation = new Release("acme", id);
            call = Call.RELEASE;
        } else if (what < 85 || what >= 100) {
            id = "r" + all.someRequest(random);
            call = Call.GET;
        } else {
            operation = change(all.newChange());
        }
        if (id != null && history().size() + TRIES > RequestHistory.MOST_CALLS) {
            choose();
        }
    }

    /** The same for the same number, so that who submits it again means the same. */
    private static Submit submit(int number) {
        Random own = new Random(number);
        long wait = endsItself(number) ? Agenda.millis(own.nextInt(400)) : Operation.ANY_WAIT;
        return own.nextInt(4) == 0
                ? Submits.of(
                        "acme",
                        "r" + number,
                        "",
                        new long[] {1 + own.nextInt(9)},
                        new long[0],
                        0,
                        wait,
                        own.nextBoolean() ? List.of() : List.of(own.nextBoolean() ? "here" : "there"))
                : Submits.of(
                        "acme",
                        "r" + number,
                        own.nextBoolean() ? "small" : "large",
                        new long[0],
                        new long[0],
                        Operation.TYPE_REWARD,
                        wait);
    }

    private static boolean endsItself(int number) {
        return number % 3 == 0;
    }

    private Change change(int number) {
        int server = random.nextInt(8);
        Command command = switch (random.nextInt(6)) {
            case 0 -> Command.plain(Command.Kind.DRAIN, 0, server);
            case 1 -> Command.plain(Command.Kind.LOSE, 0, server);
            case 2 -> Command.plain(Command.Kind.REMOVE, 0, server);
            case 3 -> Command.addServer(0, random.nextInt(2), List.of(8L + random.nextInt(5)));
            case 4 -> Command.setPolicy(0, all.somePolicy(random));
            default -> Command.plain(Command.Kind.RETURN, 0, server);
        };
        return new Change("c" + number, "client", "", command);
    }

    private void attempt(int number, int tries) {
        if (answered || number != calls) {
            return;
        }
        if (tries == TRIES) {
            giveUp();
            return;
        }
        sent.add(all.agenda().now());
        known.add(all.witness().farthest());
        Node node = all.node(target);
        Ask ask = new Ask(
                operation,
                "acme",
                id == null ? "" : id,
                reply -> all.network().send(node.id(), endpoint, () -> onReply(number, tries, reply)));
        all.network().send(endpoint, target, () -> {
            if (node.up()) {
                node.onAsk(ask);
            }
        });
        all.agenda().after(Agenda.millis(120 + random.nextInt(100)), () -> {
            if (!answered && number == calls) {
                target = random.nextInt(nodes);
                attempt(number, tries + 1);
            }
        });
    }

    private void onReply(int number, int tries, Reply reply) {
        if (answered || number != calls) {
            return;
        }
        if (!reply.served()) {
            target = reply.leader() >= 0 ? reply.leader() : random.nextInt(nodes);
            return;
        }
        answered = true;
        all.witness().answered(operation, reply, known.get(tries));
        notice(reply);
        if (id != null) {
            record(tries, reply);
        }
        all.agenda().after(Agenda.millis(random.nextDouble() * 20), this::next);
    }

    private void notice(Reply reply) {
        Outcome outcome = reply.outcome();
        Request seen = outcome == null ? reply.read() : outcome.request();
        if (seen != null && seen.unconfirmed() != null) {
            unconfirmed = seen;
        }
        if (outcome != null && operation != null && all.drivesAgents()) {
            agents.notice(operation, outcome);
        }
        if (outcome != null && operation instanceof Confirm) {
            all.count("confirmations " + outcome.kind());
        }
    }

    private void record(int tries, Reply reply) {
        Outcome outcome = reply.outcome();
        if (outcome != null && (outcome.kind() == Outcome.Kind.REFUSED || outcome.kind() == Outcome.Kind.CONFLICT)) {
            // Nothing has changed, and nothing does by an earlier try.
            return;
        }
        Request request = outcome == null ? reply.read() : outcome.request();
        RequestHistory.State told = request == null
                ? RequestHistory.State.ABSENT
                : request.state().finished() ? RequestHistory.State.FINISHED : RequestHistory.State.LIVE;
        addUnanswered(tries);
        history().add(call, told, sent.get(tries), all.agenda().now());
    }

    /** Each try is a call of its own: one that was not answered may have happened, or may still. */
    private void addUnanswered(int answeredTry) {
        for (int i = 0; i < sent.size(); i++) {
            if (i != answeredTry) {
                history().addUnanswered(call, sent.get(i));
            }
        }
    }

    private void giveUp() {
        answered = true;
        all.count("unanswered");
        if (id != null) {
            addUnanswered(-1);
        }
        all.agenda().after(Agenda.millis(5), this::next);
    }

    private RequestHistory history() {
        return all.witness()
                .history(String.valueOf(id), all.mayReject() || endsItself(Integer.parseInt(id.substring(1))));
    }

    boolean idle() {
        return answered;
    }
}
