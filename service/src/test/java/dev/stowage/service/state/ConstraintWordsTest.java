package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation.Adopt;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Named servers and constraints in the replicated state: where requests go, what is refused, what outlives a snapshot.
 */
final class ConstraintWordsTest {
    private static final PolicySpec QUEUEING = PolicySpec.of("fifo-ff");

    @TempDir
    private Path directory;

    private long position;

    /** Servers big (20, V100, zone a), small (10, zone a) and spare (10, T4, zone b). */
    private ServiceState begun(PolicySpec policy) {
        return begun(
                policy,
                Site.of(
                        "oslo",
                        ServerBlock.named("big", Labels.parse("gpu=V100,zone=a"), 20),
                        ServerBlock.named("small", Labels.parse("zone=a"), 10),
                        ServerBlock.named("spare", Labels.parse("gpu=T4,zone=b"), 10)));
    }

    private ServiceState begun(PolicySpec policy, Site site) {
        Cluster cluster = new Cluster(List.of(Resource.of("cpu")), List.of(), List.of(site), List.of());
        ServiceState state = new ServiceState(new Policies());
        one(state, new Operation.Begin(new Setting(cluster, policy, 1, 1000)));
        return state;
    }

    private Batch batch(Operation operation) {
        return Batch.decode(new Batch(ServiceState.VERSION, 1, position, position, List.of(operation)).encode());
    }

    private Outcome one(ServiceState state, Operation operation) {
        Batch batch = batch(operation);
        return state.apply(position++, batch).get(0);
    }

    private static Submit submit(String id, long demand, ConstraintWords words) {
        return Submits.of("acme", id, "", new long[] {demand}, new long[0], 0, Operation.ANY_WAIT, List.of(), words);
    }

    private static ConstraintWords where(String... selectors) {
        return new ConstraintWords(List.of(selectors), List.of(), List.of());
    }

    private static ConstraintWords avoid(String... servers) {
        return new ConstraintWords(List.of(), List.of(servers), List.of());
    }

    private static ConstraintWords spread(String spread) {
        return new ConstraintWords(List.of(), List.of(), List.of(spread));
    }

    private Outcome change(ServiceState state, String id, Command command) {
        return one(state, new Change(id, "op", "", command));
    }

    @Test
    void aRequestGoesWhereItsConstraintsAdmitIt() {
        ServiceState state = begun(QUEUEING);
        assertThat(one(state, submit("t4", 3, where("gpu in (T4, P100)")))
                        .request()
                        .server())
                .isEqualTo(2);
        assertThat(one(state, submit("none", 3, where("!gpu"))).request().server())
                .isEqualTo(1);
        assertThat(one(state, submit("either", 3, where("gpu=P100", "zone=b, gpu")))
                        .request()
                        .server())
                .isEqualTo(2);
        assertThat(one(state, submit("by-name", 3, avoid("big"))).request().server())
                .isEqualTo(1);
        assertThat(one(state, submit("by-number", 3, avoid("0", "small")))
                        .request()
                        .server())
                .isEqualTo(2);
        // One in zone a, where two servers have room, and one in zone b; the third waits for one of them to end.
        assertThat(one(state, submit("s1", 1, spread("db:1:zone"))).request().server())
                .isZero();
        assertThat(one(state, submit("s2", 1, spread("db:1:zone"))).request().server())
                .isEqualTo(2);
        assertThat(one(state, submit("s3", 1, spread("db:1:zone"))).request().state())
                .isEqualTo(Request.State.WAITING);
        one(state, new Release("acme", "s1"));
        assertThat(state.world().find("acme", "s3").server()).isZero();
        assertThat(state.world().find("acme", "s3").words().spread()).containsExactly("db:1:zone");
    }

    @Test
    void theSameIdWithOtherConstraintsIsAnotherRequest() {
        ServiceState state = begun(QUEUEING);
        one(state, submit("a", 3, where("gpu=T4")));
        assertThat(one(state, submit("a", 3, where("gpu=T4"))).kind()).isEqualTo(Kind.REPEATED);
        assertThat(one(state, submit("a", 3, where("gpu=V100"))).kind()).isEqualTo(Kind.CONFLICT);
        assertThat(one(state, submit("a", 3, ConstraintWords.NONE)).kind()).isEqualTo(Kind.CONFLICT);
        // The same words in another part are another thing, too.
        one(state, submit("b", 3, where("big")));
        assertThat(one(state, submit("c", 3, avoid("big"))).kind()).isEqualTo(Kind.DONE);
        assertThat(one(state, submit("c", 3, where("big"))).kind()).isEqualTo(Kind.CONFLICT);
    }

    @Test
    void whatCannotBeIsRefusedWithTheNearest() {
        ServiceState state = begun(QUEUEING);
        Outcome label = one(state, submit("a", 3, where("gpuu=T4")));
        assertThat(label.refusal()).isEqualTo(Refusal.FITS_NO_SERVER);
        assertThat(label.detail()).contains("no server has a label 'gpuu'; did you mean gpu?");
        Outcome server = one(state, submit("a", 3, avoid("smal")));
        assertThat(server.refusal()).isEqualTo(Refusal.UNKNOWN_SERVER);
        assertThat(server.detail()).contains("did you mean small?");
        assertThat(one(state, submit("a", 3, avoid("3"))).detail())
                .contains("there is no server 3; the servers are 0 to 2");
        assertThat(one(state, submit("a", 15, where("gpu=T4"))).refusal()).isEqualTo(Refusal.FITS_NO_SERVER);
        assertThat(one(state, submit("a", 3, spread("db:0"))).refusal()).isEqualTo(Refusal.CONSTRAINT);
        // A label that comes later is known from then on.
        change(state, "1", Command.label(0, 1, Labels.parse("gpuu=T4")));
        assertThat(one(state, submit("a", 3, where("gpuu=T4"))).request().server())
                .isEqualTo(1);
        assertThat(one(state, Change.policy("2", "op", PolicySpec.of("vqs"))).refusal())
                .isNotNull();
        one(state, new Release("acme", "a"));
        assertThat(one(state, Change.policy("3", "op", PolicySpec.of("vqs"))).kind())
                .isEqualTo(Kind.DONE);
        assertThat(one(state, submit("b", 3, where("gpu=T4"))).refusal()).isEqualTo(Refusal.CONSTRAINT);
        assertThat(one(state, new Adopt(submit("b", 3, ConstraintWords.NONE), "big"))
                        .refusal())
                .isEqualTo(Refusal.UNSUPPORTED);
        assertThat(state.halted()).isNull();
    }

    @Test
    void whatRunsAlreadyIsAdoptedEvenWhereItOverfills() {
        ServiceState state = begun(QUEUEING);
        one(state, new Operation.SetQuota("q", "op", "acme", new Quota(1, new long[0])));
        Adopt first = new Adopt(submit("a", 15, where("gpu=T4")), "small");
        Request running = one(state, first).request();
        assertThat(running.state()).isEqualTo(Request.State.RUNNING);
        assertThat(running.server()).isEqualTo(1);
        assertThat(state.world().engine().view().overcommitted(1)).isTrue();
        assertThat(one(state, first).kind()).isEqualTo(Kind.REPEATED);
        assertThat(one(state, new Adopt(submit("a", 15, where("gpu=T4")), "big"))
                        .kind())
                .isEqualTo(Kind.CONFLICT);
        assertThat(one(state, submit("a", 15, where("gpu=T4"))).kind()).isEqualTo(Kind.CONFLICT);
        assertThat(one(state, new Adopt(submit("b", 1, ConstraintWords.NONE), "smalll"))
                        .detail())
                .contains("did you mean small?");
        // It is there, whatever the quota; it counts in it.
        assertThat(one(state, new Adopt(submit("b", 1, ConstraintWords.NONE), "2"))
                        .kind())
                .isEqualTo(Kind.DONE);
        assertThat(one(state, submit("c", 1, ConstraintWords.NONE)).kind()).isEqualTo(Kind.OVER_QUOTA);
        assertThat(state.world().live("acme")).isEqualTo(2);
    }

    @Test
    void aSnapshotKeepsNamesLabelsAndConstraints() throws IOException {
        ServiceState state = begun(QUEUEING);
        one(state, submit("a", 6, new ConstraintWords(List.of("zone=b"), List.of("big"), List.of("db:2"))));
        one(state, submit("b", 6, where("zone=b")));
        one(state, new Adopt(submit("c", 11, ConstraintWords.NONE), "small"));
        one(state, submit("over", 1, spread("x:1")));
        one(state, new Release("acme", "over"));
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        ServiceState copy = Snapshot.read(file, new Policies());
        assertThat(copy.digest()).isEqualTo(state.digest());
        assertThat(copy.world().find("acme", "a").words())
                .isEqualTo(new ConstraintWords(List.of("zone=b"), List.of("big"), List.of("db:2")));
        assertThat(copy.world().find("acme", "over").words().spread()).containsExactly("x:1");
        Batch next = batch(new Release("acme", "a"));
        for (ServiceState each : List.of(state, copy)) {
            each.apply(position, next);
            assertThat(each.world().find("acme", "b").server()).isEqualTo(2);
        }
        assertThat(copy.digest()).isEqualTo(state.digest());
    }

    @Test
    void aReplayedPolicyAdoptsTooAndOneThatCannotSaysSo() {
        ServiceState state = begun(QUEUEING);
        ReplayedPolicy same = ReplayedPolicy.of(state, null, new Policies());
        ReplayedPolicy other = ReplayedPolicy.of(state, PolicySpec.of("vqs"), new Policies());
        Operation[] operations = {
            new Adopt(submit("a", 12, ConstraintWords.NONE), "small"), submit("b", 3, where("zone=a"))
        };
        for (Operation operation : operations) {
            Batch batch = batch(operation);
            List<Outcome> outcomes = state.apply(position++, batch);
            List<Request> changes = state.takeChanges();
            same.apply(state.now(), batch, outcomes, changes);
            other.apply(state.now(), batch, outcomes, changes);
        }
        assertThat(same.figures().failure()).isEmpty();
        assertThat(same.figures().digest()).isEqualTo(state.world().engine().digest());
        assertThat(other.figures().failure()).contains("does not take request a");
    }

    @Test
    void aDryRunSaysWhatWouldBeAndChangesNothing() {
        for (PolicySpec policy : List.of(QUEUEING, PolicySpec.of("best-fit"), PolicySpec.of("bf-js"))) {
            ServiceState state = begun(policy);
            one(state, submit("there", 6, where("zone=b")));
            List<Submit> asked = List.of(
                    submit("t4", 3, where("gpu=T4")),
                    submit("waits", 6, where("gpu=T4")),
                    submit("anywhere", 4, ConstraintWords.NONE),
                    submit("nowhere", 21, ConstraintWords.NONE),
                    submit("mistaken", 1, where("gpuu")),
                    submit("unknown", 1, avoid("nobody")),
                    submit("there", 6, where("zone=b")),
                    submit("there", 7, where("zone=b")),
                    Submits.of("acme", "now", "", new long[] {6}, new long[0], 0, 0, List.of(), where("gpu=T4")));
            for (Submit submit : asked) {
                long digest = state.digest();
                Outcome dry = new DryRun(state, state.world(), submit).outcome();
                assertThat(state.digest()).isEqualTo(digest);
                assertThat(state.takeChanges()).noneMatch(one -> one.number() == dry.number() && dry.number() > 0);
                Outcome real = one(state, submit);
                assertThat(dry.kind()).as(submit.id()).isEqualTo(real.kind());
                assertThat(dry.refusal()).isEqualTo(real.refusal());
                // What is kept of it is asked only of one that was submitted.
                assertThat(dry.detail())
                        .isEqualTo(real.detail()
                                .replace("; nothing of the request is kept, so its id may be used again", ""));
                Request would = dry.request();
                Request is = real.request();
                assertThat(would == null).isEqualTo(is == null);
                if (would != null && is != null) {
                    assertThat(List.of(would.state(), would.server(), would.queue(), would.reason(), would.number()))
                            .isEqualTo(List.of(is.state(), is.server(), is.queue(), is.reason(), is.number()));
                    assertThat(would.demand()).isEqualTo(is.demand());
                }
            }
        }
    }

    @Test
    void aServerIsFoundByItsNameOrNumber() {
        ServiceState state = begun(QUEUEING);
        var engine = state.world().engine();
        assertThat(ServerNames.find(engine, "spare")).isEqualTo(2);
        assertThat(ServerNames.find(engine, "2")).isEqualTo(2);
        assertThat(ServerNames.find(engine, "3")).isEqualTo(-1);
        assertThat(ServerNames.find(engine, "99999999999999999999")).isEqualTo(-1);
        assertThat(ServerNames.find(engine, "")).isEqualTo(-1);
        assertThat(ServerNames.find(engine, "Spare")).isEqualTo(-1);
        assertThat(new TreeMap<>(engine.view().labels(2).values())).containsEntry("gpu", "T4");
    }

    /** Names of later servers were not looked for, and without servers they were "0 to -1". */
    @Test
    void whatIsSaidOfAnUnknownNameIsTrueOfManyServersAndOfNone() {
        ServiceState many = begun(
                QUEUEING,
                Site.of("oslo", new ServerBlock(1400, Amounts.of(10)), ServerBlock.named("spare", Labels.NONE, 10)));
        assertThat(ServerNames.unknown(many.world().engine().view(), "spar"))
                .contains("there is no server 'spar'", "spare")
                .doesNotContain("no names");
        ServiceState nameless = begun(QUEUEING, Site.of("oslo", new ServerBlock(2, Amounts.of(10))));
        assertThat(ServerNames.unknown(nameless.world().engine().view(), "spar"))
                .contains("only the numbers 0 to 1.", "of a new service", "'stowage servers add --name'");
        ServiceState none = begun(QUEUEING, Site.of("oslo"));
        for (String text : List.of("spar", "0")) {
            assertThat(ServerNames.unknown(none.world().engine().view(), text))
                    .isEqualTo("there is no server '" + text + "': there are no servers");
        }
    }
}
