package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TraceStatisticsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3600 * SECOND;

    @Test
    void handComputed() {
        Trace trace = new TraceBuilder(List.of("cpu_milli"))
                .add(0, 2 * HOUR, new long[] {1000}, 1, null, null)
                .add(0, HOUR, new long[] {2000}, 1, null, null)
                .add(HOUR, 3 * HOUR, new long[] {1000}, 2, null, null)
                .add(25 * HOUR, Trace.UNKNOWN, new long[] {1000}, Trace.NO_BATCH, null, null)
                .build();
        TraceStats stats = TraceStatistics.of(trace, 1, 26);

        assertThat(stats.requests()).isEqualTo(4);
        assertThat(stats.lastArrivalS()).isEqualTo(25 * 3600.0);
        assertThat(stats.arrivals().meanPerHour()).isEqualTo(4 / 25.0);
        assertThat(stats.arrivals().perHour())
                .hasSize(26)
                .startsWith(2L, 1L, 0L)
                .endsWith(1L);
        // hours 0 and 24 hold 2 and 0, hours 1 and 25 one each
        assertThat(stats.arrivals().hourOfDay()).startsWith(1.0, 1.0, 0.0);
        // mean 4/26; squares 2^2 + 1 + 1 = 6; variance (6 - 16/26) / 25
        assertThat(Objects.requireNonNull(stats.arrivals().indexOfDispersion()))
                .isCloseTo((6 - 16 / 26.0) / 25 / (4 / 26.0), within(1e-12));

        assertThat(stats.distinctShapes()).isEqualTo(2);
        assertThat(stats.shapes()).hasSize(1);
        TraceStats.ShapeStats top = stats.shapes().get(0);
        assertThat(top.name()).isEqualTo("1 vCPU");
        assertThat(top.count()).isEqualTo(3);
        assertThat(top.share()).isEqualTo(0.75);
        assertThat(top.durations().known()).isEqualTo(2);
        assertThat(top.durations().unknown()).isEqualTo(1);
        assertThat(stats.resources())
                .containsExactly(new TraceStats.ResourceDemands(
                        "cpu_milli", 2, 1250, 2000, List.of(new TraceStats.DemandCount(1000, 3, 0.75))));

        TraceStats.DurationQuantiles all =
                Objects.requireNonNull(stats.durations().quantiles());
        // 1, 2 and 3 hours: the ceil(.5 x 3) = 2nd is the median, the 1st is p25, the 3rd p75
        assertThat(all.p25S()).isEqualTo(3600);
        assertThat(all.p50S()).isEqualTo(7200);
        assertThat(all.p75S()).isEqualTo(10_800);
        assertThat(all.meanS()).isEqualTo(7200);

        assertThat(stats.batches())
                .isEqualTo(new TraceStats.GroupStats(
                        3, 2, 1.5, 2, List.of(new TraceStats.SizeCount(1, 1), new TraceStats.SizeCount(2, 1))));
        assertThat(stats.bursts().groups()).isEqualTo(3);

        TraceStats.Concurrent requests = stats.concurrent().get(0);
        TraceStats.Concurrent cpu = stats.concurrent().get(1);
        assertThat(requests.peak()).isEqualTo(2);
        assertThat(cpu.peak()).isEqualTo(3000);
        assertThat(cpu.peakAtS()).isZero();
        // cpu x hours: 1000 x 2 + 2000 x 1 + 1000 x 3 = 7000 over 25 hours
        assertThat(cpu.mean()).isCloseTo(7000 / 25.0, within(1e-6));
        assertThat(requests.mean()).isCloseTo(6 / 25.0, within(1e-6));
    }

    /** The minute after the last whole hour was an hour with two arrivals: a variance of 14 times the mean. */
    @Test
    void hoursThatWereObservedInPartAreLeftOut() {
        TraceBuilder trace = new TraceBuilder(List.of("slots"));
        for (int minute = 0; minute <= 241; minute++) {
            trace.add(minute * HOUR / 60, Trace.UNKNOWN, 1);
        }
        TraceStats.ArrivalStats arrivals = TraceStatistics.of(trace.build()).arrivals();
        assertThat(arrivals.indexOfDispersion()).isZero();
        assertThat(arrivals.hourOfDay()).startsWith(60.0, 60.0, 60.0, 60.0, null, null);
        TraceBuilder late = new TraceBuilder(List.of("slots"));
        for (int minute = 90; minute < 240; minute++) {
            late.add(minute * HOUR / 60, Trace.UNKNOWN, 1);
        }
        assertThat(TraceStatistics.of(late.build()).arrivals().hourOfDay()).startsWith(null, null, 60.0, 60.0, null);
    }

    @Test
    void oneInstantOnly() {
        Trace trace = new TraceBuilder(List.of("slots"))
                .add(0, Trace.UNKNOWN, 3)
                .add(0, 5, 4)
                .add(0, 0, 100)
                .build();
        TraceStats stats = TraceStatistics.of(trace);
        assertThat(stats.arrivals().meanPerHour()).isEqualTo(3);
        assertThat(stats.arrivals().indexOfDispersion()).isNull();
        // a request of no length is never present
        assertThat(stats.concurrent().get(1).peak()).isEqualTo(7);
        assertThat(stats.concurrent().get(1).mean()).isEqualTo(7);
        assertThat(stats.concurrent().get(1).points()).hasSize(1);
    }

    @Test
    void sweepAgreesWithCountingEveryInstant() {
        long seed = 99;
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            String what = "seed " + seed + ", round " + round;
            TraceBuilder builder = new TraceBuilder(List.of("slots"));
            int size = 1 + random.nextInt(20);
            for (int i = 0; i < size; i++) {
                builder.add(random.nextInt(40), random.nextInt(-1, 30), random.nextInt(5));
            }
            Trace trace = builder.build();
            int points = 1 + random.nextInt(10);
            TraceStats.Concurrent sweep =
                    TraceStatistics.of(trace, 1, points).concurrent().get(1);
            long[] level = levels(trace);
            long peak = 0;
            double sum = 0;
            for (long l : level) {
                peak = Math.max(peak, l);
                sum += l;
            }
            assertThat(sweep.peak()).as(what).isEqualTo(peak);
            assertThat(sweep.mean()).as(what).isCloseTo(sum / level.length, within(1e-9));
            assertThat(sweep.points().size()).as(what).isLessThanOrEqualTo(points);
            int width = (level.length - 1) / points + 1;
            for (int p = 0; p < sweep.points().size(); p++) {
                int end = Math.min(level.length, (p + 1) * width);
                long max = 0;
                double area = 0;
                for (int t = p * width; t < end; t++) {
                    max = Math.max(max, level[t]);
                    area += level[t];
                }
                assertThat(sweep.points().get(p).max()).as(what).isEqualTo(max);
                assertThat(sweep.points().get(p).mean()).as(what).isCloseTo(area / (end - p * width), within(1e-9));
            }
        }
    }

    /** What is present in each nanosecond from 0 to the last arrival. */
    private static long[] levels(Trace trace) {
        long[] level = new long[(int) trace.lastArrivalNanos() + 1];
        for (int t = 0; t < level.length; t++) {
            for (int i = 0; i < trace.size(); i++) {
                long start = trace.arrivalNanos(i);
                long duration = trace.durationNanos(i);
                boolean present = start <= t && (duration == Trace.UNKNOWN || t < start + duration);
                level[t] += present ? trace.demand(i, 0) : 0;
            }
        }
        return level;
    }
}
