package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is over is known for a time, as far as there is room, and whatever the room for ten minutes. */
final class RetentionTest {
    private static final long MINUTE = 60_000_000_000L;

    @TempDir
    private Path directory;

    private ServiceState state = new ServiceState(new Policies());
    private long position;

    private void begin(Retention keep) {
        one(
                0,
                new Operation.Begin(
                        new Setting(Cluster.single(1, 10), PolicySpec.of("first-fit"), 1, keep, new TreeMap<>())));
    }

    private Outcome one(long minute, Operation operation) {
        byte[] entry = new Batch(ServiceState.VERSION, 1, position, minute * MINUTE, List.of(operation)).encode();
        return state.apply(position++, Batch.decode(entry)).get(0);
    }

    private Outcome submit(long minute, String id) {
        return one(minute, Submits.of("", id, "", new long[] {1}, new long[0], 0, Operation.ANY_WAIT));
    }

    /** Submitted and released in that minute. */
    private void over(long minute, String id) {
        assertThat(submit(minute, id).kind()).isEqualTo(Kind.DONE);
        one(minute, new Operation.Release("", id));
    }

    private boolean knows(String id) {
        return state.world().find("", id) != null;
    }

    /** Each of four takes a quarter of the room. Past ten minutes the oldest goes when a fifth comes, not before. */
    @Test
    void theOldestGoesWhereThereIsNoRoom() {
        begin(new Retention(100 * MINUTE, 4 * bytesOfOne()));
        for (int minute = 1; minute <= 4; minute++) {
            over(minute, "r" + minute);
        }
        one(60, new Operation.Tick());
        assertThat(knows("r1")).isTrue();
        over(61, "r5");
        one(61, new Operation.Tick());
        assertThat(knows("r1")).isFalse();
        assertThat(knows("r2")).isTrue();
        assertThat(submit(62, "r2").kind()).isEqualTo(Kind.REPEATED);
        assertThat(submit(62, "r1").kind()).isEqualTo(Kind.DONE);
        // After their time they go, room or not.
        one(102, new Operation.Tick());
        assertThat(knows("r2")).isTrue();
        one(103, new Operation.Tick());
        assertThat(knows("r2")).isFalse();
        assertThat(knows("r3")).isTrue();
    }

    @Test
    void forTenMinutesAllAreKnown() {
        begin(new Retention(100 * MINUTE, bytesOfOne()));
        for (int k = 1; k <= 9; k++) {
            over(1, "r" + k);
        }
        one(11, new Operation.Tick());
        assertThat(knows("r1")).isTrue();
        one(12, new Operation.Tick());
        assertThat(knows("r8")).isFalse();
        assertThat(knows("r9")).isTrue();
    }

    /** A node that comes from a snapshot forgets at the same entry as one that has applied all. */
    @Test
    void aSnapshotForgetsAlike() throws IOException {
        begin(new Retention(100 * MINUTE, 4 * bytesOfOne()));
        for (int minute = 1; minute <= 4; minute++) {
            over(minute, "r" + minute);
        }
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        ServiceState before = state;
        long at = position;
        over(61, "r5");
        one(61, new Operation.Tick());
        assertThat(knows("r1")).isFalse();
        state = Snapshot.read(file, new Policies());
        position = at;
        over(61, "r5");
        assertThat(knows("r1")).isTrue();
        one(61, new Operation.Tick());
        assertThat(knows("r1")).isFalse();
        assertThat(state.digest()).isEqualTo(before.digest());
        assertThat(state.world().particulars().keep()).isEqualTo(new Retention(100 * MINUTE, 4 * bytesOfOne()));
    }

    /** What began before there was a limit has none, and its bytes are as they were. */
    @Test
    void anOldServiceKeepsAllForItsTime() throws IOException {
        begin(new Retention(100 * MINUTE, Retention.ALL));
        for (int k = 1; k <= 50; k++) {
            over(1, "r" + k);
        }
        one(100, new Operation.Tick());
        assertThat(knows("r1")).isTrue();
        Path file = directory.resolve("snapshot");
        state.capture().write(file);
        assertThat(Snapshot.read(file, new Policies()).world().particulars().keep())
                .isEqualTo(new Retention(100 * MINUTE, Retention.ALL));
    }

    /** Answers to changes: so many are kept, and in the first ten minutes all. */
    @Test
    void answersToChangesAreBounded() {
        begin(new Retention(100 * MINUTE, 1 << 20));
        for (int k = 0; k <= Retention.ANSWERS; k++) {
            one(1, k % 2 == 0 ? change("c" + k, Command.Kind.DRAIN) : change("c" + k, Command.Kind.RETURN));
        }
        one(11, new Operation.Tick());
        assertThat(state.world().particulars().answers()).hasSize(Retention.ANSWERS + 1);
        one(12, new Operation.Tick());
        assertThat(state.world().particulars().answers()).hasSize(Retention.ANSWERS);
        assertThat(one(12, change("c1", Command.Kind.RETURN)).kind()).isEqualTo(Kind.REPEATED);
    }

    private static Operation change(String id, Command.Kind kind) {
        return new Operation.Change(id, "ann", "", Command.plain(kind, 0, 0));
    }

    @Test
    void badOnesAreRefused() {
        assertThatThrownBy(() -> new Retention(0, 1)).hasMessageContaining("0 ns, must be at least 1");
        assertThatThrownBy(() -> new Retention(1, -1)).hasMessageContaining("-1, must be at least 0");
    }

    /** Ids of these tests have two letters, so all take the same. */
    private static long bytesOfOne() {
        RetentionTest other = new RetentionTest();
        other.begin(new Retention(100 * MINUTE, Retention.ALL));
        other.over(1, "r1");
        return other.state.world().table().finishedBytes();
    }
}
