package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.workload.DrawnOrigins.Share;
import dev.stowage.sim.workload.DrawnOrigins.Weight;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OriginsTest {
    private static final int DRAWS = 40_000;
    private static final RequestOrigin EAST = new RequestOrigin("east", List.of(0, 2));
    private static final RequestOrigin WEST = new RequestOrigin("west", List.of(1));
    /** 3 : 1, from 8 on 0 : 1, from 20 on 0.5 : 1.5, and again after 24. */
    private static final DrawnOrigins DAILY = new DrawnOrigins(
            24,
            List.of(
                    new Share(EAST, List.of(new Weight(0, 3), new Weight(8, 0), new Weight(20, .5))),
                    new Share(WEST, List.of(new Weight(0, 1), new Weight(20, 1.5)))));

    @Test
    void partsFollowTheWeightsAndRepeat() {
        for (long day = 0; day < 3; day++) {
            assertThat(DAILY.parts(24 * day)).containsExactly(.75, .25);
            assertThat(DAILY.parts(24 * day + 7)).containsExactly(.75, .25);
            assertThat(DAILY.parts(24 * day + 8)).containsExactly(0, 1);
            assertThat(DAILY.parts(24 * day + 23)).containsExactly(.25, .75);
        }
        DrawnOrigins once = new DrawnOrigins(0, DAILY.shares());
        assertThat(once.parts(24 + 7)).containsExactly(.25, .75);
    }

    @Test
    void changesAreToldOnceEachInTheirOrder() {
        assertThat(DAILY.changes(0, 50, 100)).containsExactly(8L, 20L, 24L, 32L, 44L, 48L);
        assertThat(DAILY.changes(8, 24, 100)).containsExactly(20L);
        assertThat(DAILY.changes(0, Long.MAX_VALUE, 4)).containsExactly(8L, 20L, 24L, 32L);
        assertThat(new DrawnOrigins(0, DAILY.shares()).changes(0, Long.MAX_VALUE, 100))
                .containsExactly(8L, 20L);
        DrawnOrigins steady = new DrawnOrigins(24, List.of(new Share(EAST, List.of()), new Share(WEST, List.of())));
        assertThat(steady.changes(0, Long.MAX_VALUE, 100)).isEmpty();
    }

    /** The fraction drawn at each time, within four deviations: sqrt(p (1 - p) / n) is at most 0.0025. */
    @Test
    void drawsHaveTheParts() {
        for (long at : new long[] {0, 7, 8, 19, 20, 23, 24, 24 * 1000 + 12}) {
            Origins.Cursor cursor = DAILY.open(5);
            int east = 0;
            for (int n = 0; n < DRAWS; n++) {
                east += cursor.next(at) == 0 ? 1 : 0;
            }
            assertThat((double) east / DRAWS).as("at %d", at).isCloseTo(DAILY.parts(at)[0], within(0.01));
        }
    }

    /** Keyed by the number of the request: earlier requests and their times do not matter. */
    @Test
    void aRequestKeepsItsDrawWhateverTheOthersAre() {
        Origins.Cursor one = DAILY.open(5);
        Origins.Cursor other = DAILY.open(5);
        Origins.Cursor otherSeed = DAILY.open(6);
        int differ = 0;
        for (int n = 0; n < 1000; n++) {
            int drawn = one.next(n % 3 == 0 ? 12 : 0);
            int again = other.next(0);
            differ += again == otherSeed.next(0) ? 0 : 1;
            assertThat(drawn).isEqualTo(n % 3 == 0 ? 1 : again);
        }
        assertThat(differ).isPositive();
    }

    @Test
    void limitsAreThoseOfTheOrigins() {
        assertThat(DAILY.areLimited()).isTrue();
        assertThat(DrawnOrigins.ANYWHERE.areLimited()).isFalse();
        assertThat(DrawnOrigins.ANYWHERE.open(1).next(99)).isZero();
        Origins recorded = new RecordedOrigins(List.of(WEST, EAST), new int[] {1, 0, 1});
        Origins.Cursor cursor = recorded.open(9);
        assertThat(new int[] {cursor.next(0), cursor.next(0), cursor.next(5)}).containsExactly(1, 0, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecordedOrigins(List.of(WEST), new int[] {1}))
                .withMessage("origin is 1, must be 0 to 0");
    }

    @Test
    void mistakesAreTold() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Share(EAST, List.of(new Weight(1, 1))))
                .withMessageContaining("start of weight 0 of origin east in nanoseconds is 1, must be 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Share(EAST, List.of(new Weight(0, 1), new Weight(0, 2))))
                .withMessageContaining("above the one before, 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Share(EAST, List.of(new Weight(0, -1))))
                .withMessageContaining("weight 0 of origin east is -1.0, must be at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DrawnOrigins(20, DAILY.shares()))
                .withMessageContaining("is 20, must be below the period, 20");
        Share nothing = new Share(WEST, List.of(new Weight(0, 1), new Weight(5, 0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DrawnOrigins(0, List.of(nothing)))
                .withMessageContaining("sum of the origins' weights")
                .withMessageContaining("must be above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RequestOrigin("x", List.of(2, 1)))
                .withMessageContaining("a site of origin x is 1, must be above 2");
    }
}
