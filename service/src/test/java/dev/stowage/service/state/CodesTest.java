package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Phase;
import org.junit.jupiter.api.Test;

/** What is on disks: a number may be added, none may be given another meaning. */
final class CodesTest {
    @Test
    void commands() {
        pinned(
                Codes.COMMAND,
                Command.Kind.class,
                "ARRIVE 0, ARRIVE_WITH 1, LEAVE 2, TICK 3, ROUND 4, ADD_SERVER 5, ADD_SITE 6, DRAIN 7, RETURN 8, "
                        + "REMOVE 9, LOSE 10, SET_POLICY 11, ADOPT 12, RESIZE 13, LABEL 14, GANG 15, STARTED 16, "
                        + "START_FAILED 17, STOP 18, STOPPED 19, EVICT 20, DRAIN_MOVING 21, HEARTBEAT 22, REPORT 23, "
                        + "RENEW_LEASES 24, LEAVE_TOGETHER 25");
    }

    @Test
    void refusals() {
        pinned(
                Codes.REFUSAL,
                Refusal.class,
                "LATE 0, DUPLICATE_ID 1, UNKNOWN_ID 2, UNKNOWN_TYPE 3, BAD_DEMAND 4, FITS_NO_SERVER 5, UNKNOWN_SERVER"
                        + " 6, UNKNOWN_SITE 7, BAD_CAPACITY 8, WRONG_STATUS 9, UNKNOWN_POLICY 10, SITE_LIMIT 11,"
                        + " CONSTRAINT 12, UNSUPPORTED 13, BAD_NAME 14, WRONG_PHASE 15, LEASE 16, BAD_TIME 17");
    }

    @Test
    void outcomes() {
        pinned(
                Codes.OUTCOME,
                Outcome.Kind.class,
                "DONE 0, REPEATED 1, CONFLICT 2, NOT_FOUND 3, REFUSED 4, OVER_QUOTA 5, NO_SUCH_EFFECT 6, SUPERSEDED 7,"
                        + " BEYOND_QUOTA 8");
    }

    @Test
    void requestsAndAdjustments() {
        pinned(Codes.STATE, Request.State.class, "WAITING 0, RUNNING 1, RELEASED 2, REJECTED 3, EXPIRED 4");
        pinned(Codes.PHASE, Phase.class, "PLACED 0, STARTED 1, STOPPING 2");
        pinned(Codes.ADJUSTMENT, Adjustment.Kind.class, "MIGRATION 0, RESIZE 1");
        assertThatThrownBy(() -> Codes.STATE.at(5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("State has no constant with number 5");
    }

    /** Every constant has a number and is found by it; those that are written down here have theirs. */
    private static <E extends Enum<E>> void pinned(Codes<E> codes, Class<E> type, String written) {
        for (E constant : type.getEnumConstants()) {
            assertThat(codes.at(codes.of(constant))).isEqualTo(constant);
        }
        for (String one : written.split(", ", -1)) {
            String[] parts = one.split(" ", -1);
            assertThat(codes.of(Enum.valueOf(type, parts[0]))).as(one).isEqualTo(Integer.parseInt(parts[1]));
        }
    }
}
