package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation.Attempt;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Heartbeat;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Report;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Operation.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers n0 and n1 with 10 each: gangs, priorities, what agents tell of requests and of servers. */
final class AgentReportsTest {
    private static final long LEASE = 100;
    private static final long GRACE = 50;

    @TempDir
    private Path directory;

    private ServiceState state;
    private long position;

    @BeforeEach
    void begin() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("oslo", new ServerBlock(2, Amounts.of(10), List.of("n0", "n1"), Labels.NONE))),
                List.of(RequestType.of("vm", 6)));
        TreeMap<String, Quota> quotas = new TreeMap<>(Map.of("small", new Quota(2, new long[] {Quota.ANY})));
        PolicySpec policy = PolicySpec.of("first-fit", Map.of("when-full", "queue"));
        state = new ServiceState(new Policies());
        one(0, new Operation.Begin(new Setting(cluster, policy, 1, 1000, quotas)));
    }

    private Outcome one(long at, Operation operation) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, List.of(operation)).encode();
        List<Outcome> outcomes = state.apply(position++, Batch.decode(entry));
        assertThat(state.halted()).isNull();
        return outcomes.get(0);
    }

    private static Submit submit(String tenant, String id, long cpu, boolean agent) {
        return Submits.living(
                Submits.of(tenant, id, "", new long[] {cpu}, new long[0], 0, Operation.ANY_WAIT), 0, agent);
    }

    private static Submit agent(String id, long cpu) {
        return submit("acme", id, cpu, true);
    }

    private static Told told(String id, int attempt, Command.Kind what) {
        return new Told(new Attempt("acme", id, attempt), what);
    }

    private static Heartbeat heartbeat(String server, long incarnation) {
        return new Heartbeat(server, incarnation, LEASE, GRACE);
    }

    private static Report report(String server, long incarnation, Attempt... running) {
        return new Report(server, incarnation, Arrays.asList(running));
    }

    private Request now(String id) {
        return state.world().find("acme", id);
    }

    private ServerStatus status(int server) {
        return state.world().engine().view().status(server);
    }

    @Test
    void itIsPlacedStartedStoppedAndEnded() {
        Request placed = one(1, agent("a", 6)).request();
        assertThat(placed.state()).isEqualTo(Request.State.RUNNING);
        assertThat(placed.life()).isEqualTo(new Life(0, true, 1, Phase.PLACED, 0, 0));
        assertThat(one(2, told("a", 1, Command.Kind.STARTED)).request().life().phase())
                .isEqualTo(Phase.STARTED);
        assertThat(one(3, told("a", 1, Command.Kind.STARTED)).kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(one(4, told("a", 1, Command.Kind.START_FAILED)).refusal()).isEqualTo(Refusal.WRONG_PHASE);
        assertThat(one(5, told("a", 2, Command.Kind.STARTED)).kind()).isEqualTo(Outcome.Kind.NO_SUCH_EFFECT);
        one(6, agent("b", 8));
        one(7, agent("c", 8));
        assertThat(now("c").state()).isEqualTo(Request.State.WAITING);
        // It holds its 6 until its agent says that it has stopped: c, with 8, goes on waiting.
        Outcome released = one(8, new Release("acme", "a"));
        assertThat(released.kind()).isEqualTo(Outcome.Kind.DONE);
        assertThat(released.request().life().phase()).isEqualTo(Phase.STOPPING);
        assertThat(released.request().state()).isEqualTo(Request.State.RUNNING);
        assertThat(one(9, new Release("acme", "a")).kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(now("c").state()).isEqualTo(Request.State.WAITING);
        Outcome stopped = one(10, told("a", 1, Command.Kind.STOPPED));
        assertThat(stopped.request().state()).isEqualTo(Request.State.RELEASED);
        assertThat(stopped.request().reason()).isEqualTo("released by the client");
        assertThat(now("c").server()).isEqualTo(0);
        assertThat(one(11, told("a", 1, Command.Kind.STOPPED)).kind()).isEqualTo(Outcome.Kind.REPEATED);
        // One that ends by itself.
        assertThat(one(12, told("b", 1, Command.Kind.STOPPED)).request().reason())
                .isEqualTo("its agent reports that it has ended");
        assertThat(one(13, told("none", 1, Command.Kind.STOPPED)).kind()).isEqualTo(Outcome.Kind.NOT_FOUND);
        one(14, submit("acme", "plain", 1, false));
        assertThat(one(15, told("plain", 1, Command.Kind.STOPPED)).refusal()).isEqualTo(Refusal.WRONG_PHASE);
    }

    @Test
    void whatComesLateConcernsNoLaterStay() {
        one(1, agent("a", 6));
        Request again = one(2, told("a", 1, Command.Kind.START_FAILED)).request();
        assertThat(again.server()).isEqualTo(1);
        assertThat(again.life()).isEqualTo(new Life(0, true, 2, Phase.PLACED, 1, 0));
        long digest = state.digest();
        assertThat(one(3, told("a", 1, Command.Kind.START_FAILED)).kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(one(3, told("a", 1, Command.Kind.STOPPED)).kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(one(3, told("a", 1, Command.Kind.STARTED)).kind()).isEqualTo(Outcome.Kind.SUPERSEDED);
        assertThat(state.digest()).isEqualTo(digest);
        one(4, told("a", 2, Command.Kind.STARTED));
        one(5, new Change("c1", "op", "acme/a", Command.plain(Command.Kind.EVICT, 0, again.number())));
        assertThat(now("a").life().phase()).isEqualTo(Phase.STOPPING);
        assertThat(now("a").reason()).contains("evicted by a command for this request");
        one(6, told("a", 2, Command.Kind.STOPPED));
        assertThat(now("a").life().attempt()).isEqualTo(3);
        assertThat(now("a").server()).isEqualTo(0);
        // What said that the second stay is over says nothing of the third.
        assertThat(one(7, told("a", 2, Command.Kind.STOPPED)).kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(now("a").life()).isEqualTo(new Life(0, true, 3, Phase.PLACED, 1, 0));
        assertThat(state.world().audit().get(0).change()).contains("evict", "acme/a");
    }

    @Test
    void aGangIsPlacedWholeOrWaitsWhole() {
        Gang two = new Gang(List.of(agent("g1", 6), agent("g2", 6)));
        Outcome placed = one(1, two);
        assertThat(placed.requests()).extracting(Request::server).containsExactly(0, 1);
        assertThat(one(2, two).kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(one(2, two).requests()).hasSize(2);
        assertThat(one(3, agent("g1", 6)).kind()).isEqualTo(Outcome.Kind.CONFLICT);
        assertThat(one(3, new Gang(List.of(agent("g1", 6)))).kind()).isEqualTo(Outcome.Kind.CONFLICT);
        // 4 are free on each: one of them would have room, both have none.
        Outcome waits = one(4, new Gang(List.of(agent("h1", 4), agent("h2", 5))));
        assertThat(waits.requests()).extracting(Request::state).containsOnly(Request.State.WAITING);
        one(5, told("g2", 1, Command.Kind.STOPPED));
        assertThat(now("h1").server()).isEqualTo(0);
        assertThat(now("h2").server()).isEqualTo(1);
        assertThat(one(6, new Gang(List.of(agent("i", 1), agent("i", 1)))).refusal())
                .isEqualTo(Refusal.DUPLICATE_ID);
        assertThat(one(6, new Gang(List.of())).refusal()).isEqualTo(Refusal.BAD_DEMAND);
        assertThat(one(6, new Gang(List.of(agent("i", 1), agent("j", 11)))).refusal())
                .isEqualTo(Refusal.FITS_NO_SERVER);
        assertThat(now("i")).isNull();
        Submit first = submit("small", "a", 0, false);
        Submit second = submit("small", "b", 0, false);
        Submit third = submit("small", "c", 0, false);
        assertThat(one(7, new Gang(List.of(first, second, third))).kind()).isEqualTo(Outcome.Kind.BEYOND_QUOTA);
        assertThat(one(8, new Gang(List.of(first, second))).kind()).isEqualTo(Outcome.Kind.DONE);
    }

    @Test
    void aHigherPriorityTakesThePlaceOfALower() {
        one(1, submit("acme", "low0", 6, false));
        one(2, submit("acme", "low1", 6, false));
        Outcome high = one(3, Submits.living(submit("acme", "high", 6, false), 5, false));
        assertThat(high.request().state()).isEqualTo(Request.State.RUNNING);
        assertThat(high.request().life().priority()).isEqualTo(5);
        assertThat(List.of(now("low0").state(), now("low1").state()))
                .containsExactlyInAnyOrder(Request.State.RUNNING, Request.State.WAITING);
        assertThat(one(4, submit("acme", "high", 6, false)).kind()).isEqualTo(Outcome.Kind.CONFLICT);
    }

    @Test
    void aSilentServerIsSuspectedThenLost() {
        Outcome first = one(1, heartbeat("n0", 7));
        assertThat(first.detail()).isEqualTo("returning");
        assertThat(first.number()).isZero();
        one(2, agent("a", 6));
        assertThat(now("a").server()).isEqualTo(1);
        one(3, told("a", 1, Command.Kind.STARTED));
        assertThat(one(4, report("n0", 7)).detail()).isEqualTo("up");
        one(5, agent("b", 6));
        assertThat(now("b").server()).isEqualTo(0);
        one(6, told("b", 1, Command.Kind.STARTED));
        // A report that comes late says nothing of b.
        assertThat(one(7, report("n0", 7)).kind()).isEqualTo(Outcome.Kind.REPEATED);
        assertThat(now("b").life().attempt()).isEqualTo(1);
        one(10, heartbeat("n0", 7));
        one(10 + LEASE, new Operation.Tick());
        assertThat(status(0)).isEqualTo(ServerStatus.SUSPECTED);
        assertThat(now("b").state()).isEqualTo(Request.State.RUNNING);
        one(10 + LEASE + GRACE - 1, new Operation.Tick());
        assertThat(status(0)).isEqualTo(ServerStatus.SUSPECTED);
        one(10 + LEASE + GRACE, new Operation.Tick());
        assertThat(status(0)).isEqualTo(ServerStatus.GONE);
        assertThat(now("b").state()).isEqualTo(Request.State.WAITING);
        // It is back, and what it still runs is to be stopped.
        assertThat(one(170, heartbeat("n0", 7)).detail()).isEqualTo("returning");
        Outcome back = one(171, report("n0", 7, new Attempt("acme", "b", 1)));
        assertThat(back.strays()).containsExactly(new Attempt("acme", "b", 1));
        assertThat(back.detail()).isEqualTo("up");
        assertThat(now("b").life().attempt()).isEqualTo(2);
        assertThat(one(172, heartbeat("n0", 6)).refusal()).isEqualTo(Refusal.LEASE);
        assertThat(one(172, heartbeat("n2", 6)).refusal()).isEqualTo(Refusal.UNKNOWN_SERVER);
        assertThat(one(172, new Heartbeat("n0", 7, 0, 0)).refusal()).isEqualTo(Refusal.BAD_TIME);
    }

    @Test
    void anAgentThatHasStoppedAllSaysSo() {
        one(1, heartbeat("n0", 1));
        one(1, report("n0", 1));
        one(2, agent("a", 6));
        one(2, agent("b", 4));
        one(3, told("a", 1, Command.Kind.STARTED));
        one(3, told("b", 1, Command.Kind.STARTED));
        one(4, new Release("acme", "b"));
        // It has stopped a and b, and says so with a new incarnation: b has ended, a is placed again.
        one(5, heartbeat("n0", 2));
        assertThat(now("a").life().attempt()).isEqualTo(1);
        one(6, report("n0", 2));
        assertThat(now("b").state()).isEqualTo(Request.State.RELEASED);
        assertThat(now("a").life()).isEqualTo(new Life(0, true, 2, Phase.PLACED, 0, 0));
        // What it runs is not placed again.
        one(7, told("a", 2, Command.Kind.STARTED));
        int server = now("a").server();
        String name = "n" + server;
        one(8, heartbeat(name, 3));
        assertThat(one(9, report(name, 3, new Attempt("acme", "a", 2))).strays())
                .isEmpty();
        assertThat(now("a").life()).isEqualTo(new Life(0, true, 2, Phase.STARTED, 0, 0));
    }

    @Test
    void aDrainingServerIsEmptiedOneByOne() {
        one(1, agent("a", 4));
        one(1, agent("b", 4));
        one(2, new Change("d", "op", "", Command.drain(0, 0, 10)));
        assertThat(now("a").life().phase()).isEqualTo(Phase.STOPPING);
        assertThat(now("b").life().phase()).isEqualTo(Phase.PLACED);
        one(11, new Operation.Tick());
        assertThat(now("b").life().phase()).isEqualTo(Phase.PLACED);
        one(12, new Operation.Tick());
        assertThat(now("b").life().phase()).isEqualTo(Phase.STOPPING);
        one(13, told("a", 1, Command.Kind.STOPPED));
        assertThat(now("a").server()).isEqualTo(1);
    }

    private static Submit patient(String id, long cpu, long waitNanos) {
        return Submits.of("acme", id, "", new long[] {cpu}, new long[0], 0, waitNanos);
    }

    @Test
    void aGangThatWaitsTooLongExpiresAsAWhole() throws IOException {
        one(1, submit("acme", "a", 6, false));
        one(1, submit("acme", "b", 6, false));
        Gang gang = new Gang(List.of(patient("g1", 6, 100), patient("g2", 6, 100), patient("g3", 1, 100)));
        assertThat(one(10, gang).requests()).extracting(Request::state).containsOnly(Request.State.WAITING);
        Gang patient = new Gang(List.of(patient("h1", 6, Operation.ANY_WAIT), patient("h2", 6, Operation.ANY_WAIT)));
        one(11, patient);
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        ServiceState copy = Snapshot.read(file, new Policies());
        assertThat(state.nextDeadline()).isEqualTo(110);
        assertThat(copy.nextDeadline()).isEqualTo(110);
        one(109, new Operation.Tick());
        assertThat(now("g1").state()).isEqualTo(Request.State.WAITING);
        Outcome later = one(120, submit("acme", "c", 1, false));
        assertThat(later.kind()).isEqualTo(Outcome.Kind.DONE);
        for (String id : List.of("g1", "g2", "g3")) {
            assertThat(now(id).state()).isEqualTo(Request.State.EXPIRED);
            assertThat(now(id).since()).isEqualTo(110);
        }
        assertThat(now("h1").state()).isEqualTo(Request.State.WAITING);
        assertThat(one(121, gang).kind()).isEqualTo(Outcome.Kind.REPEATED);
        long digest = state.digest();
        position = copy.position() + 1;
        state = copy;
        one(109, new Operation.Tick());
        one(120, submit("acme", "c", 1, false));
        one(121, gang);
        assertThat(state.digest()).isEqualTo(digest);
    }

    @Test
    void aRequestThatWaitsKeepsItsTimeUnderAnotherPolicy() {
        one(1, submit("acme", "a", 6, false));
        one(2, submit("acme", "b", 6, false));
        one(3, submit("acme", "c", 6, false));
        PolicySpec other = PolicySpec.of("best-fit", Map.of("when-full", "queue"));
        one(9, new Change("p", "ops", "", Command.setPolicy(0, other)));
        assertThat(now("c").state()).isEqualTo(Request.State.WAITING);
        assertThat(now("c").since()).isEqualTo(3);
        // As in the logs of earlier releases, which have such digests.
        assertThat(Long.toHexString(state.digest())).isEqualTo("8ec45c09cef99f1a");
    }

    @Test
    void theReleaseOfOneReleasesTheGangThatWaits() {
        one(1, submit("acme", "a", 6, false));
        // 4 and 10 are free: g1 and g2 alone would have room, g1, g2 and g3 have none.
        one(2, new Gang(List.of(agent("g1", 4), agent("g2", 6), agent("g3", 6))));
        Outcome outcome = one(3, new Operation.Release("acme", "g3", true));
        assertThat(outcome.requests()).extracting(Request::id).containsExactly("g1", "g2", "g3");
        assertThat(outcome.request().id()).isEqualTo("g3");
        for (String id : List.of("g1", "g2", "g3")) {
            assertThat(now(id).state()).isEqualTo(Request.State.RELEASED);
            assertThat(now(id).server()).isEqualTo(-1);
            assertThat(now(id).reason()).isEqualTo("its gang, which waited, was released by the client");
        }
        assertThat(one(4, new Operation.Release("acme", "g1", true)).kind()).isEqualTo(Outcome.Kind.REPEATED);
        // Once placed, each is a request on its own.
        one(5, new Gang(List.of(patient("h1", 4, -1), patient("h2", 6, -1))));
        one(6, new Operation.Release("acme", "h1", true));
        assertThat(now("h2").state()).isEqualTo(Request.State.RUNNING);
        // As logs of earlier releases have it, the rest remains.
        one(7, new Gang(List.of(patient("i1", 4, -1), patient("i2", 4, -1), patient("i3", 7, -1))));
        one(8, new Operation.Release("acme", "i3"));
        assertThat(now("i1").state()).isEqualTo(Request.State.RUNNING);
    }

    @Test
    void aGangMayBeNowOrNeverAndWaitsAsOne() {
        one(1, submit("acme", "a", 6, false));
        Outcome never = one(2, new Gang(List.of(patient("g1", 6, 0), patient("g2", 6, 0))));
        assertThat(never.kind()).isEqualTo(Outcome.Kind.DONE);
        assertThat(never.requests()).extracting(Request::state).containsOnly(Request.State.EXPIRED);
        Outcome now = one(3, new Gang(List.of(patient("h1", 4, 0), patient("h2", 6, 0))));
        assertThat(now.requests()).extracting(Request::state).containsOnly(Request.State.RUNNING);
        assertThat(one(4, new Gang(List.of(patient("i1", 4, 5), patient("i2", 6, 6))))
                        .refusal())
                .isEqualTo(Refusal.BAD_TIME);
        // One that was placed in time waits alone, and any time, when it has lost its server later.
        assertThat(one(
                                5,
                                new Change(
                                        "c1",
                                        "op",
                                        "",
                                        Command.plain(
                                                Command.Kind.LOSE, 0, now("h1").server())))
                        .kind())
                .isEqualTo(Outcome.Kind.DONE);
        one(1000, new Operation.Tick());
        assertThat(now("h1").state().finished()).isFalse();
    }

    @Test
    void itIsAllSaved() throws IOException {
        one(1, heartbeat("n0", 1));
        one(1, report("n0", 1));
        one(2, Submits.expecting(Submits.living(agent("a", 6), 3, true), 70));
        one(3, told("a", 1, Command.Kind.START_FAILED));
        one(4, new Gang(List.of(agent("g1", 6), agent("g2", 6))));
        one(5, agent("c", 1));
        one(6, told("c", 1, Command.Kind.STOPPED));
        assertThat(now("c").state()).isEqualTo(Request.State.RELEASED);
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        ServiceState copy = Snapshot.read(file, new Policies());
        assertThat(copy.digest()).isEqualTo(state.digest());
        assertThat(copy.world().find("acme", "a").life()).isEqualTo(now("a").life());
        assertThat(now("a").life().expectedNanos()).isEqualTo(70);
        assertThat(copy.world()
                        .engine()
                        .view()
                        .expectedNanos(copy.world().engine().find(now("a").number())))
                .isEqualTo(70);
        assertThat(copy.world().find("acme", "c").life()).isEqualTo(now("c").life());
        // Each goes on as the other.
        one(7, told("a", 2, Command.Kind.STOPPED));
        long digest = state.digest();
        position--;
        state = copy;
        one(7, told("a", 2, Command.Kind.STOPPED));
        assertThat(state.digest()).isEqualTo(digest);
    }

    /** The clock of a new leader is an hour ahead: agents that were heard just now are not taken for silent. */
    @Test
    void aLeadersClockThatWasSetEndsNoLease() {
        long hour = 3_600_000_000_000L;
        one(1, heartbeat("n0", 1));
        one(1, report("n0", 1));
        one(2, agent("a", 6));
        assertThat(now("a").server()).isZero();
        both(hour, new Operation.Tick());
        assertThat(state.world().engine().view().status(0)).isEqualTo(ServerStatus.UP);
        one(hour + LEASE, new Operation.Tick());
        assertThat(state.world().engine().view().status(0)).isEqualTo(ServerStatus.SUSPECTED);
        both(2 * hour, new Operation.Tick());
        one(2 * hour + GRACE - 1, new Operation.Tick());
        assertThat(now("a").server()).isZero();
        one(2 * hour + GRACE, new Operation.Tick());
        assertThat(state.world().engine().view().status(0)).isEqualTo(ServerStatus.GONE);
    }

    private void both(long at, Operation operation) {
        List<Operation> operations = List.of(new Operation.ClockSet(), operation);
        byte[] entry = new Batch(ServiceState.VERSION, 2, position, at, operations).encode();
        assertThat(state.apply(position++, Batch.decode(entry))).hasSize(2);
        assertThat(state.halted()).isNull();
    }
}
