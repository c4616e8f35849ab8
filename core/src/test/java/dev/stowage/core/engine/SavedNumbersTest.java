package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import org.junit.jupiter.api.Test;

/**
 * The engine's saved state and its digest have these enums by their order, so a constant keeps its place for ever; a
 * new one comes last.
 */
final class SavedNumbersTest {
    @Test
    void placesOfConstants() {
        assertThat(ServerStatus.values())
                .startsWith(
                        ServerStatus.UP,
                        ServerStatus.DRAINING,
                        ServerStatus.GONE,
                        ServerStatus.SUSPECTED,
                        ServerStatus.RETURNING);
        assertThat(JobState.values())
                .startsWith(JobState.FREE, JobState.PENDING, JobState.WAITING, JobState.RUNNING, JobState.DUMMY);
        assertThat(Phase.values()).startsWith(Phase.PLACED, Phase.STARTED, Phase.STOPPING);
        assertThat(Steps.values()).startsWith(Steps.COMMANDS, Steps.SLOTS);
    }
}
