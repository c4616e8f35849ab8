package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Saved states and snapshots have these numbers in them: one may be added, none may be given another meaning. */
class SavedCodesTest {
    @Test
    void pinned() {
        pinned(SavedCodes::jobState, SavedCodes::of, "FREE PENDING WAITING RUNNING DUMMY", JobState.values());
        pinned(SavedCodes::status, SavedCodes::of, "UP DRAINING GONE SUSPECTED RETURNING", ServerStatus.values());
        pinned(SavedCodes::phase, SavedCodes::of, "PLACED STARTED STOPPING", Phase.values());
        pinned(SavedCodes::steps, SavedCodes::of, "COMMANDS SLOTS", Steps.values());
    }

    /** Numbers from 0 on, in the order written. */
    private static <E extends Enum<E>> void pinned(
            IntFunction<E> decode, ToIntFunction<E> encode, String written, E[] constants) {
        String[] names = written.split(" ", -1);
        for (int code = 0; code < names.length; code++) {
            assertThat(decode.apply(code).name()).isEqualTo(names[code]);
        }
        assertThat(Arrays.stream(constants).map(constant -> decode.apply(encode.applyAsInt(constant))))
                .containsExactly(constants);
    }
}
