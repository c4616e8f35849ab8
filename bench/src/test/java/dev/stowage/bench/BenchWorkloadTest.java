package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BenchWorkloadTest {
    @Test
    void meanLiveFollowsTheScarcerResource() {
        // Cores: 1*.40 + 2*.30 + 4*.15 + 8*.10 + 16*.05 = 3.2; GiB per core: 1.75*.5 + 3.5*.4 + 7*.1 = 2.975.
        // Per server: 48 / 3.2 = 15 by cores, 128 / (3.2 * 2.975) = 13.445 by memory. 1000 * 0.7 * 13.445 = 9411.76.
        assertThat(BenchWorkload.meanLive(1000)).isCloseTo(9411.76, within(0.01));
    }

    @Test
    void drawsHaveTheirMeans() {
        int requests = 200_000;
        BenchWorkload workload = BenchWorkload.generate(1000, requests, 7);
        double rate = BenchWorkload.meanLive(1000) / BenchWorkload.MEAN_WORK_NANOS;
        // Standard errors: exponential 1/sqrt(200,000) = 0.22 %; cores 3.57/3.2/447 = 0.25 %; memory 13.6/9.52/447 =
        // 0.32 %.
        assertThat(workload.arrivalNanos()[requests - 1] * rate / requests).isCloseTo(1, within(0.012));
        assertThat(Arrays.stream(workload.workNanos()).average().orElseThrow() / BenchWorkload.MEAN_WORK_NANOS)
                .isCloseTo(1, within(0.012));
        assertThat(Arrays.stream(workload.cpuMilli()).average().orElseThrow() / 3200)
                .isCloseTo(1, within(0.013));
        assertThat(Arrays.stream(workload.memMib()).average().orElseThrow() / (9.52 * 1024))
                .isCloseTo(1, within(0.017));
    }

    @Test
    void shorterWorkloadIsAPrefix() {
        BenchWorkload longer = BenchWorkload.generate(10, 1000, 3);
        BenchWorkload shorter = BenchWorkload.generate(10, 100, 3);
        assertThat(shorter.arrivalNanos()).isEqualTo(Arrays.copyOf(longer.arrivalNanos(), 100));
        assertThat(shorter.memMib()).isEqualTo(Arrays.copyOf(longer.memMib(), 100));
        assertThat(shorter.cpuMilli()).isEqualTo(Arrays.copyOf(longer.cpuMilli(), 100));
        assertThat(shorter.workNanos()).isEqualTo(Arrays.copyOf(longer.workNanos(), 100));
    }
}
