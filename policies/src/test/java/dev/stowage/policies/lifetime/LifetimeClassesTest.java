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

/** Decisions worked out by hand: servers of 10, times in minutes. */
class LifetimeClassesTest {
    private static final long MINUTE = 60_000_000_000L;

    private Engine engine = Engine.start(
            Cluster.single(4, 10),
            PolicySpec.of("lifetime-classes"),
            new Policies(),
            Steps.COMMANDS,
            1,
            0,
            Effects.NONE);
    private long ids;
    /** The minute at which the test begins. */
    private long begin;

    /** The server that a request gets; an expectation of 0 minutes is none. */
    private int place(long atMinute, long demand, long expectedMinutes) {
        long id = ids++;
        engine.arrive((begin + atMinute) * MINUTE, NewRequest.of(id, demand).expecting(expectedMinutes * MINUTE));
        return engine.view().server(engine.find(id));
    }

    /** So many requests that expect a minute and run for a number of minutes. */
    private void seen(int count, long minutes) {
        for (int k = 0; k < count; k++) {
            place(0, 0, 1);
            begin += minutes;
            engine.leave(begin * MINUTE, ids - 1);
        }
    }

    @Test
    void goesWhereItProlongsLeastThenToTheBestThenToAnEmptyOne() {
        seen(200, 1);
        assertThat(place(0, 3, 100)).isZero();
        // Longer than server 0 and the fuller for it; it fits no more there.
        assertThat(place(0, 8, 65)).isEqualTo(1);
        // Prolongs server 0 by 10 and server 1 by 45.
        assertThat(place(0, 2, 110)).isZero();
        // Prolongs neither: the fuller one.
        assertThat(place(0, 2, 60)).isEqualTo(1);
        // Only server 0 has room, then only an empty one.
        assertThat(place(0, 5, 200)).isZero();
        assertThat(place(0, 1, 1)).isEqualTo(2);
    }

    @Test
    void whoOutlivesAnExpectationRunsTwiceAsLong() {
        seen(200, 1);
        assertThat(place(0, 6, 100)).isZero();
        assertThat(place(0, 5, 30)).isEqualTo(1);
        // After 75 minutes server 0 has 25 left. Server 1 has outlived its 30 and its 60, and is expected to run 120,
        // so 45 more: it alone lasts for 40, though server 0 is fuller. For 20 both do.
        assertThat(place(75, 1, 40)).isEqualTo(1);
        assertThat(place(75, 1, 20)).isZero();
    }

    @Test
    void expectationsAreTrustedOnceTwoHundredMoreAreRightThanWrong() {
        seen(199, 1);
        assertThat(place(0, 3, 100)).isZero();
        assertThat(place(0, 8, 65)).isEqualTo(1);
        // As best fit does, though server 0 is in use for longer.
        assertThat(place(0, 1, 70)).isEqualTo(1);
        seen(1, 1);
        assertThat(place(0, 1, 110)).isZero();
    }

    @Test
    void expectationsAreTrustedNoMoreOnceAsManyAreWrong() {
        seen(200, 1);
        seen(199, 3);
        begin += 1;
        assertThat(place(0, 3, 100)).isZero();
        assertThat(place(0, 8, 65)).isEqualTo(1);
        assertThat(place(0, 1, 110)).isZero();
        // Three times as long is wrong, two and a half times is right.
        seen(1, 3);
        assertThat(place(0, 1, 110)).isEqualTo(1);
    }

    @Test
    void withoutExpectationsItIsBestFit() {
        assertThat(place(0, 3, 0)).isZero();
        assertThat(place(1, 8, 0)).isEqualTo(1);
        assertThat(place(2, 2, 0)).isEqualTo(1);
        assertThat(place(3, 1, 0)).isZero();
    }

    /** What a drained server holds is not counted: nor does one know of it that was restored. */
    @Test
    void theHybridDecidesAlikeAfterARestoreBesideADrainedServer() {
        engine = Engine.start(
                Cluster.single(6, 10),
                PolicySpec.of("lifetime-classes", Map.of("rule", "hybrid")),
                new Policies(),
                Steps.COMMANDS,
                1,
                0,
                Effects.NONE);
        assertThat(place(1, 1, 50)).isZero();
        engine.drainServer(2 * MINUTE, 0);
        Engine restored = Engine.restore(engine.save(), new Policies(), Effects.NONE);
        assertThat(place(3, 1, 50)).isEqualTo(1);
        // Two of the type hold more than 1 / (2 sqrt 7) of a server; a third opens one for it.
        assertThat(place(4, 1, 50)).isEqualTo(2);
        assertThat(place(5, 1, 3)).isEqualTo(1);
        engine = restored;
        ids = 1;
        assertThat(place(3, 1, 50)).isEqualTo(1);
        assertThat(place(4, 1, 50)).isEqualTo(2);
        assertThat(place(5, 1, 3)).isEqualTo(1);
    }

    @Test
    void rightIsToAFactorOfThree() {
        Trust trust = new Trust();
        for (int k = 0; k < Trust.ENOUGH; k++) {
            trust.ended(k % 2 == 0 ? 299 : 101, k % 2 == 0 ? 100 : 300);
        }
        assertThat(trust.isTrusted()).isTrue();
        for (int k = 0; k < Trust.ENOUGH; k++) {
            assertThat(trust.isTrusted()).isTrue();
            trust.ended(k % 2 == 0 ? 303 : 100, k % 2 == 0 ? 100 : 303);
        }
        assertThat(trust.isTrusted()).isFalse();
    }
}
