package dev.stowage.policies.randomized;

import static dev.stowage.policies.randomized.TypedRig.GONE;
import static dev.stowage.policies.randomized.TypedRig.WAITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.policy.PolicySpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Max-weight worked out by hand on the example of section I-A: capacity 10, types of 2 and 3. Maximal configurations:
 * (5, 0), (3, 1), (2, 2), (0, 3).
 */
class MaxWeightTest {
    private static TypedRig rig(String refresh, String queues, boolean refill, long seed, long... capacities) {
        PolicySpec spec =
                PolicySpec.of("max-weight", Map.of("refresh", refresh, "queues", queues, "refill", "" + refill));
        return new TypedRig(spec, Steps.SLOTS, seed, capacities, 2, 3);
    }

    /** Q = (3, 4) weighs 15, 13, 14, 12: (5, 0). */
    @Test
    void takesTheHeaviestAndHoldsToIt() {
        TypedRig rig =
                rig("local", "central", true, 1, 10).arrive(1, 1, 1, 1, 0, 0, 0).endSlot();
        // The three of type 0 hold 6; a type 1 would fit into the other 4, but has no slot.
        assertThat(rig.servers()).containsExactly(WAITS, WAITS, WAITS, WAITS, 0, 0, 0);
        // Two slots are open; the third new one waits, and takes the slot of the first that leaves.
        rig.arrive(0, 0, 0).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, WAITS, WAITS, WAITS, 0, 0, 0, 0, 0, WAITS);
        rig.leave(4).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, WAITS, WAITS, WAITS, GONE, 0, 0, 0, 0, 0);
        // Empty, Q = (0, 4): 0, 4, 8, 12. (0, 3).
        rig.leave(5, 6, 7, 8, 9).endSlot();
        assertThat(rig.servers()).containsExactly(0, 0, 0, WAITS, GONE, GONE, GONE, GONE, GONE, GONE);
    }

    /** As above without refill: the open slots of the refresh are used, but none that becomes free. */
    @Test
    void withoutRefillASlotIsUsedOnce() {
        TypedRig rig = rig("local", "central", false, 1, 10).arrive(1, 0, 0, 0).endSlot();
        // Q = (3, 1) weighs 15, 10, 8, 3.
        assertThat(rig.servers()).containsExactly(WAITS, 0, 0, 0);
        rig.arrive(0).leave(1).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, GONE, 0, 0, 0);
        rig.arrive(0, 0).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, GONE, 0, 0, 0, 0, WAITS);
        // Q = (1, 1) weighs 5, 4, 4, 3.
        rig.leave(2, 3, 4, 5).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, GONE, GONE, GONE, GONE, GONE, 0);
    }

    /** Server by server with what is left: Q = (6, 3) weighs 30, 21, 18, 9, then Q = (1, 3) weighs 5, 6, 8, 9. */
    @Test
    void localRefreshesSeeWhatIsLeft() {
        TypedRig rig = rig("local", "central", true, 1, 10, 10)
                .arrive(0, 0, 0, 0, 0, 0, 1, 1, 1)
                .endSlot();
        assertThat(rig.servers()).containsExactly(0, 0, 0, 0, 0, WAITS, 1, 1, 1);
    }

    /** All at once: both weigh with Q = (6, 3) and take (5, 0). */
    @Test
    void globalRefreshesSeeTheSame() {
        TypedRig rig = rig("global", "central", true, 1, 10, 10)
                .arrive(0, 0, 0, 0, 0, 0, 1, 1, 1)
                .endSlot();
        assertThat(rig.servers()).containsExactly(0, 0, 0, 0, 0, 1, WAITS, WAITS, WAITS);
        // Server 0 is empty, but server 1 is not: what comes for its slots is served, type 1 waits.
        rig.leave(0, 1, 2, 3, 4).arrive(0).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, GONE, GONE, GONE, GONE, 1, WAITS, WAITS, WAITS, 0);
        // Both empty: Q = (0, 3).
        rig.leave(5, 9).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, GONE, GONE, GONE, GONE, GONE, 0, 0, 0, GONE);
    }

    /** Locally, the server that is empty takes (0, 3) while the other is full. */
    @Test
    void localDoesNotWaitForTheOthers() {
        TypedRig rig = rig("local", "central", true, 1, 10, 10)
                .arriveMany(10, 0)
                .endSlot()
                .arrive(1, 1, 1)
                .endSlot();
        rig.leave(0, 1, 2, 3, 4).endSlot();
        assertThat(rig.servers()).endsWith(0, 0, 0);
    }

    /** A server that is not up is no part of the global refresh. */
    @Test
    void aDrainedServerHoldsNobodyUp() {
        TypedRig rig = rig("global", "central", true, 1, 10, 10)
                .arriveMany(10, 0)
                .endSlot()
                .arrive(1);
        rig.leave(5, 6, 7, 8, 9).endSlot();
        assertThat(rig.servers()[10]).isEqualTo(WAITS);
        rig.engine.drainServer(0, 0);
        rig.endSlot();
        assertThat(rig.servers()[10]).isEqualTo(1);
        // Back, it has no configuration, and what leaves opens no slot.
        rig.engine.returnServer(0, 0);
        rig.leave(0).arrive(0, 0).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, 0, 0, 0, 0, GONE, GONE, GONE, GONE, GONE, 1, WAITS, WAITS);
    }

    /**
     * Every server weighs with its own queues: two of type 0 and three of type 1 at the first, none of type 0 at the
     * other.
     */
    @Test
    void distributedQueuesAreTheServersOwn() {
        for (long seed = 1; seed <= 20; seed++) {
            // Type 1 fits only server 0; type 0 fits both, and joins the shorter queue of its type: one each.
            TypedRig rig = rig("local", "distributed", true, seed, 10, 2)
                    .arrive(0, 0, 1, 1, 1, 1)
                    .endSlot();
            // Server 0: Q = (1, 4) weighs 5, 7, 10, 12: (0, 3). Server 1: (1, 0).
            assertThat(rig.servers()).containsExactlyInAnyOrder(WAITS, 1, 0, 0, 0, WAITS);
            assertThat(rig.servers()[5]).isEqualTo(WAITS);
        }
    }

    /** Q = (1, 2) weighs 5, 5, 6, 6: (2, 2) serves all three, (0, 3) leaves type 0 waiting. */
    @Test
    void tiesAreUniform() {
        int[] seen = new int[2];
        for (long seed = 1; seed <= 1000; seed++) {
            TypedRig rig =
                    rig("local", "central", true, seed, 10).arrive(0, 1, 1).endSlot();
            assertThat(rig.servers()).endsWith(0, 0);
            seen[rig.servers()[0] == 0 ? 0 : 1]++;
        }
        GoodnessOfFit.checkCounts(seen, 0.5, 0.5);
    }

    /**
     * Global refresh with nothing in a server's own queues: any of (5, 0), (3, 1), (2, 2), (0, 3), and three have room
     * for type 0.
     */
    @Test
    void withoutWeightAnyMaximalConfiguration() {
        int[] seen = new int[2];
        for (long seed = 1; seed <= 1000; seed++) {
            TypedRig rig =
                    rig("global", "distributed", true, seed, 10, 10).arrive(0).endSlot();
            int first = rig.servers()[0];
            // The queues of type 0 are empty again; the next ones go here or there.
            rig.arrive(0, 0).endSlot();
            int other = rig.servers()[1] == first ? rig.servers()[2] : rig.servers()[1];
            assertThat(other).isIn(WAITS, 1 - first);
            seen[other == WAITS ? 1 : 0]++;
        }
        GoodnessOfFit.checkCounts(seen, 0.75, 0.25);
    }
}
