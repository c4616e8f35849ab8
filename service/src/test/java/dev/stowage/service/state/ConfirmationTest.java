package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Adjustment.Kind;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Confirm;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a policy changes about running requests, and that agents carried it out. */
final class ConfirmationTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private long position;

    private static Setting setting(PolicySpec policy, boolean divisible) {
        List<Site> sites = List.of(
                Site.of("east", new ServerBlock(3, Amounts.of(10, 100))),
                Site.of("west", new ServerBlock(3, Amounts.of(12, 100))));
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", divisible), Resource.of("mem")),
                List.of(),
                sites,
                List.of(RequestType.of("small", 3, 10), RequestType.of("large", 5, 20)));
        return new Setting(cluster, policy, 1, 1000 * SECOND);
    }

    private ServiceState begun(String policy, boolean divisible) {
        ServiceState state = new ServiceState(Restless.factory());
        one(state, 0, new Operation.Begin(setting(spec(policy), divisible)));
        return state;
    }

    private static PolicySpec spec(String text) {
        String[] parts = text.split("[:=]", -1);
        return parts.length == 1 ? PolicySpec.of(text) : PolicySpec.of(parts[0], Map.of(parts[1], parts[2]));
    }

    private Outcome one(ServiceState state, long at, Operation operation) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, List.of(operation)).encode();
        return state.apply(position++, Batch.decode(entry)).get(0);
    }

    private static Submit submit(String id) {
        return Submits.of("acme", id, "small", new long[0], new long[0], Operation.TYPE_REWARD, Operation.ANY_WAIT);
    }

    private static Confirm confirm(String id, Kind kind, long at) {
        return new Confirm("acme", id, kind, at);
    }

    @Test
    void aMigrationIsConfirmedOnce() {
        ServiceState state = begun("restless-move", false);
        one(state, 1, submit("a"));
        one(state, 2, submit("b"));
        // At 3 b leaves, so that a moves from server 0 to 1.
        one(state, 3, new Release("acme", "b"));
        Request moved = state.world().find("acme", "a");
        assertThat(moved.server()).isEqualTo(1);
        assertThat(moved.unconfirmed()).isEqualTo(new Adjustment(Kind.MIGRATION, 3, 0, 1, -1, false));
        assertThat(state.world().unconfirmed()).isEqualTo(1);
        long digest = state.digest();
        assertThat(one(state, 4, confirm("a", Kind.RESIZE, 3)).kind()).isEqualTo(Outcome.Kind.NO_SUCH_EFFECT);
        assertThat(one(state, 4, confirm("a", Kind.MIGRATION, 2)).kind()).isEqualTo(Outcome.Kind.SUPERSEDED);
        assertThat(one(state, 4, confirm("a", Kind.MIGRATION, 4)).kind()).isEqualTo(Outcome.Kind.NO_SUCH_EFFECT);
        assertThat(one(state, 4, confirm("none", Kind.MIGRATION, 3)).kind()).isEqualTo(Outcome.Kind.NOT_FOUND);
        assertThat(one(state, 4, new Confirm("else", "a", Kind.MIGRATION, 3)).kind())
                .isEqualTo(Outcome.Kind.NOT_FOUND);
        assertThat(state.digest()).isEqualTo(digest);
        assertThat(state.takeChanges()).hasSize(4);
        Outcome done = one(state, 5, confirm("a", Kind.MIGRATION, 3));
        assertThat(done.kind()).isEqualTo(Outcome.Kind.DONE);
        assertThat(done.request().unconfirmed()).isNull();
        assertThat(done.request().position()).isEqualTo(position - 1);
        assertThat(done.request().since()).isEqualTo(3);
        assertThat(state.world().unconfirmed()).isZero();
        assertThat(state.takeChanges()).containsExactly(done.request());
        assertThat(state.digest()).isNotEqualTo(digest);
        digest = state.digest();
        Outcome again = one(state, 6, confirm("a", Kind.MIGRATION, 3));
        assertThat(again.kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(again.request()).isEqualTo(done.request());
        assertThat(state.digest()).isEqualTo(digest);
        // A client that never heard the answer is answered also when the request is over.
        one(state, 7, new Release("acme", "a"));
        assertThat(one(state, 8, confirm("a", Kind.MIGRATION, 3)).kind()).isEqualTo(Outcome.Kind.REPEATED);
    }

    /** The server still held the request, and took others for all that it has. */
    @Test
    void aReturnedServerHoldsTheRoomOfWhatHasNotBeenConfirmedToHaveLeftIt() throws Exception {
        for (String site : List.of("", "east")) {
            for (String end : List.of("confirmed", "released", "moved back", "lost")) {
                position = 0;
                ServiceState state = begun("first-fit", false);
                one(state, 1, submit("a"));
                one(state, 2, new Change("drain", "ann", "", Command.drain(0, 0, SECOND)));
                Adjustment move = state.world().find("acme", "a").unconfirmed();
                assertThat(move.from()).isZero();
                assertThat(one(state, 3, giveBack("return", site)).kind()).isEqualTo(Outcome.Kind.DONE);
                Path file = directory.resolve("held");
                state.capture().write(file);
                state = Snapshot.read(file, Restless.factory());
                View view = state.world().engine().view();
                assertThat(view.status(0)).isEqualTo(ServerStatus.UP);
                assertThat(view.free(0, 0)).isEqualTo(10 - 3);
                assertThat(state.world().heldRoom().running(0)).isZero();
                Glance.Totals totals = Glance.of(state).world();
                assertThat(totals.arrived()).isEqualTo(1);
                assertThat(totals.left()).isZero();
                for (String more : List.of("b", "c", "d")) {
                    one(state, 4, submit(more));
                }
                assertThat(view.free(0, 0)).isEqualTo(1);
                assertThat(state.world().find("acme", "d").server()).isEqualTo(1);
                switch (end) {
                    case "confirmed" -> one(state, 5, confirm("a", Kind.MIGRATION, move.position()));
                    case "released" -> one(state, 5, new Release("acme", "a"));
                    case "moved back" -> {
                        one(state, 5, new Release("acme", "b"));
                        one(state, 6, new Change("drain-1", "ann", "", Command.drain(0, 1, SECOND)));
                        assertThat(state.world().find("acme", "a").server()).isZero();
                    }
                    default -> one(state, 5, new Change("lose", "ann", "", Command.plain(Command.Kind.LOSE, 0, 0)));
                }
                assertThat(state.halted()).isNull();
                assertThat(view.free(0, 0)).as(end).isEqualTo("lost".equals(end) ? 10 : 4);
            }
        }
    }

    /** What drains takes nothing, so that nothing has to be held; the server may go. */
    @Test
    void aServerThatDrainsAgainHoldsNothing() {
        ServiceState state = begun("first-fit", false);
        one(state, 1, submit("a"));
        one(state, 2, new Change("drain", "ann", "", Command.drain(0, 0, SECOND)));
        one(state, 3, giveBack("return", ""));
        assertThat(state.world().engine().view().running(0)).isEqualTo(1);
        one(state, 4, new Change("again", "ann", "", Command.drain(0, 0, SECOND)));
        assertThat(state.world().engine().view().running(0)).isZero();
        Change remove = new Change("remove", "ann", "", Command.plain(Command.Kind.REMOVE, 0, 0));
        assertThat(one(state, 5, remove).kind()).isEqualTo(Outcome.Kind.DONE);
    }

    private static Change giveBack(String id, String site) {
        return site.isEmpty()
                ? new Change(id, "ann", "", Command.plain(Command.Kind.RETURN, 0, 0))
                : Change.site(id, "ann", site, Command.Kind.RETURN);
    }

    @Test
    void aLaterChangeTakesThePlaceOfOneThatIsNotConfirmed() {
        ServiceState state = begun("restless-move", false);
        for (String id : List.of("a", "b", "c", "d")) {
            one(state, 1, submit(id));
        }
        one(state, 2, new Release("acme", "b"));
        one(state, 2, new Release("acme", "c"));
        // 0 to 1 at 5, 1 to 2 at 6: the agent has it on 0 still.
        assertThat(state.world().find("acme", "a").unconfirmed())
                .isEqualTo(new Adjustment(Kind.MIGRATION, 6, 0, 2, -1, false));
        assertThat(state.world().unconfirmed()).isEqualTo(1);
        assertThat(one(state, 3, confirm("a", Kind.MIGRATION, 5)).kind()).isEqualTo(Outcome.Kind.SUPERSEDED);
        assertThat(one(state, 3, confirm("a", Kind.MIGRATION, 6)).kind()).isEqualTo(Outcome.Kind.DONE);
        long next = position;
        one(state, 4, new Release("acme", "d"));
        assertThat(state.world().find("acme", "a").unconfirmed())
                .isEqualTo(new Adjustment(Kind.MIGRATION, next, 2, 3, -1, false));
        // Its server is lost: it begins anew elsewhere, and there is nothing to move.
        one(state, 5, new Change("lose", "ann", "", Command.plain(Command.Kind.LOSE, 0, 3)));
        assertThat(state.world().find("acme", "a").state()).isEqualTo(Request.State.RUNNING);
        assertThat(state.world().unconfirmed()).isZero();
        assertThat(one(state, 6, confirm("a", Kind.MIGRATION, next)).kind()).isEqualTo(Outcome.Kind.SUPERSEDED);
    }

    @Test
    void aResizeOnTopOfAMigrationIsOneChangeWithIt() {
        ServiceState state = begun("restless-both", true);
        for (String id : List.of("a", "b", "c")) {
            one(state, 1, submit(id));
        }
        one(state, 2, new Release("acme", "b"));
        Request moved = state.world().find("acme", "a");
        assertThat(moved.unconfirmed()).isEqualTo(new Adjustment(Kind.MIGRATION, 4, 0, 1, 4, false));
        assertThat(state.world().engine().view().free(1, 0)).isEqualTo(10 - 4);
        assertThat(one(state, 3, confirm("a", Kind.RESIZE, 4)).kind()).isEqualTo(Outcome.Kind.NO_SUCH_EFFECT);
        assertThat(one(state, 3, confirm("a", Kind.MIGRATION, 4)).kind()).isEqualTo(Outcome.Kind.DONE);
        one(state, 4, new Release("acme", "a"));
        assertThat(state.world().unconfirmed()).isEqualTo(1);
        one(state, 4, new Release("acme", "c"));
        assertThat(state.world().unconfirmed()).isZero();
    }

    /** What an agent believes that does only what changes tell it. */
    private static final class Agent {
        final Map<String, Integer> servers = new TreeMap<>();
        final Map<String, Long> allocations = new TreeMap<>();
        final Map<String, Request> toDo = new TreeMap<>();
        int confirmed;

        void hear(Request request, long demand) {
            String id = request.id();
            Adjustment unconfirmed = request.unconfirmed();
            toDo.remove(id);
            if (request.state() != Request.State.RUNNING) {
                servers.remove(id);
                allocations.remove(id);
            } else if (unconfirmed != null) {
                assertThat(unconfirmed.from()).as(id).isEqualTo(servers.get(id));
                toDo.put(id, request);
            } else if (request.adjustment() == null) {
                servers.put(id, request.server());
                allocations.put(id, demand);
            }
        }

        void carryOut(Adjustment adjustment, String id) {
            servers.put(id, adjustment.to());
            if (adjustment.allocation() >= 0) {
                allocations.put(id, adjustment.allocation());
            }
            confirmed++;
        }
    }

    @Test
    void anAgentThatCarriesOutAndConfirmsEndsWhereTheEngineIs() throws Exception {
        Map<String, Boolean> policies = Map.of(
                "restless-both", true,
                "restless-resize", true,
                "restless-move", false,
                "ontapra:period-s=1", true,
                "shadow:migration=real", false);
        for (Map.Entry<String, Boolean> policy : policies.entrySet()) {
            int confirmed = 0;
            for (long seed = 0; seed < 8; seed++) {
                confirmed += run(policy.getKey(), policy.getValue(), seed);
            }
            assertThat(confirmed).as(policy.getKey()).isGreaterThan(50);
        }
    }

    private int run(String policy, boolean divisible, long seed) throws Exception {
        String as = policy + " seed " + seed;
        position = 0;
        Random random = new Random(seed);
        ServiceState state = begun(policy, divisible);
        Agent agent = new Agent();
        long at = SECOND;
        for (int step = 0; step < 600; step++) {
            at += random.nextInt(700) * (SECOND / 1000);
            apply(state, agent, at, random(random, step, agent));
            check(as, state, agent, divisible);
            if (step % 200 == 150) {
                Path file = directory.resolve("snapshot");
                state.capture().write(file);
                state = Snapshot.read(file, Restless.factory());
                check(as, state, agent, divisible);
            }
        }
        for (Request request : new ArrayList<>(agent.toDo.values())) {
            Request now = state.world().find("acme", request.id());
            if (now.unconfirmed() != null) {
                apply(
                        state,
                        agent,
                        at,
                        confirm(
                                now.id(),
                                now.unconfirmed().kind(),
                                now.unconfirmed().position()));
            }
        }
        // The clock may have set off timers that change more; what is told is then to do again.
        assertThat(state.world().unconfirmed()).as(as).isEqualTo(agent.toDo.size());
        return agent.confirmed;
    }

    private void apply(ServiceState state, Agent agent, long at, Operation operation) {
        Outcome outcome = one(state, at, operation);
        assertThat(state.halted()).isNull();
        if (operation instanceof Confirm confirm && outcome.kind() == Outcome.Kind.DONE) {
            agent.carryOut(outcome.request().adjustment(), confirm.id());
        }
        for (Request change : state.takeChanges()) {
            agent.hear(change, change.demand()[0]);
        }
    }

    private static Operation random(Random random, int step, Agent agent) {
        int what = random.nextInt(10);
        if (what < 3) {
            return Submits.of(
                    "acme",
                    "r" + step,
                    random.nextBoolean() ? "small" : "large",
                    new long[0],
                    new long[0],
                    Operation.TYPE_REWARD,
                    Operation.ANY_WAIT);
        }
        List<String> running = new ArrayList<>(agent.servers.keySet());
        if (what < 6 && !running.isEmpty()) {
            return new Release("acme", running.get(random.nextInt(running.size())));
        }
        List<Request> toDo = new ArrayList<>(agent.toDo.values());
        if (what < 9 && !toDo.isEmpty()) {
            Request request = toDo.get(random.nextInt(toDo.size()));
            Adjustment adjustment = request.unconfirmed();
            // Now and then something that is not there.
            return confirm(request.id(), adjustment.kind(), adjustment.position() + (random.nextInt(8) == 0 ? -1 : 0));
        }
        return new Operation.Tick();
    }

    private static void check(String as, ServiceState state, Agent agent, boolean divisible) {
        int unconfirmed = 0;
        int[] onServers = new int[state.world().engine().view().servers()];
        for (Request request : state.world().requests()) {
            Adjustment change = request.unconfirmed();
            if (change != null) {
                unconfirmed++;
                onServers[change.from()]++;
                onServers[change.to()] += change.from() == change.to() ? 0 : 1;
            }
            if (request.state() != Request.State.RUNNING || request.unconfirmed() != null) {
                continue;
            }
            assertThat(agent.servers.get(request.id())).as(as).isEqualTo(request.server());
            int job = state.world().engine().find(request.number());
            assertThat(state.world().engine().view().server(job)).as(as).isEqualTo(request.server());
            if (divisible) {
                assertThat(agent.allocations.get(request.id()))
                        .as("%s %s", as, request)
                        .isEqualTo(state.world().engine().view().share(job));
            }
        }
        assertThat(state.world().unconfirmed()).as(as).isEqualTo(unconfirmed).isEqualTo(agent.toDo.size());
        for (int server = 0; server < onServers.length; server++) {
            assertThat(state.world().unconfirmed(server)).as(as).isEqualTo(onServers[server]);
        }
    }
}
