package dev.stowage.service.simulation;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Labels;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Attempt;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Quota;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Submits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks that drives a cluster: requests with constraints, priorities and agents, gangs, those that run
 * already, what agents tell of requests and servers, evictions, moves, labels, capacities, quotas. It knows of requests
 * what it has been told; so it is right about their stays at times, and late or wrong at others.
 */
final class AgentOperations {
    private static final String ACME = "acme";
    /** The tenant with a quota. */
    private static final String BETA = "beta";

    private static final int SERVERS = 8;
    private static final long LEASE = Agenda.millis(400);
    private static final List<String> WHERE = List.of("rack=a", "rack!=a", "rack", "!gpu");
    private static final List<String> SPREAD = List.of("db:1", "db:2:rack", "web:1:rack");

    private final ServiceSimulation all;
    private final Random random;
    private final Map<String, Request> seen = new TreeMap<>();
    private final long[] incarnations = new long[SERVERS];

    AgentOperations(ServiceSimulation all, Random random) {
        this.all = all;
        this.random = random;
    }

    /** Takes note of what an answer says. */
    void notice(Operation operation, Outcome outcome) {
        List<Request> told = new ArrayList<>(outcome.requests());
        Request one = outcome.request();
        if (one != null) {
            told.add(one);
        }
        for (Request request : told) {
            if (request.life().agent() && !request.state().finished()) {
                seen.put(request.id(), request);
            } else {
                seen.remove(request.id());
            }
        }
        all.count(operation.getClass().getSimpleName() + " " + outcome.kind());
    }

    Operation next() {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> living(all.newAgentRequest());
            case 3 -> gang(all.newAgentRequest());
            case 4 -> adopt(all.newAgentRequest());
            case 5 -> heartbeat();
            case 6 -> report();
            case 7 -> change("c" + all.newChange());
            default -> told();
        };
    }

    private Submit plain(String tenant, String id, Random own, long wait) {
        return Submits.of(
                tenant,
                id,
                "",
                new long[] {1 + own.nextInt(6)},
                new long[0],
                0,
                wait,
                List.of(),
                new ConstraintWords(
                        own.nextInt(3) == 0 ? List.of(WHERE.get(own.nextInt(WHERE.size()))) : List.of(),
                        own.nextInt(4) == 0 ? List.of(Integer.toString(own.nextInt(4))) : List.of(),
                        own.nextInt(4) == 0 ? List.of(SPREAD.get(own.nextInt(SPREAD.size()))) : List.of()));
    }

    /** The first numbers of seeds that follow each other are alike. */
    private static Random of(int number) {
        return new Random(number * 0x9e3779b97f4a7c15L);
    }

    private static long wait(Random own) {
        return own.nextInt(3) == 0 ? Agenda.millis(own.nextInt(300)) : Operation.ANY_WAIT;
    }

    /** The same for the same number, so that who submits it again means the same. */
    private Submit living(int number) {
        Random own = of(number);
        String tenant = own.nextInt(4) == 0 ? BETA : ACME;
        return Submits.living(plain(tenant, "a" + number, own, wait(own)), own.nextInt(4) - 1, own.nextInt(4) > 0);
    }

    private Operation gang(int number) {
        Random own = of(number);
        String tenant = own.nextInt(4) == 0 ? BETA : ACME;
        long wait = wait(own);
        List<Submit> members = new ArrayList<>();
        for (int k = 1 + own.nextInt(3); k >= 0; k--) {
            members.add(Submits.living(plain(tenant, "g" + number + "." + k, own, wait), 0, own.nextBoolean()));
        }
        return new Operation.Gang(members);
    }

    private Operation adopt(int number) {
        Random own = of(number);
        return new Operation.Adopt(
                Submits.living(plain(ACME, "f" + number, own, Operation.ANY_WAIT), 0, own.nextBoolean()),
                Integer.toString(own.nextInt(6)));
    }

    private Operation heartbeat() {
        int server = random.nextInt(SERVERS);
        incarnations[server] += random.nextInt(6) == 0 ? 1 : 0;
        return new Operation.Heartbeat(Integer.toString(server), incarnations[server], LEASE, LEASE / 2);
    }

    private Operation report() {
        int server = random.nextInt(SERVERS);
        List<Attempt> running = new ArrayList<>();
        for (Request request : seen.values()) {
            if (request.server() == server && random.nextInt(5) > 0) {
                running.add(attempt(request));
            }
        }
        return new Operation.Report(Integer.toString(server), incarnations[server], running);
    }

    private static Attempt attempt(Request request) {
        return new Attempt(request.tenant(), request.id(), request.life().attempt());
    }

    private @Nullable Request some() {
        List<Request> known = List.copyOf(seen.values());
        return known.isEmpty() ? null : known.get(random.nextInt(known.size()));
    }

    private Operation told() {
        Request of = some();
        if (of == null) {
            return living(all.newAgentRequest());
        }
        if (random.nextInt(6) == 0) {
            return new Operation.Release(of.tenant(), of.id());
        }
        Command.Kind what = List.of(Command.Kind.STARTED, Command.Kind.START_FAILED, Command.Kind.STOPPED)
                .get(random.nextInt(3));
        return new Operation.Told(attempt(of), what);
    }

    private Operation change(String id) {
        int server = random.nextInt(6);
        Request of = some();
        return switch (random.nextInt(5)) {
            case 0 -> new Change(id, "client", "", Command.resize(0, server, List.of(4L + random.nextInt(9))));
            case 1 ->
                new Change(
                        id,
                        "client",
                        "",
                        Command.label(
                                0,
                                server,
                                Labels.parse(List.of("rack=a", "rack=b", "rack=b,gpu=V100", "")
                                        .get(random.nextInt(4)))));
            case 2 -> new Change(id, "client", "", Command.drain(0, server, Agenda.millis(150)));
            case 3 -> new Operation.SetQuota(id, "client", BETA, new Quota(random.nextInt(5), new long[] {Quota.ANY}));
            default ->
                of == null
                        ? new Change(id, "client", "", Command.plain(Command.Kind.RETURN, 0, server))
                        : new Change(
                                id,
                                "client",
                                of.tenant() + "/" + of.id(),
                                Command.plain(Command.Kind.EVICT, 0, of.number()));
        };
    }
}
