package dev.stowage.study.fgd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.ServerBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GpuRunTest {
    /**
     * Two GPUs: .6 and .5 need one each, .4 joins .6 (the fullest that fits), 1 is lost, and a request without GPU
     * fits.
     */
    @Test
    void byHand() {
        GpuRun run = GpuPolicies.FIRST_FIT.run(GpuCases.sequence(
                List.of(GpuCases.server("s", "a", 10_000, 2)),
                List.of(
                        GpuCases.request(1000, 600),
                        GpuCases.request(1000, 500),
                        GpuCases.request(1000, 400),
                        GpuCases.request(1000, 1000),
                        GpuCases.request(6000, 0))));
        assertThat(run.servers()).containsExactly(0, 0, 0, -1, 0);
        assertThat(run.lost()[1]).isEqualTo(1);
        assertThat(run.allocated()).isEqualTo(75);
    }

    /** What is allocated and what is lost is all that was asked for. */
    @ParameterizedTest
    @EnumSource
    void nothingGetsLostOtherwise(GpuPolicies policy) {
        for (long seed = 0; seed < 20; seed++) {
            GpuSequence sequence = GpuCases.random(seed);
            GpuRun run = policy.run(sequence);
            int lost = 0;
            int placed = 0;
            for (int server : run.servers()) {
                lost += server < 0 ? 1 : 0;
                placed += server >= 0 ? 1 : 0;
            }
            int counted = 0;
            for (int each : run.lost()) {
                counted += each;
            }
            assertThat(counted).isEqualTo(lost);
            assertThat(placed + lost).isEqualTo(sequence.arrivals().size());
        }
    }

    /** Three parts of .6 on two GPUs: no two share one, so 1.2 of 2 GPUs; with a .4 besides, 1.6. */
    @Test
    void bound() {
        List<ServerBlock> two = List.of(GpuCases.server("s", "a", 64_000, 2));
        List<NewRequest> arrivals = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            arrivals.add(GpuCases.request(1000, 600));
        }
        assertThat(GpuBound.of(GpuCases.sequence(two, arrivals))).isCloseTo(60, within(0.011));
        arrivals.add(GpuCases.request(1000, 400));
        assertThat(GpuBound.of(GpuCases.sequence(two, arrivals))).isCloseTo(80, within(0.011));
    }

    /** No policy is above the bound. */
    @ParameterizedTest
    @EnumSource
    void nothingIsAboveTheBound(GpuPolicies policy) {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(policy.run(GpuCases.random(seed)).allocated())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(GpuBound.of(GpuCases.random(seed)));
        }
    }
}
