package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.ClockSet;
import dev.stowage.service.state.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Entries say that the clock was set before them, until the log has it. */
final class LogWriterTest implements LogWriter.Log {
    private long wall = 1_000;
    private long monotonic;
    private long term = 1;
    private final LeaderClock clock = new LeaderClock(() -> wall, () -> monotonic);
    private final Answers answers = new Answers();
    private final LogWriter writer = new LogWriter(this, 7, answers, clock, 5000);
    private final List<Batch> entries = new ArrayList<>();
    private final List<CompletableFuture<Void>> appended = new ArrayList<>();

    @Override
    public CompletableFuture<?> append(byte[] entry) {
        entries.add(Batch.decode(entry));
        appended.add(new CompletableFuture<>());
        return appended.get(appended.size() - 1);
    }

    @Override
    public long term() {
        return term;
    }

    private boolean saysSo(int operations) {
        List<CompletableFuture<Outcome>> futures = IntStream.range(0, operations)
                .mapToObj(k -> writer.write(new Operation.Tick()))
                .toList();
        assertThat(writer.tryTurn()).isTrue();
        writer.send();
        Batch entry = entries.get(entries.size() - 1);
        boolean says = entry.operations().get(0) instanceof ClockSet;
        assertThat(entry.operations()).filteredOn(ClockSet.class::isInstance).hasSize(says ? 1 : 0);
        answers.applied(
                entry.sequence(),
                entry.operations().stream()
                        .map(one -> new Outcome(Outcome.Kind.DONE, null, null, -1, ""))
                        .toList());
        assertThat(futures.subList(0, Math.min(operations, 1000))).allMatch(CompletableFuture::isDone);
        return says;
    }

    private void done() {
        appended.get(appended.size() - 1).complete(null);
    }

    private void lost() {
        appended.get(appended.size() - 1)
                .completeExceptionally(new NotServedException(NotServedException.Kind.UNAVAILABLE, null, "lost"));
    }

    @Test
    void untilTheLogHasIt() {
        assertThat(saysSo(1)).isTrue();
        lost();
        assertThat(saysSo(2)).isTrue();
        done();
        assertThat(saysSo(1)).isFalse();
        done();
    }

    @Test
    void inEveryTermAndWhenTheClockIsSet() {
        assertThat(saysSo(1)).isTrue();
        done();
        term = 2;
        assertThat(saysSo(1)).isTrue();
        done();
        wall += 3600;
        clock.set(0);
        assertThat(saysSo(1)).isTrue();
        assertThat(entries.get(2).at() - entries.get(1).at()).isEqualTo(3600);
        done();
        monotonic += 50;
        assertThat(saysSo(1)).isFalse();
        assertThat(entries.get(3).at() - entries.get(2).at()).isEqualTo(50);
        done();
    }

    @Test
    void anEntryStaysWithinItsLimit() {
        assertThat(saysSo(3000)).isTrue();
        assertThat(entries.get(0).operations()).hasSize(1024);
        assertThat(writer.queued()).isEqualTo(3000 - 1023);
    }
}
