package dev.stowage.study.fgd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class GpuRunTest {
    private static final List<Function<GpuSequence, GpuPolicy>> POLICIES = List.of(
            sequence -> GpuBaselines::firstFit,
            sequence -> GpuBaselines::bestFit,
            sequence -> GpuBaselines::dotProduct,
            sequence -> GpuBaselines::clustering,
            sequence -> GpuBaselines::packing,
            sequence -> new FragmentationGradient(sequence.list(), true),
            sequence -> new FragmentationGradient(sequence.list(), false),
            sequence -> new FillPotential());

    /** The slow twin: every server's score is worked out anew for every arrival. */
    private static GpuRun slow(GpuSequence sequence, GpuPolicy policy) {
        return GpuRun.run(sequence, policy, request -> {
            int best = -1;
            double bestScore = 0;
            for (int i = 0; i < sequence.servers().size(); i++) {
                GpuServer server = sequence.servers().get(i);
                if (server.fits(request)) {
                    double score = policy.score(server, request);
                    if (best < 0 || score > bestScore) {
                        best = i;
                        bestScore = score;
                    }
                }
            }
            return best;
        });
    }

    @Test
    void scoresThatAreKeptDecideAsScoresWorkedOutAnew() {
        for (long seed = 0; seed < 40; seed++) {
            for (int p = 0; p < POLICIES.size(); p++) {
                GpuSequence fast = GpuCases.random(seed);
                GpuSequence slow = GpuCases.random(seed);
                GpuRun run = GpuRun.of(fast, POLICIES.get(p).apply(fast));
                assertThat(run.servers())
                        .as("seed %d, policy %d", seed, p)
                        .isEqualTo(slow(slow, POLICIES.get(p).apply(slow)).servers());
                check(fast, run);
            }
        }
    }

    /** No GPU, processor or memory is given away twice, and what is free and what runs make up the server. */
    private static void check(GpuSequence sequence, GpuRun run) {
        for (int i = 0; i < sequence.servers().size(); i++) {
            GpuServer server = sequence.servers().get(i);
            int number = i;
            List<GpuRequest> here = java.util.stream.IntStream.range(0, run.servers().length)
                    .filter(a -> run.servers()[a] == number)
                    .mapToObj(a -> sequence.arrivals().get(a))
                    .toList();
            assertThat(Arrays.stream(server.free).boxed()).allMatch(free -> free >= 0 && free <= GpuServer.WHOLE);
            assertThat(Arrays.stream(server.free).sum()).isEqualTo(server.freeMilli);
            assertThat(server.freeMilli
                            + here.stream().mapToInt(GpuRequest::milli).sum())
                    .isEqualTo(server.free.length * GpuServer.WHOLE);
            assertThat(server.freeCpuMilli
                            + here.stream().mapToInt(GpuRequest::cpuMilli).sum())
                    .isEqualTo(server.cpuMilli);
            assertThat(server.freeCpuMilli).isNotNegative();
            assertThat(server.freeMemoryMib).isNotNegative();
            assertThat(here).allMatch(request -> request.gpus() == 0 || request.mayUse(server.model));
        }
        assertThat(Arrays.stream(run.lost()).sum()).isEqualTo((int)
                Arrays.stream(run.servers()).filter(at -> at < 0).count());
    }

    /**
     * Two GPUs: .6 and .5 need one each, .4 joins .6 (the fullest that fits), 1 is lost, and a request without GPU
     * fits.
     */
    @Test
    void byHand() {
        GpuServer server = new GpuServer("s", 10_000, 100, 2, 0);
        GpuRun run = GpuRun.of(
                GpuCases.sequence(
                        List.of(server),
                        List.of(
                                GpuCases.request(1000, 1, 600, 0),
                                GpuCases.request(1000, 1, 500, 1),
                                GpuCases.request(1000, 1, 400, 2),
                                GpuCases.request(1000, 1, 1000, 3),
                                GpuCases.request(6000, 0, 0, 4))),
                GpuBaselines::firstFit);
        assertThat(server.free).containsExactly(0, 500);
        assertThat(run.servers()).containsExactly(0, 0, 0, -1, 0);
        assertThat(run.lost()[1]).isEqualTo(1);
        assertThat(run.allocated()).isEqualTo(75);
    }

    /** Whole ones take the lowest that are free; equal scores go to the first server, or to the last if asked. */
    @Test
    void ties() {
        List<GpuRequest> one = List.of(GpuCases.request(0, 2, 1000, 0));
        GpuServer first = new GpuServer("a", 1000, 1, 3, 0);
        GpuServer last = new GpuServer("b", 1000, 1, 3, 0);
        assertThat(GpuRun.of(GpuCases.sequence(List.of(first, last), one), GpuBaselines::bestFit)
                        .servers())
                .containsExactly(0);
        assertThat(first.free).containsExactly(0, 0, 1000);
        assertThat(GpuRun.lastOfTies(GpuCases.sequence(List.of(first.empty(), last), one), GpuBaselines::bestFit)
                        .servers())
                .containsExactly(1);
    }
}
