package dev.stowage.policies.baseline;

import static dev.stowage.policies.Rig.GONE;
import static dev.stowage.policies.Rig.WAITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Rig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Packings worked out by hand on servers of capacity 10. */
class BaselinesTest {
    private static final Map<String, String> QUEUE = Map.of("when-full", "queue");

    @Test
    void firstFitTakesTheFirstAndBestFitTheTightest() {
        // 5 goes to server 0; 7 does not fit beside it (5 + 7 > 10) and goes to server 1. Free: 5 and 3.
        // Request 3 fits both: first fit takes server 0, best fit server 1, of which nothing is left over.
        assertThat(Rig.continuous("first-fit", Map.of(), 2, 10).arrive(5, 7, 3).servers())
                .containsExactly(0, 1, 0);
        assertThat(Rig.continuous("best-fit", Map.of(), 2, 10).arrive(5, 7, 3).servers())
                .containsExactly(0, 1, 1);
    }

    @Test
    void withoutAQueueWhatDoesNotFitIsRejected() {
        // 6 + 5 > 10, 6 + 4 = 10 exactly.
        for (String policy : new String[] {"first-fit", "best-fit"}) {
            Rig rig = Rig.continuous(policy, Map.of(), 1, 10);
            assertThat(rig.arrive(6, 5, 4).servers()).as("%s", rig).containsExactly(0, GONE, 0);
        }
    }

    @Test
    void withAQueueSmallRequestsPassLargeOnes() {
        for (String policy : new String[] {"first-fit", "best-fit"}) {
            // 6 is placed, 9 and 5 wait, 4 fits (6 + 4 = 10), 1 waits.
            Rig rig = Rig.continuous(policy, QUEUE, 1, 10).arrive(6, 9, 5, 4, 1);
            assertThat(rig.servers()).as("%s", rig).containsExactly(0, WAITS, WAITS, 0, WAITS);
            // 6 leaves, 6 are free: 9 does not fit, 5 does, then 1 does (4 + 5 + 1 = 10).
            assertThat(rig.leave(0).servers()).as("%s", rig).containsExactly(GONE, WAITS, 0, 0, 0);
        }
    }

    @Test
    void fifoHoldsEverybodyUpBehindTheHead() {
        // 6 is placed, 5 waits (6 + 5 > 10), 4 would fit but waits behind 5.
        Rig rig = Rig.continuous("fifo-ff", Map.of(), 1, 10).arrive(6, 5, 4);
        assertThat(rig.servers()).containsExactly(0, WAITS, WAITS);
        // 6 leaves: 5 + 4 = 9 fit.
        assertThat(rig.leave(0).servers()).containsExactly(GONE, 0, 0);
        // 9 waits for both to leave; when it gives up, 1 behind it is the head and fits (9 + 1 = 10).
        rig.arrive(9, 1);
        assertThat(rig.servers()).containsExactly(GONE, 0, 0, WAITS, WAITS);
        assertThat(rig.leave(3).servers()).containsExactly(GONE, 0, 0, GONE, 0);
    }

    @Test
    void fifoTakesTheFirstServerWithRoom() {
        // 8 on server 0, 5 on server 1; 2 fits server 0.
        assertThat(Rig.continuous("fifo-ff", Map.of(), 2, 10).arrive(8, 5, 2).servers())
                .containsExactly(0, 1, 0);
    }

    @Test
    void scoresInTwoResources() {
        // (6, 1) goes to server 0, (5, 6) does not fit beside it (6 + 5 > 10) and goes to server 1. Then (3, 1) has the
        // scores
        // occupied:  .3 * .6 + .1 * .1 = .19 against .3 * .5 + .1 * .6 = .21: server 1
        // available: .3 * .4 + .1 * .9 = .21 against .3 * .5 + .1 * .4 = .19: server 0
        // leftover:  (.3 - .4) + (.1 - .9) = -.9 against (.3 - .5) + (.1 - .4) = -.5: server 1
        // mix:       .19 - .9 against .21 - .5: server 1
        // even, left over .1 and .8 against .2 and .3: .9 - 4 * .8 = -2.3 against .5 - 4 * .3 = -.7: server 1
        assertThat(packed("occupied")).containsExactly(0, 1, 1);
        assertThat(packed("available")).containsExactly(0, 1, 0);
        assertThat(packed("leftover")).containsExactly(0, 1, 1);
        assertThat(packed("mix")).containsExactly(0, 1, 1);
        assertThat(packed("even")).containsExactly(0, 1, 1);
    }

    @Test
    void evenlyFilledBeforeFull() {
        // (8, 1) on server 0, (3, 4) does not fit beside it. (1, 1) would leave (1, 8) or (6, 5): less in all on server
        // 0,
        // .9 against 1.1, but even scores .9 - 4 * .8 = -2.3 against 1.1 - 4 * .6 = -1.3: server 1.
        for (String score : List.of("leftover", "even")) {
            assertThat(Rig.continuous("best-fit", Map.of("score", score), 2, 10, 10)
                            .arrive(8, 1, 3, 4, 1, 1)
                            .servers())
                    .containsExactly(0, 1, score.equals("even") ? 1 : 0);
        }
    }

    @Test
    void emptyServersAreLastThoughEven() {
        // (1, 0) beside (8, 0) would leave .1 and 1: 1.1 - 4 = -2.9; on an empty server .9 and 1: 1.9 - 4 = -2.1.
        assertThat(Rig.continuous("best-fit", Map.of("score", "even"), 2, 10, 10)
                        .arrive(8, 0, 1, 0)
                        .servers())
                .containsExactly(0, 0);
    }

    private static int[] packed(String score) {
        return Rig.continuous("best-fit", Map.of("score", score), 2, 10, 10)
                .arrive(6, 1, 5, 6, 3, 1)
                .servers();
    }
}
