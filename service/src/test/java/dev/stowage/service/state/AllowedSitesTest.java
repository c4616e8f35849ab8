package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that only some sites may run: where they go, what is refused, what outlives a snapshot. */
final class AllowedSitesTest {
    private static final PolicySpec QUEUEING = PolicySpec.of("fifo-ff");

    @TempDir
    private Path directory;

    private long position;

    /** Sites oslo and rome, one server of 10 each. */
    private ServiceState begun(PolicySpec policy) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of("oslo", new ServerBlock(1, Amounts.of(10))),
                        Site.of("rome", new ServerBlock(1, Amounts.of(10)))),
                List.of());
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

    private static Submit submit(String id, long demand, String... sites) {
        return Submits.of("acme", id, "", new long[] {demand}, new long[0], 0, Operation.ANY_WAIT, List.of(sites));
    }

    private static Change change(String id, Command command, String name) {
        return new Change(id, "op", name, command);
    }

    @Test
    void aRequestGoesWhereItMay() {
        ServiceState state = begun(QUEUEING);
        Request first = one(state, submit("a", 4, "rome")).request();
        assertThat(first.server()).isEqualTo(1);
        assertThat(first.sites()).containsExactly("rome");
        // 4 + 7 > 10 in rome, and oslo is empty but not allowed.
        assertThat(one(state, submit("b", 7, "rome")).request().state()).isEqualTo(Request.State.WAITING);
        one(state, new Release("acme", "a"));
        assertThat(state.world().find("acme", "b").server()).isEqualTo(1);
        assertThat(one(state, submit("c", 7)).kind()).isEqualTo(Kind.DONE);
        assertThat(state.world().find("acme", "c").sites()).isEmpty();
    }

    @Test
    void theSameIdWithOtherSitesIsAnotherRequest() {
        ServiceState state = begun(QUEUEING);
        one(state, submit("a", 4, "rome"));
        assertThat(one(state, submit("a", 4, "rome")).kind()).isEqualTo(Kind.REPEATED);
        assertThat(one(state, submit("a", 4, "oslo")).kind()).isEqualTo(Kind.CONFLICT);
        assertThat(one(state, submit("a", 4)).kind()).isEqualTo(Kind.CONFLICT);
    }

    @Test
    void whatCannotBeIsRefused() {
        ServiceState state = begun(QUEUEING);
        Outcome unknown = one(state, submit("a", 4, "rome", "bonn"));
        assertThat(unknown.refusal()).isEqualTo(Refusal.UNKNOWN_SITE);
        assertThat(unknown.detail()).isEqualTo("site 'bonn' is not one of [oslo, rome]");
        one(state, change("1", Command.plain(Command.Kind.LOSE, 0, 1), ""));
        assertThat(one(state, submit("a", 4, "rome")).refusal()).isEqualTo(Refusal.FITS_NO_SERVER);
        assertThat(one(state, submit("a", 4, "oslo")).kind()).isEqualTo(Kind.DONE);
        Outcome policy = one(state, Change.policy("2", "op", PolicySpec.of("vqs")));
        assertThat(policy.refusal()).isEqualTo(Refusal.SITE_LIMIT);
        assertThat(state.world().engine().policy()).isEqualTo(QUEUEING);
        one(state, new Release("acme", "a"));
        assertThat(one(state, Change.policy("3", "op", PolicySpec.of("vqs"))).kind())
                .isEqualTo(Kind.DONE);
        assertThat(one(state, submit("d", 4, "oslo")).refusal()).isEqualTo(Refusal.SITE_LIMIT);
        assertThat(one(state, submit("d", 4)).kind()).isEqualTo(Kind.DONE);
        assertThat(state.halted()).isNull();
    }

    @Test
    void aNewSiteMayBeNamedFromThenOn() {
        ServiceState state = begun(QUEUEING);
        one(state, submit("before", 9, "oslo", "rome"));
        one(state, submit("other", 9, "rome", "oslo"));
        one(state, submit("third", 9, "rome", "oslo"));
        one(state, change("1", Command.addSite(0, List.of()), "bonn"));
        one(state, change("2", Command.addServer(0, 2, List.of(10L)), ""));
        assertThat(state.world().find("acme", "third").state()).isEqualTo(Request.State.WAITING);
        one(state, new Release("acme", "third"));
        assertThat(one(state, submit("after", 9, "bonn")).request().server()).isEqualTo(2);
    }

    @Test
    void aSnapshotKeepsThem() throws IOException {
        ServiceState state = begun(QUEUEING);
        one(state, submit("a", 9, "rome"));
        one(state, submit("b", 9, "rome"));
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        ServiceState copy = Snapshot.read(file, new Policies());
        assertThat(copy.digest()).isEqualTo(state.digest());
        Batch next = batch(new Release("acme", "a"));
        for (ServiceState each : List.of(state, copy)) {
            each.apply(position, next);
            assertThat(each.world().find("acme", "b").server()).isEqualTo(1);
            assertThat(each.world().find("acme", "b").sites()).containsExactly("rome");
        }
        assertThat(copy.digest()).isEqualTo(state.digest());
    }

    @Test
    void aReplayedPolicyThatCannotKeepThemStopsAndSaysSo() {
        ServiceState state = begun(QUEUEING);
        ReplayedPolicy tried = ReplayedPolicy.of(state, PolicySpec.of("vqs"), new Policies());
        Batch batch = batch(submit("a", 4, "rome"));
        List<Outcome> outcomes = state.apply(position, batch);
        tried.apply(state.now(), batch, outcomes, state.takeChanges());
        assertThat(tried.figures().failure()).contains("vqs").contains("limited to sites [rome]");
        assertThat(ReplayedPolicy.of(state, PolicySpec.of("vqs"), new Policies())
                        .figures()
                        .failure())
                .contains("cannot take over");
        ReplayedPolicy other = ReplayedPolicy.of(state, PolicySpec.of("bf-js"), new Policies());
        Batch more = batch(submit("b", 4, "oslo"));
        other.apply(state.now(), more, state.apply(position + 1, more), state.takeChanges());
        assertThat(other.figures().failure()).isEmpty();
        assertThat(other.figures().running()).isEqualTo(2);
    }
}
