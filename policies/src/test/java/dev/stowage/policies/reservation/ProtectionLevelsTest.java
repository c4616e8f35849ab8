package dev.stowage.policies.reservation;

import static dev.stowage.policies.reservation.RewardRig.type;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import org.junit.jupiter.api.Test;

/** Servers of size 4. Small has size 1, large 4; how they pay is said in each case. */
class ProtectionLevelsTest {
    private static final int SMALL = 0;
    private static final int LARGE = 1;

    private static RewardRig rig(int servers, long small, long large) {
        return new RewardRig(
                servers, PolicySpec.of("protection-levels"), type("small", 1, small), type("large", 4, large));
    }

    /**
     * One large runs, another slot for one is free: N is Poisson with mean 1, P(N >= 1 + 1) = 1 - 2/e = 0.26. A small
     * takes a quarter of the slot: the large lose at most 400 / 4 x 0.26 = 26.
     */
    @Test
    void whatIsLikelyToBeNeededIsKept() {
        assertThat(rig(2, 20, 400).arrive(LARGE, SMALL)).isEqualTo("0 rejected");
        assertThat(rig(2, 32, 400).arrive(LARGE, SMALL)).isEqualTo("0 1");
    }

    /** With three slots free P(N >= 1 + 3) is 0.02: the large lose 2, and a small that pays 5 may have the room. */
    @Test
    void whatIsUnlikelyToBeNeededIsNot() {
        assertThat(rig(4, 5, 400).arrive(LARGE, SMALL)).isEqualTo("0 1");
        assertThat(rig(2, 5, 400).arrive(LARGE, SMALL)).isEqualTo("0 rejected");
    }

    /** Nothing is kept for a type that was never seen, nor from one that pays as much for what it takes. */
    @Test
    void othersAreNotExcluded() {
        assertThat(rig(1, 1, 400).arrive(SMALL)).isEqualTo("0");
        assertThat(rig(2, 100, 400).arrive(LARGE, SMALL, SMALL, SMALL, SMALL, SMALL))
                .isEqualTo("0 1 1 1 1 rejected");
    }

    /**
     * Room that holds no whole slot is nobody's: a small leaves three quarters of one, so another may come though the
     * large, P(N >= 1) = 0.63, lose 63 by a quarter of a slot.
     */
    @Test
    void holesAreFree() {
        assertThat(rig(2, 32, 400).arrive(LARGE, SMALL, SMALL)).isEqualTo("0 1 1");
    }

    /** A request without a type that pays nothing may not have the room of a type that runs and pays. */
    @Test
    void requestsWithoutAType() {
        assertThat(rig(1, 1, 1).arriveWith(-1, 3)).isEqualTo("0");
        RewardRig rig = rig(2, 32, 400);
        assertThat(rig.arrive(SMALL)).isEqualTo("0");
        assertThat(rig.arriveWith(-1, 3)).isEqualTo("rejected");
    }

    /**
     * The large find no room while smalls are on both servers; the fuller one takes no more. Requests: 0 to 3 on server
     * 0, 4 and 5 on server 1. When 0 leaves, what runs on server 1 moves there, then the large fits.
     */
    @Test
    void aServerIsCleared() {
        RewardRig rig = rig(2, 100, 400);
        assertThat(rig.arrive(SMALL, SMALL, SMALL, SMALL, SMALL, SMALL)).isEqualTo("0 0 0 0 1 1");
        assertThat(rig.arrive(LARGE)).isEqualTo("rejected");
        assertThat(rig.arrive(SMALL)).isEqualTo("rejected");
        assertThat(rig.leave(0)).isEqualTo("1>0");
        assertThat(rig.leave(1)).isEqualTo("1>0");
        assertThat(rig.arrive(LARGE)).isEqualTo("1");
    }

    /** Nothing is cleared for a request that has room, when more is free than is likely to be needed. */
    @Test
    void noServerIsClearedWithoutNeed() {
        RewardRig rig = rig(4, 100, 400);
        assertThat(rig.arrive(SMALL, LARGE)).isEqualTo("0 1");
        assertThat(rig.leave(1)).isEmpty();
        assertThat(rig.arrive(SMALL)).isEqualTo("0");
    }
}
