package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.service.directory.HistoryFiles;
import dev.stowage.service.state.Life;
import dev.stowage.service.state.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What memory and disk know together, at entries 0, 1, ... of which each changed one request. */
final class ChangeHistoryTest {
    private static final int FEW = 8;

    @TempDir
    private Path group;

    private final Feed feed = new Feed(FEW);
    private final ChangeHistory history =
            new ChangeHistory(feed, HistoryFiles.Extent.of(Long.MAX_VALUE / 2, Long.MAX_VALUE));

    @BeforeEach
    void begin() {
        history.restart(group, -1);
    }

    private void change(long position, String tenant, String id) {
        Request request = new Request(
                tenant,
                id,
                0,
                1,
                "",
                new long[] {1},
                List.of(),
                ConstraintWords.NONE,
                Request.State.RUNNING,
                2,
                -1,
                10 * position,
                10 * position,
                Long.MAX_VALUE,
                "first",
                position,
                null,
                Life.NONE,
                0,
                null);
        feed.add(position, 10 * position, List.of(request));
        history.step();
    }

    private List<Long> positions(String tenant, String id) {
        return history.past(tenant, id, Long.MIN_VALUE).changes().stream()
                .map(entry -> entry.position())
                .toList();
    }

    @Test
    void theChangesOfAnIdAreFoundOnDiskAndInMemory() {
        for (long position = 0; position < 40; position++) {
            change(position, position % 2 == 0 ? "a" : "b", "r" + position % 5);
        }
        assertThat(positions("a", "r0")).containsExactly(0L, 10L, 20L, 30L);
        assertThat(positions("b", "r0")).containsExactly(5L, 15L, 25L, 35L);
        assertThat(positions("a", "r")).isEmpty();
        assertThat(history.past("a", "r0", 0).after()).isEqualTo(-1);
        // What is in memory only.
        history.forgetFiles();
        assertThat(positions("b", "r0")).containsExactly(35L);
        assertThat(history.past("b", "r0", 0).after()).isEqualTo(feed.floor());
    }

    @Test
    void beforeTheFirstChangeThereIsNone() {
        assertThat(positions("a", "r0")).isEmpty();
        assertThat(history.past("a", "r0", 0).after()).isEqualTo(-1);
        change(0, "a", "r0");
        assertThat(positions("a", "r0")).containsExactly(0L);
    }

    /** A node that had another state than the leader goes on from its snapshot, which may be of before. */
    @Test
    void whatWasToldOfAWrongStateIsForgotten() {
        change(0, "a", "wrong");
        change(1, "a", "wrong");
        history.distrust();
        history.restart(group, 1);
        assertThat(positions("a", "wrong")).isEmpty();
        assertThat(history.floor()).isEqualTo(1);
    }

    /** Hole: every ten seconds it was "written again" and "forgotten". The disk is a file in the directory's place. */
    @Test
    void aFullDiskIsToldOnceAndThatItIsWrittenAgainOnceThatLasts() throws IOException {
        long[] now = {0};
        ChangeHistory timed =
                new ChangeHistory(feed, HistoryFiles.Extent.of(Long.MAX_VALUE / 2, Long.MAX_VALUE), () -> now[0]);
        try (LoggedWords log = new LoggedWords(ChangeHistory.class)) {
            Path disk = group.resolve("disk");
            Files.writeString(disk, "full");
            timed.restart(disk, -1);
            for (int i = 0; i < 20; i++) {
                now[0] += TimeUnit.SECONDS.toNanos(11);
                timed.step();
            }
            assertThat(log.said()).hasSize(1).first().asString().contains("cannot be written, and is forgotten");
            Files.delete(disk);
            for (int i = 0; i < 3; i++) {
                now[0] += TimeUnit.SECONDS.toNanos(11);
                timed.step();
            }
            assertThat(log.said()).hasSize(2).last().asString().contains("can be written again");
        } finally {
            timed.close();
        }
    }
}
