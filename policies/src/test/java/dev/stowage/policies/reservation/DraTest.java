package dev.stowage.policies.reservation;

import static dev.stowage.policies.reservation.RewardRig.A;
import static dev.stowage.policies.reservation.RewardRig.B;
import static dev.stowage.policies.reservation.RewardRig.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.ComparedEngines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * By hand: a server holds two B (reward 6), or B and two A (5), or four A (4). So k[1] = (0,2), and when B runs out
 * k[2] = (4,0). g = 1.
 */
class DraTest {
    /** Y-hat = (1,1): one server each. Servers 0 and 1 are reassigned, server 2 stays in the zero configuration. */
    @Test
    void atTheStart() {
        RewardRig rig = RewardRig.dra(3);
        assertThat(rig.gauges)
                .containsEntry("reserved_slots{type=A}", 4L)
                .containsEntry("reserved_slots{type=B}", 2L)
                .containsEntry("accept_group", 2L)
                .containsEntry("reject_group", 1L);
        assertThat(rig.arrive(A, B)).isEqualTo("1 0");
    }

    /** With server 1 gone its requests run on another one, and are counted there alone. */
    @Test
    void filledSlotsMoveWithTheirRequests() {
        RewardRig rig = RewardRig.dra(3);
        assertThat(rig.arrive(A, A, A)).isEqualTo("1 1 1");
        assertThat(rig.gauges).containsEntry("filled_slots{type=A}", 3L);
        assertThat(rig.lose(1)).isEqualTo("2 2 2");
        assertThat(rig.gauges).containsEntry("filled_slots{type=A}", 3L);
    }

    /** 70 types, of sizes 2 and 4 on servers of 4: as the reference implementation decides. */
    @Test
    void manyTypes() {
        List<RequestType> types = new ArrayList<>();
        for (int type = 0; type < 70; type++) {
            types.add(RewardRig.type("t" + type, type % 2 == 0 ? 4 : 2, 1 + type));
        }
        Cluster cluster = new Cluster(
                List.of(Resource.of("size")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(6, Amounts.of(4)))),
                types);
        ComparedEngines engines = new ComparedEngines(
                cluster, PolicySpec.of("dra", Map.of("slack", "1")), spec -> new SlowDra(1, 0), Steps.COMMANDS);
        int placed = 0;
        for (int id = 0; id < 120; id++) {
            int number = id;
            // Types 65, 67, 69 and 1, 3, 5, which a shift beyond 64 would take for each other.
            int type = id % 3 * 2 + (id % 2 == 0 ? 65 : 1);
            engines.both(engine -> engine.arrive(number, number, type));
            if (id % 3 == 2) {
                engines.both(engine -> engine.leave(number, number - 2));
            }
            placed += engines.agree("request %d", id);
        }
        assertThat(placed).isPositive();
    }

    /** The fourth A makes Y-hat = 5, two servers of fours: server 2. The oldest, server 1, fills first. */
    @Test
    void slotsFollowDemand() {
        RewardRig rig = RewardRig.dra(3);
        assertThat(rig.arrive(A, A, A)).isEqualTo("1 1 1");
        assertThat(rig.gauges).containsEntry("reserved_slots{type=A}", 1L);
        assertThat(rig.arrive(A)).isEqualTo("1");
        assertThat(rig.gauges).containsEntry("reserved_slots{type=A}", 4L).containsEntry("reject_group", 0L);
        assertThat(rig.arrive(times(5, A))).isEqualTo("2 2 2 2 rejected");
    }

    /**
     * Four A fill server 1, server 2 gets (4,0). Two B make Y-hat of B 3: two servers. The empty server 2, of the later
     * configuration, is reassigned. At four B Y-hat is 5: three servers, none empty, I* = 1; nothing is left for (4,0),
     * so server 1 has rank 3 and index 1: Reject Group. Its free slot takes no A; empty, it becomes (0,2).
     */
    @Test
    void serverOfLessRewardIsEmptiedAndReassigned() {
        RewardRig rig = RewardRig.dra(3);
        rig.arrive(times(4, A));
        assertThat(rig.arrive(B, B)).isEqualTo("0 0");
        assertThat(rig.arrive(A, B, B, B)).isEqualTo("rejected 2 2 rejected");
        assertThat(rig.leave(0)).isEmpty();
        assertThat(rig.arrive(A)).isEqualTo("rejected");
        assertThat(rig.gauges).containsEntry("reject_group", 1L);
        assertThat(rig.leave(1, 2, 3)).isEmpty();
        assertThat(rig.arrive(B, B, B)).isEqualTo("1 1 rejected");
    }

    /**
     * Eight A on servers 1 and 2, then two B: (0,2) wants two servers, none is empty, I* = 1. One server is left for
     * (4,0): server 1, the oldest, rank 2; server 2, index 1, rank 3: Reject Group. Server 1 is in the Accept Group for
     * its index is 2. Each A that leaves server 1 pulls one over from server 2, an A that leaves server 2 pulls
     * nothing. When server 2 is empty it is reassigned.
     */
    @Test
    void departuresEmptyTheRejectGroup() {
        RewardRig rig = RewardRig.dra(3);
        assertThat(rig.arrive(times(8, A))).isEqualTo("1 1 1 1 2 2 2 2");
        assertThat(rig.arrive(B, B, B)).isEqualTo("0 0 rejected");
        assertThat(rig.leave(0)).isEqualTo("2>1");
        // Request 4 was placed first on server 2 and has moved to server 1.
        assertThat(rig.engine.view().server(rig.engine.find(4))).isEqualTo(1);
        assertThat(rig.leave(5)).isEmpty();
        assertThat(rig.arrive(A, B)).isEqualTo("rejected rejected");
        assertThat(rig.leave(1, 4)).isEqualTo("2>1 2>1");
        assertThat(rig.arrive(B, B, B)).isEqualTo("2 2 rejected");
    }

    @Test
    void requestsOfNoKnownTypeAreRejected() {
        RewardRig rig = RewardRig.dra(3);
        assertThat(rig.arriveWith(-1, 1)).isEqualTo("rejected");
        assertThat(rig.arriveWith(A, 2)).isEqualTo("rejected");
        assertThat(rig.arriveWith(A, 1)).isEqualTo("1");
    }

    /**
     * First fit puts an A, a stranger of size 1 and a B on server 0, a B on server 1. Taking over, DRA sets server 0
     * aside; server 1 is (0,1), which nothing asks for. Y-hat = (2,3) wants two servers (0,2), one is there: server 2,
     * I* = 1. Server 1 has rank 3 and index 1, Reject Group. B go to server 2 until the stranger leaves: server 0 takes
     * part as (1,1), index 1, Reject Group.
     */
    @Test
    void takesOverFromAnotherPolicy() {
        RewardRig rig = new RewardRig(3, PolicySpec.of("first-fit"));
        assertThat(rig.arrive(A)).isEqualTo("0");
        assertThat(rig.arriveWith(-1, 1)).isEqualTo("0");
        assertThat(rig.arrive(B, B)).isEqualTo("0 1");
        rig.setPolicy(PolicySpec.of("dra", Map.of("slack", "1")));
        assertThat(rig.gauges).containsEntry("reject_group", 1L).containsEntry("accept_group", 1L);
        assertThat(rig.arrive(A, B)).isEqualTo("rejected 2");
        rig.leave(1);
        assertThat(rig.gauges).containsEntry("reject_group", 2L).containsEntry("accept_group", 1L);
        // The B on server 2 leaves; both other B are in the Reject Group, at equal rank: that of the lower server
        // moves.
        assertThat(rig.leave(5)).isEqualTo("0>2");
    }

    /**
     * A type larger than every server: its requests are refused by the engine; slots of the others are as if there were
     * none.
     */
    @Test
    void typeThatFitsNoServer() {
        for (String policy : List.of("dra", "gpa-static", "static-partition")) {
            RewardRig rig = new RewardRig(
                    2,
                    PolicySpec.of(policy),
                    RewardRig.type("A", 1, 1),
                    RewardRig.type("B", 2, 3),
                    RewardRig.type("giant", 5, 1000));
            assertThat(rig.arrive(2)).as(policy).isEmpty();
            assertThat(rig.engine.refused()).as(policy).isEqualTo(1);
            assertThat(rig.arrive(B)).as(policy).isEqualTo("0");
        }
        RewardRig rig = new RewardRig(
                3,
                PolicySpec.of("dra", Map.of("slack", "1")),
                RewardRig.type("A", 1, 1),
                RewardRig.type("B", 2, 3),
                RewardRig.type("giant", 5, 1000));
        assertThat(rig.gauges)
                .containsEntry("reserved_slots{type=giant}", 0L)
                .containsEntry("reserved_slots{type=B}", 2L);
    }

    @Test
    void negativeReward() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RewardRig.type("A", 1, -1))
                .withMessage("type A has reward -1 micro-units per hour and mean service time 0 ns; both must be at"
                        + " least 0");
    }

    /** The only server is wanted as (0,2) and as (2,1): no stack is left over for the second, and none is rejected. */
    @Test
    void aConfigurationWithoutServersRejectsNothing() {
        RewardRig rig = RewardRig.dra(1);
        assertThat(rig.gauges).containsEntry("reject_group", 0L).containsEntry("accept_group", 1L);
        assertThat(rig.arrive(A, B)).isEqualTo("rejected 0");
        assertThat(rig.gauges).containsEntry("reject_group", 0L).containsEntry("accept_group", 1L);
    }

    /** g above what the cluster holds: (0,2) gets all servers, and A are rejected. */
    @Test
    void slackBeyondTheCluster() {
        RewardRig rig = new RewardRig(2, PolicySpec.of("dra", Map.of("slack", "1000000000")));
        assertThat(rig.arrive(A, B, B, B, B, B)).isEqualTo("rejected 0 0 1 1 rejected");
    }

    /**
     * Server 1 with its four A drains: server 2 takes over (4,0). Lost, its requests start anew where there are slots.
     */
    @Test
    void serversComeAndGo() {
        RewardRig rig = RewardRig.dra(3);
        rig.arrive(A, A);
        rig.drain(1);
        assertThat(rig.arrive(A)).isEqualTo("2");
        assertThat(rig.lose(1)).isEqualTo("2 2");
        rig.returnServer(1);
        assertThat(rig.arrive(A, A)).isEqualTo("2 1");
    }

    /** Without an update in between four A fill (4,0) and the fifth is rejected; a second later two servers have it. */
    @Test
    void periodicUpdates() {
        RewardRig rig = new RewardRig(3, PolicySpec.of("dra", Map.of("slack", "1", "update-s", "1")));
        assertThat(rig.arrive(times(5, A))).isEqualTo("1 1 1 1 rejected");
        rig.tick(1_000_000_000);
        assertThat(rig.arrive(A)).isEqualTo("2");
    }

    @Test
    void serviceInterpretationTellsVms() {
        RewardRig rig = new RewardRig(3, PolicySpec.of("dra", Map.of("slack", "1", "interpretation", "service")));
        rig.arrive(A, A, A, B);
        assertThat(rig.gauges)
                .containsEntry("vms{type=A}", 4L)
                .containsEntry("busy_vms{type=A}", 3L)
                .containsEntry("idle_vms{type=A}", 1L)
                .containsEntry("vms{type=B}", 2L)
                .doesNotContainKey("reserved_slots{type=A}");
    }

    /** ln 100 = 4.605: to the power 1.5 it is 9.88; ln 10,000 = 9.210, 27.95. */
    @ParameterizedTest
    @CsvSource({"0, 1, 1, 1", "1, 1, 1, 1", "2, 1, 2, 1", "100, 10, 10, 5", "10000, 28, 100, 10"})
    void slack(int servers, long logPower, long sqrt, long log) {
        assertThat(Slack.LOG_POWER.slots(servers)).isEqualTo(logPower);
        assertThat(Slack.SQRT.slots(servers)).isEqualTo(sqrt);
        assertThat(Slack.LOG.slots(servers)).isEqualTo(log);
    }
}
