package dev.stowage.policies.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Decisions worked out by hand: servers of 10, times in minutes. */
class LifetimeClassesTest {
    private static final long MINUTE = 60_000_000_000L;

    private final Engine engine = Engine.start(
            Cluster.single(4, 10),
            PolicySpec.of("lifetime-classes"),
            new Policies(),
            Steps.COMMANDS,
            1,
            0,
            Effects.NONE);
    private long ids;

    /** The server that a request gets; an expectation of 0 minutes is none. */
    private int place(long atMinute, long demand, long expectedMinutes) {
        long id = ids++;
        engine.arrive(atMinute * MINUTE, NewRequest.of(id, demand).expecting(expectedMinutes * MINUTE));
        return engine.view().server(engine.find(id));
    }

    @Test
    void classesDouble() {
        assertThat(TimeClasses.DOUBLING.of(1, 1)).isEqualTo(1);
        assertThat(TimeClasses.DOUBLING.of(MINUTE, 1)).isEqualTo(1);
        assertThat(TimeClasses.DOUBLING.of(MINUTE + 1, 1)).isEqualTo(2);
        assertThat(TimeClasses.DOUBLING.of(2 * MINUTE - 1, 0)).isEqualTo(2);
        assertThat(TimeClasses.DOUBLING.of(2 * MINUTE, 0)).isEqualTo(3);
        assertThat(TimeClasses.TENFOLD.of(60 * MINUTE - 1, 0)).isEqualTo(1);
        assertThat(TimeClasses.TENFOLD.of(600 * MINUTE - 1, 0)).isEqualTo(2);
        assertThat(TimeClasses.TENFOLD.of(600 * MINUTE, 0)).isEqualTo(3);
        assertThat(TimeClasses.NONE.of(1L << 35, 7)).isEqualTo(3);
    }

    /** An end is of a class until just before the moment at which it is of a shorter one. */
    @ParameterizedTest
    @EnumSource(TimeClasses.class)
    void classesLast(TimeClasses classes) {
        for (long end = 1; end > 0 && end < Long.MAX_VALUE / 3; end = 3 * end + 1) {
            int number = classes.of(end, 0);
            assertThat(number).isBetween(1, TimeClasses.UNKNOWN - 1);
            long until = classes.until(end, number);
            if (until <= end) {
                assertThat(classes.of(end, until - 1)).isEqualTo(number);
                assertThat(classes.of(end, until)).isEqualTo(number - 1);
            }
        }
    }

    @Test
    void theBestOfItsClassAndLongerThenShorterThenEmpty() {
        assertThat(place(0, 5, 100)).isZero(); // 64 to 128 minutes
        assertThat(place(0, 6, 10)).isEqualTo(1); // 8 to 16: fits no longer one
        // Both are long enough: the fuller one.
        assertThat(place(0, 1, 12)).isEqualTo(1);
        // Only server 0 is long enough, though server 1 is fuller.
        assertThat(place(0, 1, 20)).isZero();
        // Longer than both: the longer one, though server 1 is fuller.
        assertThat(place(0, 1, 1000)).isZero();
        // Server 0 is of 512 to 1024 minutes now and has 3 left; then only the shorter one has room, then an empty one.
        assertThat(place(0, 3, 100)).isZero();
        assertThat(place(0, 3, 100)).isEqualTo(1);
        assertThat(place(0, 1, 1)).isEqualTo(2);
    }

    @Test
    void classesChangeAsTimePasses() {
        assertThat(place(0, 6, 100)).isZero();
        assertThat(place(0, 5, 30)).isEqualTo(1);
        // After 75 minutes server 0 has 25 left. Server 1 has outlived its 30 and its 60, and is expected to run 120,
        // so
        // 45 more: it alone lasts for 40, though server 0 is fuller. For 20 both do.
        assertThat(place(75, 1, 40)).isEqualTo(1);
        assertThat(place(75, 1, 20)).isZero();
    }

    @Test
    void withoutExpectationsItIsBestFit() {
        assertThat(place(0, 3, 0)).isZero();
        assertThat(place(1, 8, 0)).isEqualTo(1);
        assertThat(place(2, 2, 0)).isEqualTo(1);
        assertThat(place(3, 1, 0)).isZero();
    }

    @Test
    void leastExtension() {
        Engine exact = Engine.start(
                Cluster.single(4, 10),
                PolicySpec.of("lifetime-classes", Map.of("classes", "none")),
                new Policies(),
                Steps.COMMANDS,
                1,
                0,
                Effects.NONE);
        long[][] games = {
            // {demand, expected minutes, server}: none lasts as long as 110, which prolongs server 0 by 10 and server 1
            // by 45, though both are of one class; 60 goes to the fuller of the two.
            {3, 100, 0}, {8, 65, 1}, {2, 110, 0}, {2, 60, 1}, {5, 60, 0}
        };
        for (int id = 0; id < games.length; id++) {
            exact.arrive(0, NewRequest.of(id, games[id][0]).expecting(games[id][1] * MINUTE));
            assertThat(exact.view().server(exact.find(id))).as("request %d", id).isEqualTo((int) games[id][2]);
        }
    }
}
