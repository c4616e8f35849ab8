package dev.stowage.study.fgd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GoRandomTest {
    /** What a Go program prints that draws rand.Intn(100) ten times from seed 1. */
    @Test
    void drawsWhatGoDraws() {
        GoRandom random = new GoRandom(1);
        assertThat(IntStream.range(0, 10).map(i -> random.below(100)))
                .containsExactly(81, 87, 47, 59, 81, 18, 25, 40, 56, 0);
    }

    @Test
    void aPermutationHasEveryNumberOnce() {
        assertThat(new GoRandom(42).permutation(100))
                .containsExactlyInAnyOrder(IntStream.range(0, 100).toArray());
    }

    @Test
    void shufflesKeepWhatThereIs() {
        List<Integer> list = new ArrayList<>(IntStream.range(0, 50).boxed().toList());
        new GoRandom(7).shuffle(list);
        assertThat(list)
                .doesNotHaveDuplicates()
                .hasSize(50)
                .isNotEqualTo(IntStream.range(0, 50).boxed().toList());
    }
}
