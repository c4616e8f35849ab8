package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The leader's time by hand. */
final class LeaderClockTest {
    private long wall;
    private long monotonic;

    private final LeaderClock clock = new LeaderClock(() -> wall, () -> monotonic);

    @Test
    void goesOnWhenTheWallClockJumps() {
        wall = 1000;
        clock.set(0);
        monotonic = 5;
        wall = 1;
        assertThat(clock.now()).isEqualTo(1005);
        wall = 1_000_000;
        monotonic = 7;
        assertThat(clock.now()).isEqualTo(1007);
    }

    @Test
    void neverGoesBehindTheLogAndDoesNotStandStillThere() {
        wall = 100;
        clock.set(5000);
        assertThat(clock.now()).isEqualTo(5000);
        monotonic = 30;
        assertThat(clock.now()).isEqualTo(5030);
    }

    @Test
    void neverGoesBehindItself() {
        wall = 1000;
        clock.set(0);
        monotonic = 50;
        assertThat(clock.now()).isEqualTo(1050);
        // It leads once more; the wall clock was put back meanwhile.
        wall = 10;
        clock.set(0);
        assertThat(clock.now()).isEqualTo(1050);
        monotonic = 51;
        assertThat(clock.now()).isEqualTo(1051);
    }

    @Test
    void followsAWallClockThatIsAhead() {
        wall = 9000;
        clock.set(5000);
        assertThat(clock.now()).isEqualTo(9000);
    }
}
