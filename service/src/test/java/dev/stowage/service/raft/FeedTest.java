package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.service.state.ChangedRequests;
import dev.stowage.service.state.Life;
import dev.stowage.service.state.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The ring against a plain list of everything. */
final class FeedTest {
    private static final Request ANY = new Request(
            "",
            "r",
            0,
            0,
            "",
            new long[] {1},
            List.of(),
            ConstraintWords.NONE,
            Request.State.RUNNING,
            0,
            -1,
            0,
            0,
            Long.MAX_VALUE,
            "",
            0,
            null,
            Life.NONE,
            0,
            null);

    @Test
    void whoListensIsCalledByAnotherThread() throws InterruptedException {
        Feed feed = new Feed(50);
        CountDownLatch called = new CountDownLatch(300);
        Thread self = Thread.currentThread();
        for (int i = 0; i < 300; i++) {
            feed.listen(() -> {
                assertThat(Thread.currentThread()).isNotSameAs(self);
                called.countDown();
            });
        }
        feed.add(1, 1000, List.of(ANY));
        feed.tell();
        assertThat(called.await(10, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void whatIsKeptIsWhatAPlainListHas() {
        long seed = 11;
        Random random = new Random(seed);
        Feed feed = new Feed(50);
        List<ChangedRequests> all = new ArrayList<>();
        long position = 0;
        for (int i = 0; i < 3000; i++) {
            position += 1 + random.nextInt(3);
            ChangedRequests entry =
                    new ChangedRequests(position, 10 * position, Collections.nCopies(random.nextInt(4), ANY));
            feed.add(position, entry.at(), entry.requests());
            if (!entry.requests().isEmpty()) {
                all.add(entry);
            }
            long from = random.nextInt((int) position + 1);
            List<ChangedRequests> expected =
                    all.stream().filter(e -> e.position() > from).limit(5).toList();
            List<ChangedRequests> found = feed.after(from, 5);
            if (from < feed.floor()) {
                assertThat(found).as("seed %s, step %s", seed, i).isNull();
            } else {
                assertThat(found).as("seed %s, step %s", seed, i).isEqualTo(expected);
            }
            // At most 50 changes, and not forgotten without need: one more entry, of at most 3, would be too many.
            int kept = feed.after(feed.floor(), Integer.MAX_VALUE).stream()
                    .mapToInt(e -> e.requests().size())
                    .sum();
            assertThat(kept).isLessThanOrEqualTo(50);
            assertThat(all.size() < 40 || kept > 47)
                    .as("seed %s, step %s: %s", seed, i, kept)
                    .isTrue();
        }
        assertThat(feed.last()).isEqualTo(position);
        feed.restart(7);
        assertThat(feed.after(7, 1)).isEmpty();
        assertThat(feed.after(6, 1)).isNull();
    }
}
