package dev.stowage.study.fgd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GpuScoresTest {
    private final GpuServer server = new GpuServer("s", 64_000, 100, 4, 0);

    /** Left are 56 of 128 processors and 3 of 8 GPUs: 100 (1 - .5 x 56 / 128 - .5 x 3 / 8) = 59.375. */
    @Test
    void bestFit() {
        assertThat(GpuBaselines.bestFit(server, GpuCases.request(8000, 1, 1000, 0)))
                .isEqualTo(59);
    }

    /** 64 / 128 x 8 / 128 + 4 / 8 x 1 / 8 = .09375: 100 (1 - .09375 / 2) = 95.3. */
    @Test
    void dotProduct() {
        assertThat(GpuBaselines.dotProduct(server, GpuCases.request(8000, 1, 1000, 0)))
                .isEqualTo(95);
    }

    /**
     * An empty server has 25 and its fill (4 of 8 are not free: 12); with one kind of its own 75, with another 0,
     * with both 50.
     */
    @Test
    void clustering() {
        GpuRequest part = GpuCases.request(0, 1, 500, 0);
        GpuRequest whole = GpuCases.request(0, 1, 1000, 1);
        assertThat(GpuBaselines.clustering(server, part)).isEqualTo(25 + 12);
        server.take(part, 0);
        assertThat(GpuBaselines.clustering(server, part)).isEqualTo(75 + 14);
        assertThat(GpuBaselines.clustering(server, whole)).isEqualTo(14);
        server.take(whole, -1);
        assertThat(GpuBaselines.clustering(server, whole)).isEqualTo(50 + 17);
        assertThat(GpuBaselines.clustering(server, GpuCases.request(1, 0, 0, 2)))
                .isZero();
    }

    /** Empty: 33 - 4. In use, a free GPU opened: 50 - 1. On a GPU in use with half free: 100 - 50 / 10. */
    @Test
    void packing() {
        GpuRequest part = GpuCases.request(0, 1, 500, 0);
        assertThat(GpuBaselines.packing(server, part)).isEqualTo(29);
        server.take(part, 0);
        assertThat(GpuBaselines.packing(server, GpuCases.request(0, 1, 600, 1))).isEqualTo(49);
        assertThat(GpuBaselines.packing(server, part)).isEqualTo(95);
    }

    /**
     * The target is half a GPU and one GPU, equally often. Empty, all four GPUs can be used by both: no fragments.
     * With .5 on one, its other half is of no use to the whole ones: .5 x 500 = 250 thousandths. d = -250: 100 / (1
     * + e^.25) = 43.8.
     */
    @Test
    void fragmentation() {
        List<GpuRequest> list = List.of(GpuCases.request(0, 1, 500, 0), GpuCases.request(0, 1, 1000, 1));
        assertThat(new FragmentationGradient(list, true).score(server, list.get(0)))
                .isEqualTo(43);
        FragmentationGradient exact = new FragmentationGradient(list, false);
        assertThat(exact.score(server, list.get(0))).isEqualTo(-250);
        server.take(list.get(0), 0);
        assertThat(exact.score(server, list.get(0))).isEqualTo(250);
        assertThat(exact.gpuFor(server, list.get(0))).isZero();
    }

    /**
     * Parts are .5 alone, with one processor. So a rest of .7 ends as .2, one of .3 stays, one of .5 fills up.
     * Putting .5 on an empty GPU loses nothing, putting .3 there loses .2 (.7 takes a .5). Where .5 is free, .3
     * loses .2 as well: a tie, and the first GPU has it.
     */
    @Test
    void fillOfRests() {
        FillPotential fill = new FillPotential();
        GpuRequest half = GpuCases.request(1000, 1, 500, 0);
        GpuRequest third = GpuCases.request(1000, 1, 300, 1);
        for (int i = 0; i < 50; i++) {
            fill.arrived(half);
        }
        assertThat(fill.version()).isEqualTo(1);
        assertThat(fill.score(server, half)).isZero();
        assertThat(fill.score(server, third)).isEqualTo(-200);
        server.take(half, 1);
        assertThat(fill.score(server, third)).isEqualTo(-200);
        assertThat(fill.gpuFor(server, third)).isZero();
        assertThat(fill.gpuFor(server, half)).isZero();
    }

    /**
     * Whole GPUs with 10 or 30 processors, as often: with 20 per GPU all can be used, with 5 half of them. A
     * request without GPUs for 30 of 80 processors leaves 50 for 4 GPUs, 12.5 each: one half, and (12.5 - 5) / 15
     * of the other. Before: all.
     */
    @Test
    void fillOfProcessors() {
        FillPotential fill = new FillPotential();
        for (int i = 0; i < 50; i++) {
            fill.arrived(GpuCases.request(i % 2 == 0 ? 10_000 : 30_000, 1, 1000, i % 2));
        }
        GpuServer eighty = new GpuServer("s", 80_000, 100, 4, 0);
        assertThat(fill.score(eighty, GpuCases.request(30_000, 0, 0, 2))).isCloseTo(-1000, within(1e-6));
        assertThat(fill.score(eighty, GpuCases.request(0, 0, 0, 3))).isZero();
    }

    /** Three parts of .6 on two GPUs: no two share one, so 1.2 of 2 GPUs; with a .4 besides, 1.6. */
    @Test
    void bound() {
        List<GpuServer> two = List.of(new GpuServer("s", 64_000, 100, 2, 0));
        List<GpuRequest> arrivals = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            arrivals.add(GpuCases.request(1000, 1, 600, 0));
        }
        assertThat(GpuBound.of(GpuCases.sequence(two, List.copyOf(arrivals)))).isCloseTo(60, within(0.011));
        arrivals.add(GpuCases.request(1000, 1, 400, 1));
        assertThat(GpuBound.of(GpuCases.sequence(two, arrivals))).isCloseTo(80, within(0.011));
    }

    /** No policy is above the bound. */
    @Test
    void nothingIsAboveTheBound() {
        for (long seed = 0; seed < 20; seed++) {
            double bound = GpuBound.of(GpuCases.random(seed));
            for (GpuPolicies policy : GpuPolicies.values()) {
                assertThat(policy.run(GpuCases.random(seed)).allocated())
                        .as("seed %d, %s", seed, policy.key())
                        .isLessThanOrEqualTo(bound);
            }
        }
    }
}
