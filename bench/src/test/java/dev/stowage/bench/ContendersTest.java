package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender that is on the class path; with the profile {@code peers} also the other systems. */
class ContendersTest {
    private static final long MINUTE = 60_000_000_000L;

    static List<Contender> contenders() {
        return Contenders.all();
    }

    @ParameterizedTest
    @MethodSource("contenders")
    void placesEverythingThatFitsAndFreesItAgain(Contender contender) {
        BenchWorkload workload = BenchWorkload.generate(20, 2000, 1);
        Result result = contender.run(workload, 20, MINUTE);
        assertThat(result.arrived()).isEqualTo(2000);
        assertThat(result.departed()).isEqualTo(result.placed());
        // Mean 188 in service if none is rejected; a peak beyond 4 standard deviations above it would be no Poisson
        // number.
        assertThat(result.peakLive()).isBetween(150, 188 + 4 * 14);
        assertThat(result.memUse()).isBetween(0.4, 1.0);
        // Without its cores a request may be put where cores are short, so their use can pass 1 there.
        assertThat(result.cpuUse()).isBetween(0.4, contender.name().contains("memory only") ? 1.5 : 1.0);
        assertThat(result.rejected()).isLessThan(200);
    }

    @ParameterizedTest
    @MethodSource("contenders")
    void rejectsOrQueuesWhatFitsNowhere(Contender contender) {
        // One server of 48 cores and 128 GiB. At 1 s, 2 s and 3 s requests of 16 cores and 56 GiB for an hour: the
        // third
        // finds 16 GiB. At 2 h one of 1 core finds it empty.
        long second = 1_000_000_000L;
        long hour = 3600 * second;
        BenchWorkload workload = new BenchWorkload(
                new long[] {second, 2 * second, 3 * second, 2 * hour},
                new int[] {16_000, 16_000, 16_000, 1_000},
                new int[] {56 << 10, 56 << 10, 56 << 10, 1 << 10},
                new long[] {hour, hour, hour, hour});
        Result result = contender.run(workload, 1, MINUTE);
        if (contender.name().contains("bf-js")) {
            // The third waits for the first to leave, at 1 h 1 s.
            assertThat(result.rejected()).isZero();
            assertThat(result.peakLive()).isEqualTo(2);
        } else if (contender.name().contains("batch 100")) {
            // All four come at once: two large ones and the small one fit.
            assertThat(result.rejected()).isEqualTo(1);
            assertThat(result.peakLive()).isEqualTo(3);
        } else {
            assertThat(result.rejected()).isEqualTo(1);
            assertThat(result.peakLive()).isEqualTo(2);
            assertThat(result.cpuUse()).isCloseTo(1 / 48.0, within(1e-12));
            assertThat(result.memUse()).isCloseTo(1 / 128.0, within(1e-12));
        }
        assertThat(result.departed()).isEqualTo(4 - result.rejected());
    }

    @ParameterizedTest
    @MethodSource("contenders")
    void stopsWhenTheBudgetIsUsedUp(Contender contender) {
        Result result = contender.run(BenchWorkload.generate(20, 200_000, 1), 20, 1);
        assertThat(result.arrived()).isLessThan(2000);
    }
}
