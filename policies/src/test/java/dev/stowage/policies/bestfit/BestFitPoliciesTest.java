package dev.stowage.policies.bestfit;

import static dev.stowage.policies.Rig.GONE;
import static dev.stowage.policies.Rig.WAITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Rig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Packings worked out by hand on servers of capacity 10 (section IV-A of the paper). */
class BestFitPoliciesTest {
    @Test
    void oneEmptyServerAndThreeRequestsInOneSlot() {
        // BF-J in order of arrival: 4, not 7 (4 + 7 > 10), 6 (4 + 6 = 10).
        assertThat(slot("bf-j", 1, 4, 7, 6)).containsExactly(0, WAITS, 0);
        // BF-S: the largest, 7; 3 are left and nobody fits.
        assertThat(slot("bf-s", 1, 4, 7, 6)).containsExactly(WAITS, 0, WAITS);
        // BF-J/S: no departures, so BF-J for the new arrivals.
        assertThat(slot("bf-js", 1, 4, 7, 6)).containsExactly(0, WAITS, 0);
    }

    @Test
    void twoEmptyServers() {
        // BF-J: 3 on server 0; 8 on server 1 (3 + 8 > 10); 5: least residual capacity that fits is 7 on server 0 (2 on
        // server 1 is too little); 2: residuals 2 and 2, lowest server 0; 2: server 1.
        assertThat(slot("bf-j", 2, 3, 8, 5, 2, 2)).containsExactly(0, 1, 0, 0, 1);
        // BF-S: server 0 takes 8, then 2 (the earlier of two); server 1 takes 5, 3, 2.
        assertThat(slot("bf-s", 2, 3, 8, 5, 2, 2)).containsExactly(1, 0, 1, 0, 1);
    }

    private static int[] slot(String policy, int servers, long... demands) {
        return Rig.slotted(policy, servers, 10).arrive(demands).endSlot().servers();
    }

    @Test
    void afterADepartureTheServerTakesTheLargestOldOrNew() {
        // 9 fills the server but for 1; 4 and 6 wait.
        Rig rig = Rig.slotted("bf-js", 1, 10).arrive(9, 4, 6).endSlot();
        assertThat(rig.servers()).containsExactly(0, WAITS, WAITS);
        // 9 departs; 5 and 7 arrive: the server takes the largest, 7; 3 are left, nobody fits.
        rig.leave(0).arrive(5, 7).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, WAITS, WAITS, WAITS, 0);
        // 7 departs: 6, then 4 (6 + 4 = 10); 5 waits on.
        rig.leave(4).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, 0, 0, WAITS, GONE);
    }

    @Test
    void stepOneGoesThroughServersWithDeparturesOnlyAndInIndexOrder() {
        // 9 on server 0, 9 on server 1, 10 on server 2; 5 and 8 wait.
        Rig rig = Rig.slotted("bf-js", 3, 10).arrive(9, 9, 10, 5, 8).endSlot();
        assertThat(rig.servers()).containsExactly(0, 1, 2, WAITS, WAITS);
        // Servers 2 and 1 have departures, and 1 arrives: server 1 takes 8, then the new 1 (of the 2 left), server 2
        // takes 5.
        // Best fit for the new 1 would have been server 0 with its residual capacity of 1, but step 1 comes first.
        rig.leave(2, 1).arrive(1).endSlot();
        assertThat(rig.servers()).containsExactly(0, GONE, GONE, 2, 1, 1);
    }

    @Test
    void continuousTime() {
        // 6 on server 0, 7 on server 1; 4 to server 0 (4 left; 3 on server 1); 5 and 8 wait.
        Rig rig = Rig.continuous("bf-js", Map.of(), 2, 10).arrive(6, 7, 4, 5, 8);
        assertThat(rig.servers()).containsExactly(0, 1, 0, WAITS, WAITS);
        // 6 leaves: 6 are free on server 0, 5 is the largest that fits.
        assertThat(rig.leave(0).servers()).containsExactly(GONE, 1, 0, 0, WAITS);
        // 7 leaves: 8 on server 1.
        assertThat(rig.leave(1).servers()).containsExactly(GONE, GONE, 0, 0, 1);
    }

    @Test
    void anEmptyServerTakesTheLargestInSeveralResources() {
        // (9, 9) fills the server; (2, 7), (4, 4), (3, 6) wait. When it leaves, every score is 0 on the empty server:
        // the
        // largest sum decides, .9 of (2, 7) and (3, 6) against .8, and of the two the earlier. Then 8 and 3 are free
        // and
        // nobody fits.
        Rig rig = Rig.continuous("bf-js", Map.of(), 1, 10, 10).arrive(9, 9, 2, 7, 4, 4, 3, 6);
        assertThat(rig.leave(0).servers()).containsExactly(GONE, 0, WAITS, WAITS);
    }

    @Test
    void aServerTakesTheRequestThatIsMostLikeWhatItHolds() {
        // (6, 1) and (4, 9) fill server 0; (1, 6), (4, 1), (2, 5) wait. (4, 9) leaves: occupied is (.6, .1), free (4,
        // 9).
        // Scores: .1 * .6 + .6 * .1 = .12; .4 * .6 + .1 * .1 = .25; .2 * .6 + .5 * .1 = .17: (4, 1), then cpu is full.
        Rig rig = Rig.continuous("bf-s", Map.of(), 1, 10, 10).arrive(6, 1, 4, 9, 1, 6, 4, 1, 2, 5);
        assertThat(rig.servers()).containsExactly(0, 0, WAITS, WAITS, WAITS);
        assertThat(rig.leave(1).servers()).containsExactly(0, GONE, WAITS, 0, WAITS);
    }
}
