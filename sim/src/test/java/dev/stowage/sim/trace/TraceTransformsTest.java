package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceTransformsTest {
    private static final long SECOND = 1_000_000_000L;

    /** Arrivals at 0, 10, ..., 90 s, each lasting 25 s, the one at 20 s without end. */
    private static Trace tenRequests() {
        TraceBuilder builder = new TraceBuilder(List.of("cpu_milli", "mem_mib"));
        for (int i = 0; i < 10; i++) {
            long duration = i == 2 ? Trace.UNKNOWN : 25 * SECOND;
            builder.add(10L * i * SECOND, duration, new long[] {1000 + i, 2048}, i / 2, null, "r" + i);
        }
        return builder.build();
    }

    private static List<String> ids(Trace trace) {
        return IntStream.range(0, trace.size())
                .mapToObj(trace::id)
                .map(String::valueOf)
                .toList();
    }

    @Test
    void trafficScalingDividesArrivalsOnly() {
        Trace scaled = TraceTransforms.scaleTraffic(tenRequests(), 1.6);
        // 90 s / 1.6 = 56.25 s
        assertThat(scaled.lastArrivalNanos()).isEqualTo(56_250_000_000L);
        assertThat(scaled.durationNanos(9)).isEqualTo(25 * SECOND);
        assertThat(ids(scaled)).isEqualTo(ids(tenRequests()));
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e-300}) {
            assertThatThrownBy(() -> TraceTransforms.scaleTraffic(tenRequests(), bad))
                    .isInstanceOf(TraceException.class);
        }
    }

    @Test
    void windowTakesArrivalsInsideAndRebases() {
        Trace cut = TraceTransforms.window(tenRequests(), 30 * SECOND, 60 * SECOND, false);
        assertThat(ids(cut)).containsExactly("r3", "r4", "r5");
        assertThat(cut.firstArrivalNanos()).isZero();
        assertThat(cut.lastArrivalNanos()).isEqualTo(20 * SECOND);
    }

    @Test
    void windowMayKeepWhatStillRuns() {
        // At 30 s: r0 ended at 25; r1 runs until 35 (5 s left); r2 has no end.
        Trace cut = TraceTransforms.window(tenRequests(), 30 * SECOND, 40 * SECOND, true);
        assertThat(ids(cut)).containsExactly("r1", "r2", "r3");
        assertThat(cut.durationNanos(0)).isEqualTo(5 * SECOND);
        assertThat(cut.durationNanos(1)).isEqualTo(Trace.UNKNOWN);
        assertThat(cut.lastArrivalNanos()).isZero();
        // A request that ends exactly at the window's start does not run in it.
        assertThat(ids(TraceTransforms.window(tenRequests(), 35 * SECOND, 41 * SECOND, true)))
                .containsExactly("r2", "r3", "r4");
    }

    @Test
    void emptyOrWrongWindowsAreRefused() {
        assertThatThrownBy(() -> TraceTransforms.window(tenRequests(), 91 * SECOND, 95 * SECOND, false))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("91 s to 95 s")
                .hasMessageContaining("0 s to 90 s");
        assertThatThrownBy(() -> TraceTransforms.window(tenRequests(), 5, 5, false))
                .isInstanceOf(TraceException.class);
        assertThatThrownBy(() -> TraceTransforms.window(tenRequests(), -1, 5, false))
                .isInstanceOf(TraceException.class);
    }

    @Test
    void rebaseStartsAtZero() {
        Trace late =
                new TraceBuilder(List.of("slots")).add(70, 1, 1).add(75, 1, 1).build();
        Trace rebased = TraceTransforms.rebase(late);
        assertThat(rebased.firstArrivalNanos()).isZero();
        assertThat(rebased.lastArrivalNanos()).isEqualTo(5);
    }

    @Test
    void timeBeginsWithTheFirstArrivalUnlessSaidOtherwise() {
        Trace late = new TraceBuilder(List.of("slots"))
                .add(7000 * SECOND, SECOND, 1)
                .add(7005 * SECOND, SECOND, 1)
                .add(7100 * SECOND, SECOND, 1)
                .build();
        assertThat(TracePart.ALL.of(late).firstArrivalNanos()).isZero();
        // The end of a part stands on the trace's own clock, whatever becomes time 0.
        Trace first = new TracePart(null, 7100 * SECOND, false, 1, 1, 2, List.of()).of(late);
        assertThat(first.firstArrivalNanos()).isZero();
        assertThat(first.lastArrivalNanos()).isEqualTo(5 * SECOND / 2);
        Trace kept = new TracePart(0L, null, false, 1, 1, 1, List.of()).of(late);
        assertThat(kept.firstArrivalNanos()).isEqualTo(7000 * SECOND);
        Trace cut = new TracePart(7001 * SECOND, null, false, 1, 1, 1, List.of()).of(late);
        assertThat(cut.firstArrivalNanos()).isEqualTo(4 * SECOND);
    }

    @Test
    void samplingKeepsBatchesWholeAndAboutThePart() {
        TraceBuilder builder = new TraceBuilder(List.of("slots"));
        for (int i = 0; i < 30_000; i++) {
            builder.add(i, 1, new long[] {1}, i < 20_000 ? i / 4 : Trace.NO_BATCH, null, null);
        }
        Trace trace = builder.build();
        Trace sample = TraceTransforms.sampleBatches(trace, 0.3, 42);
        Map<Long, Integer> sizes = new HashMap<>();
        for (int i = 0; i < sample.size(); i++) {
            sizes.merge(sample.batch(i), 1, Integer::sum);
        }
        int alone = sizes.remove(Trace.NO_BATCH);
        assertThat(sizes.values()).containsOnly(4);
        // 5,000 batches and 10,000 singles, binomial: standard deviations 32 and 46; five of them
        assertThat(sizes.size()).isBetween(1500 - 162, 1500 + 162);
        assertThat(alone).isBetween(3000 - 230, 3000 + 230);
        assertThat(Sources.dump(TraceTransforms.sampleBatches(trace, 0.3, 42))).isEqualTo(Sources.dump(sample));
        assertThat(Sources.dump(TraceTransforms.sampleBatches(trace, 0.3, 43))).isNotEqualTo(Sources.dump(sample));
        assertThat(TraceTransforms.sampleBatches(trace, 1, 1).size()).isEqualTo(30_000);
        for (double bad : new double[] {0, -0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> TraceTransforms.sampleBatches(trace, bad, 1))
                    .isInstanceOf(TraceException.class);
        }
        assertThatThrownBy(() -> TraceTransforms.sampleBatches(trace, 1e-12, 1))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("no request");
    }

    @Test
    void singleResourceIsTheLargestPartOfAServer() {
        Trace trace = new TraceBuilder(List.of("cpu_milli", "mem_mib"))
                .add(0, 1, 1000, 1024)
                .add(1, 1, 2000, 2)
                .add(2, 1, 0, 0)
                .build();
        // Server 48000 / 3000: 1000/48000 = .0208, 1024/3000 = .341333 -> 341334; 2000/48000 = .0416666 -> 41667
        Trace single = TraceTransforms.singleResource(trace, 48_000, 3_000);
        assertThat(single.resources()).containsExactly("size_ppm");
        assertThat(single.demand(0, 0)).isEqualTo(341_334);
        assertThat(single.demand(1, 0)).isEqualTo(41_667);
        assertThat(single.demand(2, 0)).isZero();
        assertThatThrownBy(() -> TraceTransforms.singleResource(trace, 48_000, 0))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("1 vCPU / 1 GiB demands 1024 of mem_mib");
        assertThatThrownBy(() -> TraceTransforms.singleResource(trace, 1)).isInstanceOf(TraceException.class);
    }

    /**
     * Shares of a server of 8 cores and 32 GiB: c 3/4, b 1/2 of both resources, a 1/2 of the cores, d 1/8. All but d
     * are of about one size: the one of c and the one of b are in the middle, between the two of a.
     */
    @Test
    void theLargestOfAnInventoryComeFirst() {
        List<String> rows = new ArrayList<>(List.of("d", "a2", "c", "b", "a"));
        Map<String, long[]> demand = Map.of(
                "a", new long[] {4000, 4096},
                "a2", new long[] {4000, 4096},
                "b", new long[] {4000, 16_384},
                "c", new long[] {1000, 24_576},
                "d", new long[] {1000, 1024});
        for (int round = 0; round < rows.size(); round++) {
            Collections.rotate(rows, 1);
            TraceBuilder builder = new TraceBuilder(List.of("cpu_milli", "mem_mib"));
            for (String id : rows) {
                builder.add(0, Trace.UNKNOWN, demand.get(id), Trace.NO_BATCH, null, id);
            }
            Trace sorted = TraceTransforms.largestFirst(builder.build(), 8000, 32_768);
            assertThat(ids(sorted)).containsExactly("a", "c", "b", "a2", "d");
        }
    }
}
