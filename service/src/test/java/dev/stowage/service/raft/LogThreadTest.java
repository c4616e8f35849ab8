package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A window of a day: what is in the log within minutes was sent without waiting for it. */
final class LogThreadTest {
    private static final int WHOLE_ENTRY = 1024;
    /** Against hanging only. */
    private static final long LIMIT_MINUTES = 5;

    private final BlockingQueue<byte[]> log = new LinkedBlockingQueue<>();
    private final LogWriter writer = new LogWriter(
            new LogWriter.Log() {
                @Override
                public CompletableFuture<?> append(byte[] entry) {
                    log.add(entry);
                    return CompletableFuture.completedFuture(null);
                }

                @Override
                public long term() {
                    return 1;
                }
            },
            1,
            new Answers(),
            LeaderClock.system(),
            4 * WHOLE_ENTRY);
    private final LogThread thread = new LogThread(writer, TimeUnit.DAYS.toNanos(1), why -> {
        throw new AssertionError(why);
    });

    @AfterEach
    void stop() {
        thread.close();
    }

    private void write(int operations) {
        for (int i = 0; i < operations; i++) {
            CompletableFuture<?> unused = writer.write(new Operation.Note("test", "note " + i, ""));
        }
    }

    @Test
    void aWholeEntryIsSentWithoutWaitingForMore() throws Exception {
        write(2 * WHOLE_ENTRY);
        thread.start();
        for (int i = 0; i < 2; i++) {
            byte[] entry = log.poll(LIMIT_MINUTES, TimeUnit.MINUTES);
            assertThat(entry).isNotNull();
            assertThat(Batch.decode(entry).operations()).hasSize(WHOLE_ENTRY);
        }
    }

    @Test
    void aWholeEntryIsOneThatNothingIsGainedByWaitingWith() throws Exception {
        write(WHOLE_ENTRY - 2);
        assertThat(writer.full()).isFalse();
        write(1);
        assertThat(writer.full()).isTrue();
        // The thread takes one out of the queue to wait for it.
        assertThat(writer.awaitOperation(0)).isTrue();
        assertThat(writer.full()).isFalse();
        write(1);
        assertThat(writer.full()).isTrue();
        writer.awaitTurn();
        writer.send();
        assertThat(Batch.decode(log.remove()).operations()).hasSize(WHOLE_ENTRY);
        assertThat(writer.full()).isFalse();
    }
}
