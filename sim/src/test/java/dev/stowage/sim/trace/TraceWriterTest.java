package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceWriterTest {
    @TempDir
    Path directory;

    private static Trace random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli", "mem_mib", "net_mbps"));
        boolean batches = random.nextBoolean();
        boolean ids = random.nextBoolean();
        boolean types = random.nextBoolean();
        int size = 1 + random.nextInt(300);
        for (int i = 0; i < size; i++) {
            long[] demand = {random.nextInt(5), random.nextInt(3), random.nextLong(1L << 50)};
            builder.add(
                    random.nextLong(1L << random.nextInt(1, 62)),
                    random.nextInt(4) == 0 ? Trace.UNKNOWN : random.nextLong(1L << random.nextInt(1, 62)),
                    demand,
                    batches && random.nextInt(3) > 0 ? random.nextInt(9) : Trace.NO_BATCH,
                    types && random.nextInt(3) > 0 ? "type, \"" + random.nextInt(4) + "\" \u00e9" : null,
                    ids && random.nextInt(3) > 0 ? "id " + i : null);
        }
        return builder.build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.csv", "t.csv.gz", "t.parquet", "it's.parquet"})
    void whatIsWrittenIsReadBack(String name) {
        int rounds = name.endsWith("parquet") ? 8 : 100;
        for (long seed = 1; seed <= rounds; seed++) {
            Trace trace = random(seed);
            Path file = directory.resolve(name);
            TraceWriter.write(trace, file);
            LoadedTrace loaded = Sources.read(file);
            assertThat(loaded.report().format()).isEqualTo("canonical");
            assertThat(loaded.report().ignoredColumns()).isEmpty();
            assertThat(loaded.report().rounding()).isEmpty();
            assertThat(Sources.dump(loaded.trace())).as("seed " + seed).isEqualTo(Sources.dump(trace));
        }
    }

    /** Until the last arrival, at 7 s, the second request runs for 6 of 14 s. */
    @ParameterizedTest
    @ValueSource(strings = {"t.csv", "t.parquet"})
    void whatHasNoDurationIsAWarning(String name) {
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli"));
        long second = 1_000_000_000;
        builder.add(0, 8 * second, 1000).add(second, Trace.UNKNOWN, 1000).add(6 * second, second, 1000);
        TraceWriter.write(builder.add(7 * second, second, 1000).build(), directory.resolve(name));
        assertThat(LoadReport.warnings(
                        Sources.read(directory.resolve(name)).report().notes()))
                .extracting(Remark::toString)
                .containsExactly("warning: 1 request has no duration_s (25.0 %) and is taken to run to the end of the"
                        + " run, which makes about 43 % of the load (CPU until the last arrival). Where one has ended,"
                        + " fill in its duration_s or remove its row");
    }

    /** Rows are sorted by arrival, and expected lifetimes with them; the first request says nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"t.csv", "t.parquet"})
    void expectedLifetimes(String name) {
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli"));
        builder.add(7, 1, 1000)
                .add(5, 2, 1000)
                .expecting(90_000_000_001L)
                .add(6, 3, 1000)
                .expecting(0);
        Trace trace = builder.build();
        TraceWriter.write(trace, directory.resolve(name));
        LoadedTrace loaded = Sources.read(directory.resolve(name));
        assertThat(loaded.report().ignoredColumns()).isEmpty();
        for (Trace each : List.of(trace, loaded.trace(), TraceTransforms.scaleTraffic(trace, 1))) {
            assertThat(List.of(each.expectedNanos(0), each.expectedNanos(1), each.expectedNanos(2)))
                    .containsExactly(90_000_000_001L, 0L, 0L);
            assertThat(each.hasExpected()).isTrue();
        }
        assertThat(loaded.trace().contents()).isEqualTo(trace.contents());
        Trace without = TraceTransforms.expecting(trace, i -> 0);
        assertThat(without.hasExpected()).isFalse();
        assertThat(without.contents()).isNotEqualTo(trace.contents());
    }

    /** What runs at the start has the rest of its expectation left; what has outlived it, as long again as it ran. */
    @Test
    void expectedLifetimesOfAWindow() {
        Trace trace = new TraceBuilder(List.of("cpu_milli"))
                .add(0, 100, 1000)
                .expecting(50)
                .add(10, Trace.UNKNOWN, 1000)
                .expecting(20)
                .add(20, 100, 1000)
                .build();
        Trace window = TraceTransforms.window(trace, 40, 1000, true);
        assertThat(List.of(window.expectedNanos(0), window.expectedNanos(1), window.expectedNanos(2)))
                .containsExactly(10L, 30L, 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.csv", "t.parquet"})
    void gangsPrioritiesAndLongestWaits(String name) {
        List<RequestTraits> traits = List.of(
                RequestTraits.NONE.withMaxWait(MaxWait.of(0)),
                RequestTraits.NONE,
                new RequestTraits(-3, 4, true).withMaxWait(MaxWait.of(90_000_000_001L)),
                new RequestTraits(2, 5, false));
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli"));
        for (RequestTraits each : traits) {
            builder.add(1, 1, new long[] {1000}, Trace.NO_BATCH, null, null, ConstraintWords.NONE, each);
        }
        Trace trace = builder.build();
        TraceWriter.write(trace, directory.resolve(name));
        LoadedTrace loaded = Sources.read(directory.resolve(name));
        assertThat(loaded.report().ignoredColumns()).isEmpty();
        assertThat(loaded.trace().contents()).isEqualTo(trace.contents());
        for (int i = 0; i < traits.size(); i++) {
            assertThat(loaded.trace().typeTraits(loaded.trace().type(i))).isEqualTo(traits.get(i));
        }
    }

    @Test
    void plainTextIsReadable() throws IOException {
        Trace trace = new TraceBuilder(List.of("cpu_milli", "mem_mib"))
                .add(1_500_000_000L, Trace.UNKNOWN, new long[] {2000, 3584}, 4, null, null)
                .add(0, 60_000_000_001L, new long[] {1000, 1792}, Trace.NO_BATCH, null, null)
                .build();
        TraceWriter.write(trace, directory.resolve("t.csv"));
        assertThat(Files.readAllLines(directory.resolve("t.csv")))
                .containsExactly(
                        "arrival_s,duration_s,cpu_milli,mem_mib,batch_id",
                        "0,60.000000001,1000,1792,",
                        "1.5,,2000,3584,4");
    }

    @Test
    void gzIsTheSameEveryTime() throws IOException {
        Trace trace = random(5);
        TraceWriter.write(trace, directory.resolve("a.csv.gz"));
        TraceWriter.write(trace, directory.resolve("b.csv.gz"));
        assertThat(directory.resolve("a.csv.gz")).hasSameBinaryContentAs(directory.resolve("b.csv.gz"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none/t.csv", "none/t.parquet"})
    void noDirectory(String name) {
        Path file = directory.resolve(name);
        assertThatThrownBy(() -> TraceWriter.write(random(1), file))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("directory does not exist");
    }

    @Test
    void otherFileNames() {
        assertThatThrownBy(() -> TraceWriter.write(random(1), directory.resolve("t.json")))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(".csv, .csv.gz or .parquet");
    }

    @Test
    void aFailedWriteLeavesTheOldFileAndNoRest() throws IOException {
        Path file = Files.createDirectories(directory.resolve("t.csv/inside")).getParent();
        assertThatThrownBy(() -> TraceWriter.write(random(1), file)).isInstanceOf(TraceException.class);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void fullDevice() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "skipped: no /dev/full");
        assertThatThrownBy(() -> new CanonicalRows(random(1)).writeCsv(full, false))
                .isInstanceOfAny(IOException.class, UncheckedIOException.class)
                .hasStackTraceContaining("No space left on device");
    }
}
