package dev.stowage.policies.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import org.junit.jupiter.api.Test;

/** Decisions worked out by hand: servers of 10, times in minutes. */
class LifetimeClassesTest {
    private static final long MINUTE = LifetimeClasses.MINUTE;

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
        assertThat(LifetimeClasses.of(0)).isEqualTo(1);
        assertThat(LifetimeClasses.of(MINUTE - 1)).isEqualTo(1);
        assertThat(LifetimeClasses.of(MINUTE)).isEqualTo(2);
        assertThat(LifetimeClasses.of(2 * MINUTE - 1)).isEqualTo(2);
        assertThat(LifetimeClasses.of(2 * MINUTE)).isEqualTo(3);
        assertThat(LifetimeClasses.of(Long.MAX_VALUE)).isEqualTo(LifetimeClasses.UNKNOWN - 1);
        for (int number = 2; number < LifetimeClasses.UNKNOWN; number++) {
            assertThat(LifetimeClasses.of(LifetimeClasses.least(number))).isEqualTo(number);
            assertThat(LifetimeClasses.of(LifetimeClasses.least(number) - 1)).isEqualTo(number - 1);
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
}
