package dev.stowage.policies.bestfit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import org.junit.jupiter.api.Test;

/** Adaptive J on servers of 64: a size of 1 is 2^-6, of 2 is 2^-5, of 32 is 2^-1. */
class LevelsTest {
    private final Engine engine = Engine.start(
            Cluster.single(1_000, 64), PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
    private final ServerFamilies families = new ServerFamilies(engine.view());
    private long ids;

    private Levels levels(int fixed, double epsilon) {
        return new Levels(engine.view(), new Levels.Rule(fixed, epsilon));
    }

    private void arrive(Levels levels, int count, long size) {
        for (int k = 0; k < count; k++) {
            engine.arrive(0, ids, -1, new long[] {size}, new long[0], 0);
            levels.arrived(engine.view(), families, engine.find(ids++));
        }
    }

    private int after(Levels levels, int count, long size) {
        arrive(levels, count, size);
        return levels.levels(engine.view(), families);
    }

    /**
     * The smallest J for which less than epsilon of the requests have at most 2^-J: 1/8 of 64 is 8, which is not less.
     */
    @Test
    void adaptiveIsTheSmallestWithLessThanEpsilonAtMostThatSize() {
        Levels seven = levels(0, 0.125);
        arrive(seven, 7, 1);
        assertThat(after(seven, 57, 32)).isEqualTo(2);

        Levels eight = levels(0, 0.125);
        arrive(eight, 8, 1);
        assertThat(after(eight, 56, 32)).isEqualTo(7);

        // 4 of 2^-6 and 4 of 2^-5: those of at most 2^-5 are 8, those of at most 2^-6 are 4, so J = 6.
        Levels mixed = levels(0, 0.125);
        arrive(mixed, 4, 1);
        arrive(mixed, 4, 2);
        assertThat(after(mixed, 56, 32)).isEqualTo(6);
    }

    /** At 64, 128, 256 requests, not between. */
    @Test
    void adaptiveLooksWhenTheNumberHasDoubled() {
        Levels levels = levels(0, 0.125);
        assertThat(after(levels, 63, 1)).isEqualTo(2);
        assertThat(after(levels, 1, 1)).isEqualTo(7);
        // Of 1024 the small ones are 1/16, but J never falls.
        assertThat(after(levels, 1_000, 32)).isEqualTo(7);

        Levels late = levels(0, 0.125);
        assertThat(after(late, 64, 32)).isEqualTo(2);
        assertThat(after(late, 63, 1)).isEqualTo(2);
        assertThat(after(late, 1, 1)).isEqualTo(7);
    }

    @Test
    void autoFollowsTheSmallestSize() {
        Levels levels = levels(0, 0);
        assertThat(after(levels, 1, 32)).isEqualTo(2);
        assertThat(after(levels, 1, 4)).isEqualTo(4);
        assertThat(after(levels, 1, 3)).isEqualTo(5);
        assertThat(after(levels, 1, 0)).isEqualTo(5);
        assertThat(after(levels, 1, 1)).isEqualTo(6);
    }

    @Test
    void fixedIsWhatWasGiven() {
        assertThat(after(levels(3, 0), 100, 1)).isEqualTo(3);
        assertThat(after(levels(1, 0), 100, 1)).isEqualTo(2);
    }
}
