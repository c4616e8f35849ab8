package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.sim.workload.RequestStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceBuilderTest {
    private static final List<String> CPU_MEM = List.of("cpu_milli", "mem_mib");

    @Test
    void sortsStablyAndNumbersTypesByFirstArrival() {
        Trace trace = new TraceBuilder(CPU_MEM)
                .add(30, 5, new long[] {2000, 3584}, 7, null, "c")
                .add(10, Trace.UNKNOWN, new long[] {1000, 1792}, Trace.NO_BATCH, null, "a")
                .add(30, 0, new long[] {1000, 1792}, 7, null, "d")
                .add(20, 9, new long[] {250, 300}, Trace.NO_BATCH, null, null)
                .build();

        assertThat(trace.types()).containsExactly("1 vCPU / 1.75 GiB", "0.25 vCPU / 300 MiB", "2 vCPU / 3.5 GiB");
        assertThat(IntStream.range(0, 4).mapToObj(trace::id)).containsExactly("a", null, "c", "d");
        assertThat(IntStream.range(0, 4).map(trace::type)).containsExactly(0, 1, 2, 0);
        assertThat(trace.demand(2, 1)).isEqualTo(3584);
        assertThat(trace.durationNanos(0)).isEqualTo(Trace.UNKNOWN);
        assertThat(trace.batch(3)).isEqualTo(7);
    }

    @Test
    void aTypeHasOneShapeEvenWhereTheSourceNamesSeveralShapesAlike() {
        Trace trace = new TraceBuilder(CPU_MEM)
                .add(0, 1, new long[] {1000, 0}, -1, "small", null)
                .add(1, 1, new long[] {2000, 0}, -1, "small", null)
                .add(2, 1, new long[] {2000, 0}, -1, "big", null)
                .add(3, 1, new long[] {0, 0}, -1, null, null)
                .build();
        assertThat(trace.types()).containsExactly("small (1 vCPU)", "small (2 vCPU)", "big", "no demand");
    }

    @Test
    void namesShapesByUnit() {
        assertThat(ResourceWords.amount("cpu_ppm", 125_000)).isEqualTo("0.125 cpu");
        assertThat(ResourceWords.amount("gpu_milli", 460)).isEqualTo("0.46 GPU");
        assertThat(ResourceWords.amount("disk_mib", 10_240)).isEqualTo("10 GiB disk");
        assertThat(ResourceWords.amount("mem_mib", 30_517)).isEqualTo("29.8 GiB");
        assertThat(ResourceWords.of(List.of("mem_mib"), new long[] {30_517})).isEqualTo("30517 MiB");
        assertThat(ResourceWords.amount("slots", 1)).isEqualTo("1 slots");
        assertThat(ResourceWords.amount("net_mbps", 100)).isEqualTo("100 mbps net");
    }

    @Test
    void refusesWhatIsNoRequest() {
        TraceBuilder builder = new TraceBuilder(CPU_MEM);
        assertThatThrownBy(() -> builder.add(-1, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.add(1, -2, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.add(1, 1, 1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.add(1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void workloadGivesTheRequestsInOrderWhateverTheSeed() {
        Trace trace = new TraceBuilder(List.of("slots"))
                .add(5, 0, 1)
                .add(3, Trace.UNKNOWN, 2)
                .build();
        TraceWorkload workload = new TraceWorkload(trace);
        for (long seed = 0; seed < 3; seed++) {
            RequestStream stream = workload.open(seed);
            assertThat(stream.next()).isTrue();
            assertThat(stream.arrivalNanos()).isEqualTo(3);
            assertThat(stream.workNanos()).isEqualTo(RequestStream.ENDLESS);
            assertThat(stream.demand(0)).isEqualTo(2);
            assertThat(workload.types().get(stream.type())).isEqualTo("2 slots");
            assertThat(stream.next()).isTrue();
            assertThat(stream.arrivalNanos()).isEqualTo(5);
            assertThat(stream.workNanos()).isEqualTo(1);
            assertThat(stream.next()).isFalse();
            assertThat(stream.next()).isFalse();
        }
    }

    @Test
    void indexSortAgreesWithTheLibrary() {
        long seed = 7;
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            int size = random.nextInt(200);
            long[] keys = random.longs(size, 0, 20).toArray();
            int[] expected = IntStream.range(0, size)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> keys[i]))
                    .mapToInt(i -> i)
                    .toArray();
            for (long bytes : new long[] {0, Long.MAX_VALUE}) {
                ColumnSpace space = new ColumnSpace(bytes, 64);
                LongColumn column = new LongColumn(space);
                for (long key : keys) {
                    column.add(key);
                }
                LongColumn order = IndexSort.byKey(column, space);
                assertThat(IntStream.range(0, size).map(i -> (int) order.get(i)))
                        .as("seed " + seed + ", round " + round)
                        .containsExactly(Arrays.stream(expected).boxed().toArray(Integer[]::new));
            }
        }
    }

    @Test
    void shapeTableAgreesWithAList() {
        long seed = 11;
        SplittableRandom random = new SplittableRandom(seed);
        ShapeTable table = new ShapeTable(2);
        List<List<Long>> seen = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            long[] demand = {random.nextInt(40), random.nextInt(40)};
            int name = random.nextInt(2) - 1;
            List<Long> shape = List.of(demand[0], demand[1], (long) name);
            if (!seen.contains(shape)) {
                seen.add(shape);
            }
            assertThat(table.number(demand, name))
                    .as("seed " + seed + ", step " + i)
                    .isEqualTo(seen.indexOf(shape));
        }
    }
}
