package dev.stowage.policies.reservation;

import static dev.stowage.policies.reservation.RewardRig.A;
import static dev.stowage.policies.reservation.RewardRig.B;
import static dev.stowage.policies.reservation.RewardRig.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Servers of size 4; A has size 1 and reward 1, B size 2 and reward 3. */
class ReservationBaselinesTest {
    private static RewardRig rig(int servers, String policy, String parameter, String value) {
        return new RewardRig(servers, PolicySpec.of(policy, Map.of(parameter, value)));
    }

    /** Load (4, 2) on 4 servers: (0,2) on server 0, (4,0) on server 1, nothing on the others. */
    @Test
    void greedyPlan() {
        RewardRig rig = rig(4, "gpa-static", "load-per-server", "1/0.5");
        assertThat(rig.arrive(B, B, B)).isEqualTo("0 0 rejected");
        assertThat(rig.arrive(times(5, A))).isEqualTo("1 1 1 1 rejected");
        rig.leave(1, 4);
        assertThat(rig.arrive(A, B)).isEqualTo("1 0");
        assertThat(rig.arriveWith(-1, 1)).isEqualTo("rejected");
    }

    /** 0.1 per server on 10 servers is one request, not two, whatever 0.1 is in binary. */
    @Test
    void loadsAreWhole() {
        RewardRig rig = rig(10, "gpa-static", "load-per-server", "0/0.3");
        assertThat(rig.arrive(times(5, B))).isEqualTo("0 0 1 1 rejected");
    }

    /** Without a load every server holds what pays most. */
    @Test
    void unlimitedLoad() {
        for (String policy : new String[] {"gpa-static", "static-partition"}) {
            RewardRig rig = rig(2, policy, "load-per-server", "unlimited");
            assertThat(rig.arrive(A, B, B, B, B, B)).isEqualTo("rejected 0 0 1 1 rejected");
        }
    }

    /** Load (8, 4) fills four servers however it is mixed: 8 A and 4 B have a slot, no more. */
    @Test
    void optimalPlan() {
        RewardRig rig = rig(4, "static-partition", "load-per-server", "2/1");
        assertThat(rig.arrive(times(8, A))).doesNotContain("rejected");
        assertThat(rig.arrive(times(4, B))).doesNotContain("rejected");
        assertThat(rig.arrive(A, B)).isEqualTo("rejected rejected");
    }

    /** A plan is made anew when a server is lost: with one of two (0,2) left for load (0, 2) per server. */
    @Test
    void plansAnew() {
        RewardRig rig = rig(2, "gpa-static", "load-per-server", "0/2");
        assertThat(rig.arrive(B, B, B)).isEqualTo("0 0 1");
        assertThat(rig.lose(0)).isEqualTo("1 rejected");
        rig.returnServer(0);
        assertThat(rig.arrive(B)).isEqualTo("0");
    }

    /** Of 8 units half must stay free after an A: 4 A. B may take the rest. */
    @Test
    void trunkReservationByThresholds() {
        RewardRig rig = rig(2, "trunk-reservation", "thresholds", "0.5/0");
        assertThat(rig.arrive(times(5, A))).isEqualTo("0 0 0 0 rejected");
        assertThat(rig.arrive(B, B, B)).isEqualTo("1 1 rejected");
        rig.leave(0);
        assertThat(rig.arrive(A)).isEqualTo("rejected");
    }

    /**
     * A pays 1 for 1/8 of the cluster, 8; B 3 for 2/8, 12. Threshold of A: 0.3 (1 - 8/12) = 0.1, of 8 units 0.8: seven
     * A leave 1, the eighth would leave 0. A request without a type must leave 0.3, 2.4 units.
     */
    @Test
    void trunkReservationByReward() {
        RewardRig rig = rig(2, "trunk-reservation", "reserve", "0.3");
        assertThat(rig.arriveWith(-1, 4)).isEqualTo("0");
        assertThat(rig.arriveWith(-1, 2)).isEqualTo("rejected");
        rig.leave(0);
        assertThat(rig.arrive(times(8, A))).isEqualTo("0 0 0 0 1 1 1 rejected");
        rig.leave(2);
        assertThat(rig.arrive(B)).isEqualTo("rejected");
        rig.leave(3);
        assertThat(rig.arrive(B)).isEqualTo("0");
    }

    /** Half of 8 cpu, and of 16 of memory, must stay free: four of (1, 2), also after one has left. */
    @Test
    void trunkReservationInTwoResources() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.of("memory")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(4, 8)))),
                List.of(RequestType.of("a", 1, 2)));
        Engine engine = Engine.start(
                cluster,
                PolicySpec.of("trunk-reservation", Map.of("thresholds", "0.5")),
                new Policies(),
                Steps.COMMANDS,
                1,
                0,
                Effects.NONE);
        for (int id = 0; id < 5; id++) {
            engine.arrive(id, id, 0);
            assertThat(engine.find(id) >= 0).isEqualTo(id < 4);
        }
        engine.leave(5, 0);
        engine.arrive(6, 6, 0);
        engine.arrive(7, 7, 0);
        assertThat(engine.find(6)).isNotNegative();
        assertThat(engine.find(7)).isNegative();
    }

    @Test
    void listsOfTheWrongLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig(2, "static-partition", "load-per-server", "1/2/3"))
                .withMessage("parameter load-per-server has 3 numbers, the cluster has 2 request types;"
                        + " give one for each, in their order");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig(2, "trunk-reservation", "thresholds", "0.1"))
                .withMessage("parameter thresholds has 1 numbers, the cluster has 2 request types;"
                        + " give one for each, in their order");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig(2, "trunk-reservation", "thresholds", "0.1/2"))
                .withMessage("parameter thresholds of policy trunk-reservation is \"0.1/2\"; allowed: by-reward |"
                        + " numbers from 0 to 1, one per type, separated by slashes, as in 10/2.5/3");
    }
}
