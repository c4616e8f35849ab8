package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

    /** A wrong clock had pushed the log an hour ahead: nine tenths of ten hours are nine. */
    @Test
    void isSlowerUntilTheWallClockHasCaughtUp() {
        long second = 1_000_000_000;
        long hour = 3600 * second;
        List<String> warnings = new ArrayList<>();
        LeaderClock late = new LeaderClock(() -> wall, () -> monotonic, warnings::add);
        wall = 100 * hour;
        late.set(101 * hour);
        assertThat(late.aheadNanos()).isEqualTo(hour);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("3600.0 s ahead").contains("For about 36000 s");
        long before = 101 * hour;
        for (int at = 1; at <= 36_000; at++) {
            wall += second;
            monotonic += second;
            assertThat(late.now()).isEqualTo(before + 9 * second / 10);
            before = late.now();
        }
        assertThat(late.aheadNanos()).isZero();
        wall += second;
        monotonic += second;
        assertThat(late.now()).isEqualTo(before + second);
        // Every ten minutes, and when it is over.
        assertThat(warnings).hasSize(61);
        assertThat(warnings.get(60)).contains("again");
    }

    /**
     * Of a wall clock that is put back and forth a hundred times in ten seconds one line is written, not two hundred.
     */
    @Test
    void aWallClockThatJumpsToAndFroDoesNotFloodTheLog() {
        long second = 1_000_000_000;
        List<String> warnings = new ArrayList<>();
        LeaderClock late = new LeaderClock(() -> wall, () -> monotonic, warnings::add);
        wall = 7200 * second;
        late.set(0);
        for (int jump = 0; jump < 100; jump++) {
            monotonic += second / 10;
            wall = 3600 * second;
            assertThat(late.now()).isGreaterThan(7200 * second);
            wall = 7300 * second;
            assertThat(late.aheadNanos()).isNegative();
        }
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("ahead of this node's clock");
        wall = late.now();
        assertThat(late.aheadNanos()).isZero();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("again");
        monotonic += 60 * second;
        wall = 3600 * second;
        assertThat(late.now()).isPositive();
        assertThat(warnings).hasSize(3);
    }

    /** A clock that was a minute slow when its node began to lead, and is set right: caught up in a hundred minutes. */
    @Test
    void isFasterByAHundredthUntilItHasCaughtUp() {
        long second = 1_000_000_000;
        List<String> warnings = new ArrayList<>();
        LeaderClock slow = new LeaderClock(() -> wall, () -> monotonic, warnings::add);
        wall = 3600 * second;
        slow.set(0);
        wall = 3660 * second;
        assertThat(slow.aheadNanos()).isEqualTo(-60 * second);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("60.0 s behind", "For about 6000 s", "another node lead");
        long before = slow.now();
        for (int at = 1; at <= 6000; at++) {
            wall += second;
            monotonic += second;
            assertThat(slow.now()).isEqualTo(before + second + second / 100);
            before = slow.now();
        }
        assertThat(slow.aheadNanos()).isZero();
        wall += second;
        monotonic += second;
        assertThat(slow.now()).isEqualTo(before + second);
        // Every ten minutes, and when it is over.
        assertThat(warnings).hasSize(11);
        assertThat(warnings.get(10)).contains("again");
    }

    /** Another leader, or this one again, takes its own clock at once. */
    @Test
    void aLeaderThatBeginsIsNotBehind() {
        long second = 1_000_000_000;
        List<String> warnings = new ArrayList<>();
        LeaderClock slow = new LeaderClock(() -> wall, () -> monotonic, warnings::add);
        slow.set(0);
        wall = 3600 * second;
        assertThat(slow.aheadNanos()).isEqualTo(-3600 * second);
        slow.set(0);
        assertThat(slow.aheadNanos()).isZero();
        assertThat(warnings.get(1)).contains("again");
    }

    @Test
    void aSecondAheadIsTolerated() {
        List<String> warnings = new ArrayList<>();
        LeaderClock near = new LeaderClock(() -> wall, () -> monotonic, warnings::add);
        near.set(900_000_000);
        monotonic = 1_000_000;
        assertThat(near.now()).isEqualTo(901_000_000);
        assertThat(warnings).isEmpty();
    }
}
