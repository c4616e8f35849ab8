package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Submits;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant that submits and never releases: before, until the heap was full. */
final class WaitingLimitTest {
    @TempDir
    private Path directory;

    @Test
    void followsFromTheHeap() {
        assertThat(new WaitingLimit(96L << 20).most()).isEqualTo(32 << 10);
        assertThat(new WaitingLimit(3L << 30).most()).isEqualTo(1 << 20);
    }

    private static Operation.Submit submit(int id, long wait) {
        return Submits.of("acme", "r" + id, "", new long[] {5}, new long[0], 0, wait);
    }

    @Test
    void theLeaderTurnsAwayWhatWouldWait() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(1, Amounts.of(10)))),
                List.of(RequestType.of("small", 1)));
        Setting setting = new Setting(cluster, PolicySpec.of("fifo-ff"), 1, TimeUnit.DAYS.toNanos(1));
        try (RaftNode node = RaftNode.start(NodeSettings.single(directory), new Policies(), setting)) {
            while (!node.status().ready()) {
                Thread.sleep(10);
            }
            assertThatThrownBy(() -> node.limitWaiting(0)).isInstanceOf(IllegalArgumentException.class);
            node.limitWaiting(3);
            assertThat(node.waitingLimit()).isEqualTo(3);
            // Two run, three wait.
            for (int i = 0; i < 5; i++) {
                assertThat(done(node, submit(i, -1)).kind()).isEqualTo(Outcome.Kind.DONE);
            }
            assertThatThrownBy(() -> done(node, submit(5, -1)))
                    .hasCauseInstanceOf(NotServedException.class)
                    .hasMessageContaining("3 requests are already waiting (limit 3)");
            // Who asks again is answered, who would not wait is too, and when one has got its server there is room.
            assertThat(done(node, submit(4, -1)).kind()).isEqualTo(Outcome.Kind.REPEATED);
            assertThat(done(node, submit(6, 0)).request().state()).isEqualTo(Request.State.EXPIRED);
            done(node, new Operation.Release("acme", "r0"));
            assertThat(done(node, submit(5, -1)).request().state()).isEqualTo(Request.State.WAITING);
        }
    }

    private static Outcome done(RaftNode node, Operation operation) throws Exception {
        return node.submit(operation).get(10, TimeUnit.MINUTES);
    }
}
