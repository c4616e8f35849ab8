package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces for which there is no room in memory are the same as others. */
class LongTraceTest {
    private static final List<String> CPU_MEM = List.of("cpu_milli", "mem_mib");
    private static final int PIECE_BYTES = 256;

    @TempDir
    Path directory;

    private static TraceBuilder random(ColumnSpace space, long seed, int size, boolean sorted) {
        SplittableRandom random = new SplittableRandom(seed);
        TraceBuilder builder = new TraceBuilder(CPU_MEM, space);
        int firstOfBatch = random.nextInt(size);
        int firstNamed = random.nextInt(size);
        for (int i = 0; i < size; i++) {
            builder.add(
                    sorted ? i / 3 : random.nextLong(1000),
                    random.nextInt(5) == 0 ? Trace.UNKNOWN : random.nextLong(1L << random.nextInt(1, 50)),
                    new long[] {random.nextLong(4), random.nextLong(3)},
                    i < firstOfBatch ? Trace.NO_BATCH : random.nextLong(-1, 9),
                    random.nextInt(3) == 0 ? "t" + random.nextInt(3) : null,
                    i < firstNamed || random.nextBoolean() ? null : "r\u00e9quest \uD83D\uDE80 " + i);
        }
        return builder;
    }

    @Test
    void whereTheColumnsLieChangesNothing() {
        long seed = 5;
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 60; round++) {
            int size = 1 + random.nextInt(400);
            boolean sorted = random.nextBoolean();
            long given = random.nextLong(1L << random.nextInt(1, 16));
            Trace here = random(new ColumnSpace(Long.MAX_VALUE, PIECE_BYTES), round, size, sorted)
                    .build();
            Trace there = random(new ColumnSpace(given, PIECE_BYTES), round, size, sorted)
                    .build();
            String as = "seed " + seed + ", round " + round + ", " + given + " bytes";
            assertThat(there.contents()).as(as).isEqualTo(here.contents());
            assertThat(there.types()).as(as).isEqualTo(here.types());
            assertThat(there.hasBatches()).as(as).isEqualTo(here.hasBatches());
            for (int i = 0; i < size; i++) {
                assertThat(there.id(i)).as(as).isEqualTo(here.id(i));
            }
            assertThat(TraceStatistics.of(there)).as(as).isEqualTo(TraceStatistics.of(here));
        }
    }

    @Test
    void columnsOfSeveralPiecesAreSorted() {
        int size = 30 * PIECE_BYTES / Long.BYTES + 17;
        SplittableRandom random = new SplittableRandom(8);
        long[] expected = random.longs(size).toArray();
        LongColumn column = new LongColumn(new ColumnSpace(0, PIECE_BYTES));
        for (long value : expected) {
            column.add(value);
        }
        assertThat(column.isInFile()).isTrue();
        for (int i = 0; i < size; i += 7) {
            assertThat(column.get(i)).isEqualTo(expected[i]);
        }
        Arrays.sort(expected);
        LongColumn sorted = column.sorted();
        for (int i = 0; i < size; i++) {
            assertThat(sorted.get(i)).as("place " + i).isEqualTo(expected[i]);
        }
    }

    @Test
    void aTraceInFilesIsWrittenAndReadBack() {
        Trace trace = random(new ColumnSpace(0, 1 << 16), 3, 5000, true).build();
        assertThat(trace.isInFiles()).isTrue();
        for (String name : List.of("t.parquet", "t.csv.gz")) {
            Path file = directory.resolve(name);
            TraceWriter.write(trace, file);
            Trace back = TraceReader.read(file, ReadOptions.defaults()).trace();
            assertThat(back.isInFiles()).isFalse();
            assertThat(back.contents()).isEqualTo(trace.contents());
            assertThat(back.id(4999)).isEqualTo(trace.id(4999));
        }
        assertThat(directory).isDirectoryContaining("glob:**/t.parquet").isDirectoryNotContaining("glob:**partial*");
    }

    @Test
    void aBuilderIsUsedUp() {
        TraceBuilder builder = new TraceBuilder(CPU_MEM).add(1, 1, 1, 1);
        builder.build();
        assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> builder.add(2, 1, 1, 1)).isInstanceOf(IllegalStateException.class);
    }
}
