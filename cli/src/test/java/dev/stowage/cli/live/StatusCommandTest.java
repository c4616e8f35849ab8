package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class StatusCommandTest {
    @Test
    void whyThereIsNoLeader() {
        assertThat(StatusCommand.leaderless(1, Set.of()))
                .isEqualTo("the only node answers and has not elected itself yet");
        assertThat(StatusCommand.leaderless(3, Set.of()))
                .isEqualTo("all 3 nodes answer and have not elected one (yet)");
        assertThat(StatusCommand.leaderless(1, Set.of("n2")))
                .isEqualTo("1 of 2 nodes answer, and a leader needs 2; n2 does not answer");
    }
}
