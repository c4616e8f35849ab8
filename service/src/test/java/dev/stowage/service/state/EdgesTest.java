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
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The replicated state exactly at its limits: the last unit of a quota, the last instant that is kept, the end of a
 * page.
 */
class EdgesTest {
    private static final long KEEP = 1000;

    @TempDir
    private Path directory;

    private ServiceState state = new ServiceState(new Policies());
    private long position;

    @BeforeEach
    void begin() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(2, Amounts.of(10)))),
                List.of(RequestType.of("small", 3)));
        one(0, new Operation.Begin(new Setting(cluster, PolicySpec.of("fifo-ff"), 1, KEEP)));
    }

    private Outcome one(long at, Operation operation) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, at, List.of(operation)).encode();
        return state.apply(position++, Batch.decode(entry)).get(0);
    }

    private Outcome submit(long at, String id, long cpu) {
        return one(
                at,
                Submits.of("acme", id, "", new long[] {cpu}, new long[0], Operation.TYPE_REWARD, Operation.ANY_WAIT));
    }

    @Test
    void aQuotaMayBeUsedToItsLastUnit() {
        one(1, new Operation.SetQuota("q", "ann", "acme", new Quota(Quota.ANY, new long[] {7})));
        assertThat(submit(2, "a", 4).kind()).isEqualTo(Kind.DONE);
        Outcome over = submit(3, "b", 4);
        assertThat(over.kind()).isEqualTo(Kind.OVER_QUOTA);
        assertThat(over.detail())
                .isEqualTo("tenant 'acme' has 0.004 vCPU in the system, may have 0.007 vCPU, and asks for 0.004 vCPU"
                        + " more");
        assertThat(submit(4, "c", 3).kind()).isEqualTo(Kind.DONE);
        assertThat(submit(5, "d", 1).kind()).isEqualTo(Kind.OVER_QUOTA);
        assertThat(submit(6, "e", 0).kind()).isEqualTo(Kind.DONE);
        // More than the whole quota, whatever is released.
        Outcome beyond = submit(7, "f", 8);
        assertThat(beyond.kind()).isEqualTo(Kind.BEYOND_QUOTA);
        assertThat(beyond.detail())
                .isEqualTo("tenant 'acme' may have 0.007 vCPU in all, and asks for 0.008 vCPU at once");
    }

    @Test
    void aQuotaOfRequestsMayBeUsedToTheLast() {
        one(1, new Operation.SetQuota("q", "ann", "acme", new Quota(2, new long[0])));
        assertThat(submit(2, "a", 1).kind()).isEqualTo(Kind.DONE);
        assertThat(submit(3, "b", 1).kind()).isEqualTo(Kind.DONE);
        assertThat(submit(4, "c", 1).kind()).isEqualTo(Kind.OVER_QUOTA);
    }

    /** An answer at 10 is kept up to 1010, and what is asked then is answered, not done again. */
    @Test
    void anAnswerIsKeptToTheLastInstant() {
        Operation drain = new Operation.Change("c", "ann", "", Command.plain(Command.Kind.DRAIN, 0, 1));
        assertThat(one(10, drain).kind()).isEqualTo(Kind.DONE);
        one(11, new Operation.Change("d", "ann", "", Command.plain(Command.Kind.RETURN, 0, 1)));
        assertThat(one(10 + KEEP, drain).kind()).isEqualTo(Kind.REPEATED);
        assertThat(one(11 + KEEP, drain).kind()).isEqualTo(Kind.DONE);
    }

    /**
     * After a restore as before, however small the pages: handles are used again, so their order is not that of
     * arrival.
     */
    @Test
    void pagesAfterARestoreSkipNothing() throws IOException {
        for (int i = 0; i < 6; i++) {
            submit(1 + i, "first-" + i, 3);
        }
        for (int i = 0; i < 6; i += 2) {
            one(10 + i, new Operation.Release("acme", "first-" + i));
        }
        for (int i = 0; i < 3; i++) {
            submit(20 + i, "then-" + i, 3);
        }
        List<String> expected = List.of("first-1", "first-3", "first-5", "then-0", "then-1", "then-2");
        for (int size = 1; size <= 7; size++) {
            assertThat(inSystem(size)).as("pages of %d", size).isEqualTo(expected);
        }
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        state = Snapshot.read(file, new Policies());
        for (int size = 1; size <= 7; size++) {
            assertThat(inSystem(size)).as("pages of %d after a restore", size).isEqualTo(expected);
        }
    }

    /** In order of arrival, not of handles, which are used again: "then-0" has the handle of "first-0" or "first-2". */
    @Test
    void aSnapshotIsInOrderOfArrival() {
        for (int i = 0; i < 3; i++) {
            submit(1 + i, "first-" + i, 3);
        }
        one(10, new Operation.Release("acme", "first-0"));
        one(11, new Operation.Release("acme", "first-2"));
        submit(20, "then-0", 3);
        submit(21, "then-1", 3);
        Captured captured = state.capture().captured();
        assertThat(captured.inSystem().get()).extracting(Request::id).containsExactly("first-1", "then-0", "then-1");
    }

    /** Page by page, those that are not over. */
    private List<String> inSystem(int size) {
        Listing.Filter filter = new Listing.Filter("acme", null, Listing.ANY, Listing.ANY);
        List<String> ids = new ArrayList<>();
        for (Listing.Place at = Listing.Place.begin(state.position()); at != null; ) {
            Listing page = new Listing(filter, at, size);
            while (page.inSystem(state)) {}
            page.finished();
            page.found().stream()
                    .filter(request -> !request.state().finished())
                    .forEach(request -> ids.add(request.id()));
            at = page.next();
        }
        return ids;
    }
}
