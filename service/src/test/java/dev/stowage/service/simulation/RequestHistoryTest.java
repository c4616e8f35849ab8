package dev.stowage.service.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.simulation.RequestHistory.Call;
import dev.stowage.service.simulation.RequestHistory.State;
import org.junit.jupiter.api.Test;

/** Histories by hand. */
final class RequestHistoryTest {
    private RequestHistory history = new RequestHistory(false);

    @Test
    void oneAfterTheOther() {
        history.add(Call.GET, State.ABSENT, 0, 1);
        history.add(Call.SUBMIT, State.LIVE, 2, 3);
        history.add(Call.GET, State.LIVE, 4, 5);
        history.add(Call.RELEASE, State.FINISHED, 6, 7);
        history.add(Call.GET, State.FINISHED, 8, 9);
        assertThat(history.isLinearizable()).isTrue();
    }

    @Test
    void aStaleReadIsNot() {
        history.add(Call.SUBMIT, State.LIVE, 0, 1);
        history.add(Call.GET, State.ABSENT, 2, 3);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void atTheSameTimeEitherOrderIsRight() {
        history.add(Call.SUBMIT, State.LIVE, 0, 10);
        history.add(Call.GET, State.ABSENT, 2, 3);
        history.add(Call.GET, State.LIVE, 4, 5);
        assertThat(history.isLinearizable()).isTrue();
        history.add(Call.GET, State.ABSENT, 6, 7);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void anUnansweredCallMayHappenOrNot() {
        history.addUnanswered(Call.SUBMIT, 0);
        history.add(Call.GET, State.ABSENT, 1, 2);
        assertThat(history.isLinearizable()).isTrue();
        history.add(Call.GET, State.LIVE, 30, 31);
        assertThat(history.isLinearizable()).isTrue();
        history.add(Call.GET, State.ABSENT, 40, 41);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void whatWasReleasedDoesNotLiveAgain() {
        history.add(Call.SUBMIT, State.LIVE, 0, 1);
        history.add(Call.RELEASE, State.FINISHED, 2, 3);
        history.add(Call.SUBMIT, State.LIVE, 4, 5);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void anEndByItselfOnlyWhereItMay() {
        history.add(Call.SUBMIT, State.LIVE, 0, 1);
        history.add(Call.GET, State.FINISHED, 2, 3);
        assertThat(history.isLinearizable()).isFalse();
        history = new RequestHistory(true);
        history.add(Call.SUBMIT, State.LIVE, 0, 1);
        history.add(Call.GET, State.FINISHED, 2, 3);
        assertThat(history.isLinearizable()).isTrue();
        history.add(Call.GET, State.LIVE, 4, 5);
        assertThat(history.isLinearizable()).isFalse();
    }
}
