package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TimersTest {
    @Test
    void timersOfOneInstantFireInTheOrderOfSetting() {
        Timers timers = new Timers();
        int late = timers.set(20, 100, -1);
        int first = timers.set(10, 101, -1);
        int second = timers.set(10, 102, -1);
        assertThat(timers.firstTimer()).isEqualTo(first);
        timers.remove(first);
        assertThat(timers.firstTimer()).isEqualTo(second);
        timers.remove(second);
        assertThat(timers.firstTimer()).isEqualTo(late);
        assertThat(timers.tag(late)).isEqualTo(100);
    }

    @Test
    void handlesAreUsedAgainTheLastFreedFirst() {
        Timers timers = new Timers();
        int one = timers.set(1, 0, -1);
        int two = timers.set(2, 0, -1);
        timers.remove(one);
        timers.remove(two);
        assertThat(timers.isSet(two)).isFalse();
        assertThat(timers.set(3, 0, -1)).isEqualTo(two);
        assertThat(timers.set(4, 0, -1)).isEqualTo(one);
        assertThat(timers.set(5, 0, -1)).isEqualTo(2);
    }

    @Test
    void nothingIsDueInAnEmptyHeapNotEvenAtTheEndOfTime() {
        Timers timers = new Timers();
        assertThat(timers.isDue(Long.MAX_VALUE)).isFalse();
        timers.set(Long.MAX_VALUE, 0, -1);
        assertThat(timers.isDue(Long.MAX_VALUE - 1)).isFalse();
        assertThat(timers.isDue(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void thePolicysTimersGoAndTheEndsOfDummiesStay() {
        Timers timers = new Timers();
        int policys = timers.set(1, 0, -1);
        int end = timers.set(2, 0, 7);
        timers.removePolicyTimers();
        assertThat(timers.isSet(policys)).isFalse();
        assertThat(timers.isSet(end)).isTrue();
        assertThat(timers.timerOf(7)).isEqualTo(end);
        assertThat(timers.dummy(end)).isEqualTo(7);
        assertThatThrownBy(() -> timers.timerOf(8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("8");
    }
}
