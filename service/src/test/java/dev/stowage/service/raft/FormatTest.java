package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.service.directory.RecordedLog;
import dev.stowage.service.state.Adjustment;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Restless;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.Submits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bytes that were written before: log entries of every kind, and a node's directory of commit c4b3851, the last of 0.1,
 * whose snapshot is read as ever, and whose log is not.
 */
final class FormatTest {
    private static final Path OLD = Path.of("src/test/resources/dev/stowage/service/format-4");
    private static final Path ENTRIES = Path.of("src/test/resources/dev/stowage/service/format-6/entries.hex");

    @TempDir
    private Path temporary;

    private Path copy() throws IOException {
        Path to = temporary.resolve("data");
        try (Stream<Path> files = Files.walk(OLD.resolve("data"))) {
            files.forEach(file -> {
                try {
                    Files.copy(
                            file,
                            to.resolve(OLD.resolve("data").relativize(file).toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return to;
    }

    @Test
    void entriesAreReadAndWrittenAsBefore() throws IOException {
        List<String> lines = Files.readAllLines(ENTRIES);
        assertThat(lines).hasSize(52);
        for (String line : lines) {
            Batch batch = Batch.decode(HexFormat.of().parseHex(line));
            assertThat(HexFormat.of().formatHex(batch.encode())).isEqualTo(line);
        }
        Operation confirm = Batch.decode(HexFormat.of().parseHex(lines.get(18)))
                .operations()
                .get(0);
        assertThat(confirm).isEqualTo(new Operation.Confirm("acme", "a0", Adjustment.Kind.RESIZE, 5));
    }

    /** The last of a plain submission says what it has besides: a bit that nobody writes yet. */
    @Test
    void whatARequestSaysThatIsNotKnownIsRefused() {
        Operation.Submit plain = Submits.of("acme", "a", "small", new long[0], new long[0], 0, -1);
        byte[] entry = new Batch(ServiceState.VERSION, 0, -1, 5, List.of(plain)).encode();
        assertThat(Batch.decode(entry).operations()).hasSize(1);
        entry[entry.length - 3] |= 0x40;
        assertThatThrownBy(() -> Batch.decode(entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("something that this release does not know");
    }

    @Test
    void aLogOfAnotherVersionStopsTheNodeAndSaysSo() throws IOException {
        ServiceState state = RecordedLog.in(copy()).replay(Restless.factory(), new RecordedLog.Listener() {
            @Override
            public void begun(ServiceState now) {}

            @Override
            public void applied(ServiceState now, Batch batch, List<Outcome> outcomes, List<Request> changes) {}
        });
        assertThat(state.halted()).contains("the log needs version 4 of the service, this node has version 6");
    }

    /** It is written in the present format, which is read as well. */
    @Test
    void theSnapshotIsRead() throws IOException {
        Path old = OLD.resolve("data/raft/e8f3650e-0652-3b67-93cb-45f069759b7e/sm/snapshot.1_42");
        ServiceState state = Snapshot.read(old, Restless.factory());
        assertThat(state.position()).isEqualTo(42);
        assertThat(state.world().find("acme", "a2").state()).isEqualTo(Request.State.RELEASED);
        Path written = temporary.resolve("written");
        state.capture().write(written);
        ServiceState read = Snapshot.read(written, Restless.factory());
        assertThat(read.position()).isEqualTo(42);
        assertThat(read.world().find("acme", "a2"))
                .usingRecursiveComparison()
                .isEqualTo(state.world().find("acme", "a2"));
        Path again = temporary.resolve("again");
        read.capture().write(again);
        assertThat(Files.readAllBytes(again)).isEqualTo(Files.readAllBytes(written));
    }
}
