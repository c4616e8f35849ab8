package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Check;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replicated state by hand, and against itself after being saved. */
final class ServiceStateTest {
    private static final long KEEP = 1000;
    private static final PolicySpec QUEUEING = PolicySpec.of("fifo-ff");

    @TempDir
    private Path directory;

    private long position;

    /** Two servers of 10; types small = 3 and large = 8. */
    static Setting setting(PolicySpec policy) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(2, Amounts.of(10)))),
                List.of(RequestType.of("small", 3), RequestType.of("large", 8)));
        return new Setting(cluster, policy, 1, KEEP);
    }

    private ServiceState begun(PolicySpec policy) {
        ServiceState state = new ServiceState(new Policies());
        apply(state, 0, new Operation.Begin(setting(policy)));
        return state;
    }

    private List<Outcome> apply(ServiceState state, long at, Operation... operations) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, List.of(operations)).encode();
        return state.apply(position++, Batch.decode(entry));
    }

    private Outcome one(ServiceState state, long at, Operation operation) {
        return apply(state, at, operation).get(0);
    }

    static Submit submit(String id, String type, long wait) {
        return Submits.of("acme", id, type, new long[0], new long[0], Operation.TYPE_REWARD, wait);
    }

    private static Submit submit(String id, String type) {
        return submit(id, type, Operation.ANY_WAIT);
    }

    /** For ever after it was said that its server, which drains nothing, is draining. */
    @Test
    void whatWasMovedOffADrainedServerSaysSo() {
        ServiceState state = begun(PolicySpec.of("best-fit"));
        apply(state, 1, submit("a", "large", -1));
        apply(state, 2, new Change("d", "ann", "", Command.drain(0, 0, 10)));
        apply(state, 50, new Operation.Tick());
        Request moved = state.world().find("acme", "a");
        assertThat(moved.server()).isEqualTo(1);
        assertThat(moved.reason()).isEqualTo("moved off a server that was drained");
    }

    @Test
    void aDrainThatCanMoveNothingIsTriedAgainLaterAndLaterUntilSomethingChanges() {
        ServiceState state = begun(PolicySpec.of("best-fit"));
        apply(state, 1, submit("a", "large"), submit("b", "large"));
        apply(state, 2, new Change("d", "ann", "", Command.drain(0, 0, 10)));
        long expected = 2;
        for (int gaps : List.of(1, 3, 7, 15, 31, 63, 64, 64, 64)) {
            expected += 10 + 10 * gaps;
            assertThat(state.nextDeadline()).isEqualTo(expected);
            apply(state, expected, new Operation.Tick());
        }
        apply(state, expected + 1, new Operation.Tick());
        assertThat(state.nextDeadline()).isEqualTo(expected + 10 + 640);
        apply(state, expected + 2, new Release("acme", "b"));
        assertThat(state.nextDeadline()).isEqualTo(expected + 10);
        apply(state, expected + 10, new Operation.Tick());
        assertThat(state.world().find("acme", "a").server()).isEqualTo(1);
        assertThat(state.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    /** No effect of the change is in the digest, as nothing waits. */
    @Test
    void aDrainThatCouldMoveNothingIsTriedSoonByAnotherPolicy() {
        ServiceState state = begun(PolicySpec.of("best-fit"));
        apply(state, 1, submit("a", "large"), submit("b", "large"));
        apply(state, 2, new Change("d", "ann", "", Command.drain(0, 0, 10)));
        apply(state, 1000, new Operation.Tick());
        assertThat(state.nextDeadline()).isEqualTo(1002 + 640);
        apply(state, 1001, Change.policy("same", "ann", PolicySpec.of("none")));
        assertThat(state.nextDeadline()).as("refused").isEqualTo(1002 + 640);
        apply(state, 1001, Change.policy("p", "ann", PolicySpec.of("first-fit")));
        assertThat(state.nextDeadline()).isEqualTo(1002);
        apply(state, 1002, new Operation.Tick());
        assertThat(state.nextDeadline()).as("in vain once").isEqualTo(1012 + 10);
    }

    @Test
    void aRequestIsPlacedReleasedAndForgotten() {
        ServiceState state = begun(QUEUEING);
        Request placed = one(state, 10, submit("a", "large")).request();
        assertThat(placed.state()).isEqualTo(Request.State.RUNNING);
        assertThat(placed.server()).isZero();
        assertThat(placed.demand()).containsExactly(8);
        assertThat(placed.arrivedAt()).isEqualTo(10);
        assertThat(placed.reason()).isNotEmpty();
        // 8 + 8 > 10: the second goes to the other server, the third waits.
        assertThat(one(state, 11, submit("b", "large")).request().server()).isEqualTo(1);
        assertThat(one(state, 12, submit("c", "large")).request().state()).isEqualTo(Request.State.WAITING);
        assertThat(one(state, 13, new Release("acme", "a")).request().state()).isEqualTo(Request.State.RELEASED);
        Request moved = state.world().find("acme", "c");
        assertThat(moved.state()).isEqualTo(Request.State.RUNNING);
        assertThat(moved.server()).isZero();
        assertThat(moved.since()).isEqualTo(13);
        assertThat(state.world().live()).isEqualTo(2);
        // Kept for 1000 ns after 13, so known at 1013 and not at 1014.
        assertThat(one(state, 1013, new Release("acme", "a")).kind()).isEqualTo(Kind.REPEATED);
        assertThat(one(state, 1014, new Release("acme", "a")).kind()).isEqualTo(Kind.NOT_FOUND);
    }

    @Test
    void theSameIdAgainIsAnsweredNotAppliedTwice() {
        ServiceState state = begun(QUEUEING);
        Request first = one(state, 1, submit("a", "large")).request();
        long digest = state.digest();
        Outcome again = one(state, 2, submit("a", "large"));
        assertThat(again.kind()).isEqualTo(Kind.REPEATED);
        assertThat(again.request()).isSameAs(first);
        assertThat(one(state, 3, submit("a", "small")).kind()).isEqualTo(Kind.CONFLICT);
        assertThat(state.digest()).isEqualTo(digest);
        // The id of another tenant is another id.
        Submit other = Submits.of("else", "a", "large", new long[0], new long[0], Operation.TYPE_REWARD, -1);
        assertThat(one(state, 4, other).kind()).isEqualTo(Kind.DONE);
        assertThat(one(state, 5, new Release("nobody", "a")).kind()).isEqualTo(Kind.NOT_FOUND);
    }

    @Test
    void aRequestWaitsAsLongAsItWants() {
        ServiceState state = begun(QUEUEING);
        apply(state, 1, submit("a", "large"), submit("b", "large"));
        assertThat(one(state, 2, submit("now", "large", 0)).request().state()).isEqualTo(Request.State.EXPIRED);
        one(state, 3, submit("soon", "large", 7));
        assertThat(state.nextDeadline()).isEqualTo(10);
        one(state, 9, new Operation.Tick());
        assertThat(state.world().find("acme", "soon").state()).isEqualTo(Request.State.WAITING);
        // Due at 10: at 15 it has left at its own time, and the place that is free at 15 is not for it.
        apply(state, 15, new Release("acme", "a"));
        Request expired = state.world().find("acme", "soon");
        assertThat(expired.state()).isEqualTo(Request.State.EXPIRED);
        assertThat(expired.since()).isEqualTo(10);
        assertThat(state.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void waitsOfWhatLeftAreForgotten() {
        ServiceState state = begun(QUEUEING);
        for (int i = 0; i < 10_000; i++) {
            apply(state, i, submit("r" + i, "large", Long.MAX_VALUE / 2), new Release("acme", "r" + i));
        }
        // Never more than two for each in the system, and 1024.
        assertThat(state.world().waits()).isLessThan(1030);
    }

    @Test
    void timeNeverGoesBack() {
        ServiceState state = begun(QUEUEING);
        one(state, 100, submit("a", "small"));
        Request late = one(state, 50, submit("b", "small")).request();
        assertThat(late.arrivedAt()).isEqualTo(100);
        assertThat(state.now()).isEqualTo(100);
    }

    @Test
    void whatIsWrongIsRefusedAndChangesNothing() {
        ServiceState state = begun(QUEUEING);
        long digest = state.digest();
        assertThat(one(state, 1, submit("a", "huge")).refusal()).isEqualTo(Refusal.UNKNOWN_TYPE);
        assertThat(one(state, 1, own("b", 11)).refusal()).isEqualTo(Refusal.FITS_NO_SERVER);
        assertThat(one(state, 1, own("b", -1)).refusal()).isEqualTo(Refusal.BAD_DEMAND);
        assertThat(one(state, 1, own("b", 1, 1)).refusal()).isEqualTo(Refusal.BAD_DEMAND);
        assertThat(one(state, 1, submit("b", "")).refusal()).isEqualTo(Refusal.BAD_DEMAND);
        assertThat(one(state, 1, change("x", Command.plain(Command.Kind.DRAIN, 0, 7)))
                        .refusal())
                .isEqualTo(Refusal.UNKNOWN_SERVER);
        assertThat(state.digest()).isEqualTo(digest);
        assertThat(all(state)).isEmpty();
        // A refused id is free.
        assertThat(one(state, 2, own("b", 4)).kind()).isEqualTo(Kind.DONE);
    }

    @Test
    void changesAreCarriedOutOnceAndAudited() {
        ServiceState state = begun(QUEUEING);
        Outcome added = one(state, 1, change("add", Command.addServer(0, 0, List.of(20L))));
        assertThat(added.number()).isEqualTo(2);
        Outcome again = one(state, 2, change("add", Command.addServer(0, 0, List.of(20L))));
        assertThat(again.kind()).isEqualTo(Kind.REPEATED);
        assertThat(again.number()).isEqualTo(2);
        assertThat(state.world().engine().view().servers()).isEqualTo(3);
        assertThat(one(state, 3, change("add", Command.addServer(0, 0, List.of(21L))))
                        .kind())
                .isEqualTo(Kind.CONFLICT);
        Outcome site = one(state, 4, new Change("s", "ann", "there", Command.addSite(0, List.of())));
        assertThat(site.number()).isEqualTo(1);
        assertThat(state.world().sites()).containsExactly("here", "there");
        one(state, 5, Change.policy("p", "ann", PolicySpec.of("best-fit")));
        assertThat(state.world().engine().policy().name()).isEqualTo("best-fit");
        assertThat(one(state, 6, Change.policy("q", "ann", PolicySpec.of("none")))
                        .refusal())
                .isEqualTo(Refusal.UNKNOWN_POLICY);
        assertThat(state.world().audit()).extracting(AuditRecord::actor).containsExactly("ann", "ann", "ann", "ann");
        assertThat(state.world().audit().get(3).result()).contains("unknown policy");
    }

    @Test
    void allServersOfASiteAreChangedAtOnce() {
        ServiceState state = begun(QUEUEING);
        one(state, 1, new Change("s", "ann", "there", Command.addSite(0, List.of())));
        one(state, 1, change("add", Command.addServer(0, 1, List.of(10L))));
        one(state, 2, submit("a", "large"));
        one(state, 2, submit("b", "large"));

        assertThat(one(state, 3, Change.site("x", "ann", "nowhere", Command.Kind.DRAIN))
                        .refusal())
                .isEqualTo(Refusal.UNKNOWN_SITE);
        Outcome full = one(state, 3, Change.site("y", "ann", "here", Command.Kind.REMOVE));
        assertThat(full.refusal()).isEqualTo(Refusal.WRONG_STATUS);
        assertThat(full.detail()).contains("server 0 still holds 1 request;");
        assertThat(statuses(state)).containsExactly(ServerStatus.UP, ServerStatus.UP, ServerStatus.UP);

        one(state, 4, change("one", Command.plain(Command.Kind.DRAIN, 0, 1)));
        assertThat(one(state, 4, Change.site("d", "ann", "here", Command.Kind.DRAIN))
                        .number())
                .isZero();
        assertThat(statuses(state)).containsExactly(ServerStatus.DRAINING, ServerStatus.DRAINING, ServerStatus.UP);
        one(state, 5, Change.site("r", "ann", "here", Command.Kind.RETURN));
        assertThat(statuses(state)).containsExactly(ServerStatus.UP, ServerStatus.UP, ServerStatus.UP);
        state.takeChanges();

        Change lost = Change.site("l", "ann", "here", Command.Kind.LOSE);
        one(state, 6, lost);
        assertThat(statuses(state)).containsExactly(ServerStatus.GONE, ServerStatus.GONE, ServerStatus.UP);
        // What ran there goes elsewhere or waits; nothing is placed on a server that is about to be lost.
        assertThat(state.takeChanges())
                .filteredOn(request -> request.state() == Request.State.RUNNING)
                .extracting(Request::server)
                .containsExactly(2);
        assertThat(one(state, 7, lost).kind()).isEqualTo(Kind.REPEATED);
        assertThat(state.world().audit()).last().extracting(AuditRecord::change).isEqualTo("lose site=here");

        one(state, 8, new Release("acme", "a"));
        one(state, 8, new Release("acme", "b"));
        one(state, 9, Change.site("m", "ann", "there", Command.Kind.REMOVE));
        assertThat(statuses(state)).containsOnly(ServerStatus.GONE);
    }

    private static List<ServerStatus> statuses(ServiceState state) {
        View view = state.world().engine().view();
        return IntStream.range(0, view.servers()).mapToObj(view::status).toList();
    }

    @Test
    void aLostServersRequestsArePlacedAnew() {
        ServiceState state = begun(QUEUEING);
        one(state, 1, submit("a", "large"));
        one(state, 2, change("x", Command.plain(Command.Kind.LOSE, 0, 0)));
        Request moved = state.world().find("acme", "a");
        assertThat(moved.server()).isEqualTo(1);
        assertThat(moved.state()).isEqualTo(Request.State.RUNNING);
        assertThat(moved.since()).isEqualTo(2);
    }

    @Test
    void aStateThatDiffersFromTheLeadersHalts() {
        ServiceState leader = begun(QUEUEING);
        ServiceState other = begun(QUEUEING);
        Batch batch = new Batch(ServiceState.VERSION, 1, 5, 5, List.of(submit("a", "small")));
        leader.apply(5, batch);
        other.apply(5, batch);
        Check check = new Check(5, leader.digest());
        other.apply(6, new Batch(ServiceState.VERSION, 1, 6, 6, List.of(check)));
        assertThat(other.halted()).isNull();
        assertThat(other.lastChecked()).isEqualTo(5);
        other.damageForTest();
        Batch next = new Batch(ServiceState.VERSION, 1, 7, 7, List.of(submit("b", "small")));
        leader.apply(7, next);
        other.apply(7, next);
        other.apply(8, new Batch(ServiceState.VERSION, 1, 8, 8, List.of(new Check(7, leader.digest()))));
        assertThat(other.halted()).contains("differs from the leader's");
        assertThat(other.diverged()).isTrue();
        assertThat(other.apply(9, next)).isEmpty();
    }

    @Test
    void anotherVersionIsNotApplied() {
        ServiceState state = begun(QUEUEING);
        apply(state, 1, new Operation.Activate(ServiceState.VERSION));
        assertThat(state.halted()).isNull();
        apply(state, 1, new Operation.Activate(ServiceState.VERSION + 1));
        assertThat(state.halted())
                .contains("needs version " + (ServiceState.VERSION + 1))
                .contains("has version " + ServiceState.VERSION);
        byte[] entry = new Batch(ServiceState.VERSION + 1, 1, 1, 1, List.of()).encode();
        assertThatThrownBy(() -> Batch.decode(entry)).isInstanceOf(VersionException.class);
    }

    @Test
    void aSnapshotIsTheStateWhateverWasDoneBefore() throws IOException {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            PolicySpec policy = List.of(
                            QUEUEING,
                            PolicySpec.of("best-fit"),
                            PolicySpec.of("first-fit", Map.of("when-full", "queue")),
                            PolicySpec.of("bf-js"))
                    .get((int) (seed % 4));
            ServiceState state = begun(policy);
            ServiceState restored = null;
            long at = 0;
            for (int step = 0; step < 200; step++) {
                if (step == 60 || step == 130) {
                    Path file = directory.resolve("snapshot-" + seed);
                    state.capture().write(file);
                    restored = Snapshot.read(file, new Policies());
                }
                at += random.nextInt(60);
                List<Operation> operations = new ArrayList<>();
                for (int n = random.nextInt(4); n >= 0; n--) {
                    operations.add(random(random));
                }
                byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, operations).encode();
                List<Outcome> outcomes = state.apply(position, Batch.decode(entry));
                assertThat(state.halted()).as("seed %s", seed).isNull();
                if (restored != null) {
                    List<Outcome> same = restored.apply(position, Batch.decode(entry));
                    assertThat(restored.digest())
                            .as("seed %s step %s", seed, step)
                            .isEqualTo(state.digest());
                    assertThat(texts(same)).isEqualTo(texts(outcomes));
                    assertThat(restored.nextDeadline()).isEqualTo(state.nextDeadline());
                }
                position++;
            }
            assertThat(all(restored)).isEqualTo(all(state));
            assertThat(restored.world().audit()).isEqualTo(state.world().audit());
        }
    }

    @Test
    void aDamagedSnapshotIsTold() throws IOException {
        ServiceState state = begun(QUEUEING);
        apply(state, 1, submit("a", "large"), submit("b", "small"));
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            assertThatThrownBy(() -> Snapshot.read(file, new Policies())).isInstanceOf(IOException.class);
            Files.write(file, Arrays.copyOf(whole, random.nextInt(whole.length)));
            assertThatThrownBy(() -> Snapshot.read(file, new Policies())).isInstanceOf(IOException.class);
        }
    }

    private static List<String> texts(List<Outcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> outcome.kind() + " " + outcome.refusal() + " " + outcome.number() + " "
                        + outcome.detail() + " " + text(outcome.request()))
                .toList();
    }

    private static List<String> all(ServiceState state) {
        return ListingTest.all(state, new Listing.Filter("acme", null, Listing.ANY, Listing.ANY)).stream()
                .map(ServiceStateTest::text)
                .toList();
    }

    private static String text(Request request) {
        return request == null
                ? "none"
                : Arrays.toString(request.demand()) + request.toString().replaceAll("\\[J@\\w+", "");
    }

    private static Operation random(Random random) {
        String id = "r" + random.nextInt(60);
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> submit(id, random.nextBoolean() ? "small" : "large", random.nextInt(200) - 50);
            case 4 -> own(id, random.nextInt(12) - 1);
            case 5, 6, 7, 8 -> new Release("acme", id);
            case 9 -> new Operation.Tick();
            case 10 ->
                change(
                        "c" + random.nextInt(100),
                        Command.plain(
                                List.of(Command.Kind.DRAIN, Command.Kind.RETURN, Command.Kind.LOSE, Command.Kind.REMOVE)
                                        .get(random.nextInt(4)),
                                0,
                                random.nextInt(4)));
            default -> change("d" + random.nextInt(100), Command.addServer(0, 0, List.of(5L + random.nextInt(10))));
        };
    }

    private static Submit own(String id, long... demand) {
        return Submits.of("acme", id, "", demand, new long[0], 0, -1);
    }

    private static Change change(String id, Command command) {
        return new Change(id, "ann", "", command);
    }
}
