package dev.stowage.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Gangs, agents, evictions, moves and leases by hand, on servers of capacity 10 in one resource. */
class AgentsTest {
    private static final int WAITS = -1;

    private final List<String> heard = new ArrayList<>();
    private Engine engine = started("first-fit", 3);

    private Engine started(String policy, int servers) {
        Effects listener = new Effects() {
            @Override
            public void stopping(long now, int job, int server, String reason) {
                heard.add("stopping " + engine.view().id(job));
            }

            @Override
            public void startFailed(long now, int job, int server) {
                heard.add("failed " + engine.view().id(job) + " on " + server);
            }

            @Override
            public void strayed(long now, long id, int server) {
                heard.add("stray " + id + " on " + server);
            }

            @Override
            public void refused(long now, long subject, Refusal refusal, String detail) {
                heard.add("refused " + refusal);
            }
        };
        return Engine.start(
                Cluster.single(servers, 10),
                PolicySpec.of(policy, policy.equals("fifo-ff") ? Map.of() : Map.of("when-full", "queue")),
                new Policies(),
                Steps.COMMANDS,
                1,
                0,
                listener);
    }

    private int server(long id) {
        return engine.view().server(engine.find(id));
    }

    private void arrive(long at, long id, long demand) {
        engine.arrive(at, NewRequest.of(id, demand));
    }

    private void agent(long at, long id, long demand) {
        engine.arrive(at, NewRequest.of(id, demand).withAgent());
    }

    private static List<NewRequest> gang(long first, long... demands) {
        List<NewRequest> members = new ArrayList<>();
        Arrays.stream(demands).forEach(demand -> members.add(NewRequest.of(first + members.size(), demand)));
        return members;
    }

    @Test
    void aGangIsPlacedWholeOrWaitsWhole() {
        arrive(1, 1, 6);
        engine.arriveTogether(2, gang(10, 6, 6));
        assertThat(List.of(server(10), server(11))).containsExactly(1, 2);
        // Two of these would fit, one on the 4 that each server has left: none is placed.
        engine.arriveTogether(3, gang(20, 4, 4, 5));
        assertThat(List.of(server(20), server(21), server(22))).containsOnly(WAITS);
        // Behind it a single request goes ahead where it fits: the queue does not hold it up.
        arrive(4, 2, 3);
        assertThat(server(2)).isZero();
        // Server 0 gives back 6: 3 are held, 7 are free, so 4 goes there, 4 to server 1, 5 fits nowhere (3, 0, 4).
        engine.leave(5, 1);
        assertThat(server(20)).isEqualTo(WAITS);
        engine.leave(6, 11);
        assertThat(List.of(server(20), server(21), server(22))).containsExactly(0, 1, 2);
        assertThat(engine.view().gang(engine.find(20))).isEqualTo(-1);
    }

    @Test
    void aGangThatBecomesSmallerMayFit() {
        engine = started("best-fit", 2);
        engine.arriveTogether(1, gang(1, 8));
        engine.arriveTogether(2, gang(10, 8, 6));
        assertThat(List.of(server(10), server(11))).containsOnly(WAITS);
        engine.leave(3, 10);
        assertThat(server(11)).isEqualTo(1);
    }

    @Test
    void inFifoAGangAtTheHeadHoldsUpTheRest() {
        engine = started("fifo-ff", 2);
        arrive(1, 1, 6);
        engine.arriveTogether(2, gang(10, 6, 6));
        arrive(3, 2, 1);
        assertThat(List.of(server(10), server(11), server(2))).containsOnly(WAITS);
        engine.leave(4, 1);
        assertThat(List.of(server(10), server(11), server(2))).containsExactly(0, 1, 0);
    }

    @Test
    void gangsThatCannotBeAreRefused() {
        engine.arriveTogether(1, List.of());
        engine.arriveTogether(1, List.of(NewRequest.of(1, 2), NewRequest.of(1, 2)));
        engine.arriveTogether(1, gang(1, 2, 11));
        engine.arriveTogether(1, gang(1, 8, 8, 8, 8));
        assertThat(heard)
                .containsExactly(
                        "refused BAD_DEMAND",
                        "refused DUPLICATE_ID",
                        "refused FITS_NO_SERVER",
                        "refused FITS_NO_SERVER");
        assertThat(engine.arrived()).isZero();
    }

    @Test
    void aFailedStartGoesElsewhereAndIsCounted() {
        agent(1, 1, 4);
        assertThat(engine.view().phase(engine.find(1))).isEqualTo(Phase.PLACED);
        engine.startFailed(2, 1);
        assertThat(server(1)).isEqualTo(1);
        engine.startFailed(3, 1);
        assertThat(server(1)).isEqualTo(2);
        assertThat(engine.view().startFailures(engine.find(1))).isEqualTo(2);
        // No server is left that it has not failed on: only the last is avoided.
        engine.startFailed(4, 1);
        assertThat(server(1)).isZero();
        engine.started(5, 1);
        assertThat(engine.view().phase(engine.find(1))).isEqualTo(Phase.STARTED);
        engine.startFailed(6, 1);
        assertThat(heard).containsExactly("failed 1 on 0", "failed 1 on 1", "failed 1 on 2", "refused WRONG_PHASE");
    }

    @Test
    void whatStopsHoldsItsCapacityUntilItHasStopped() {
        engine = started("first-fit", 1);
        agent(1, 1, 6);
        engine.started(2, 1);
        arrive(3, 2, 6);
        engine.stop(4, 1);
        assertThat(server(2)).isEqualTo(WAITS);
        engine.stop(4, 1);
        engine.stopped(5, 1);
        assertThat(engine.find(1)).isEqualTo(-1);
        assertThat(server(2)).isZero();
        // Without an agent it has ended at once.
        engine.stop(6, 2);
        assertThat(engine.find(2)).isEqualTo(-1);
        assertThat(heard).containsExactly("stopping 1", "refused WRONG_PHASE");
    }

    @Test
    void whatIsEvictedRunsElsewhere() {
        arrive(1, 1, 4);
        agent(2, 2, 4);
        engine.evict(3, 1);
        assertThat(server(1)).isEqualTo(1);
        engine.evict(4, 2);
        assertThat(server(2)).isZero();
        assertThat(engine.view().free(0, 0)).isEqualTo(6);
        engine.stopped(5, 2);
        assertThat(server(2)).isEqualTo(1);
        assertThat(heard).containsExactly("stopping 2");
    }

    @Test
    void aDrainMovesOneAfterTheOther() {
        arrive(1, 1, 2);
        arrive(1, 2, 2);
        agent(1, 3, 2);
        engine.drainServer(10, 0, 5);
        assertThat(List.of(server(1), server(2), server(3))).containsExactly(1, 0, 0);
        engine.tick(14);
        assertThat(server(2)).isZero();
        engine.tick(15);
        assertThat(server(2)).isEqualTo(1);
        engine.tick(20);
        assertThat(server(3)).isZero();
        assertThat(heard).containsExactly("stopping 3");
        engine.stopped(21, 3);
        assertThat(server(3)).isEqualTo(1);
        assertThat(engine.view().running(0)).isZero();
    }

    @Test
    void aSilentServerIsSuspectedThenLost() {
        engine.heartbeat(1, 0, 7, 10, 5);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.RETURNING);
        agent(2, 1, 8);
        assertThat(server(1)).isEqualTo(1);
        engine.report(3, 0, 7);
        agent(4, 2, 8);
        assertThat(server(2)).isZero();
        engine.heartbeat(5, 0, 7, 10, 5);
        engine.tick(14);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.UP);
        engine.loseServer(14, 0);
        engine.tick(15);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.SUSPECTED);
        assertThat(server(2)).isZero();
        engine.tick(19);
        assertThat(server(2)).isZero();
        // The lease and the grace time have run out: 5 + 10 + 5.
        engine.tick(20);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.GONE);
        assertThat(server(2)).isEqualTo(2);
        engine.heartbeat(30, 0, 6, 10, 5);
        engine.heartbeat(30, 0, 7, 10, 5);
        engine.report(31, 0, 7, 2);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.UP);
        assertThat(heard).containsExactly("refused LEASE", "refused LEASE", "stray 2 on 0");
    }

    @Test
    void timeThatNobodyMeasuredIsNoSilence() {
        engine.heartbeat(0, 0, 1, 10, 5);
        engine.report(0, 0, 1);
        engine.heartbeat(0, 1, 1, 10, 20);
        engine.report(0, 1, 1);
        agent(1, 1, 8);
        engine.renewLeases(9, 8);
        engine.renewLeases(9, 1000);
        engine.tick(1009);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.UP);
        engine.tick(1010);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.SUSPECTED);
        // Now the grace times begin anew.
        engine.renewLeases(1014, 2000);
        engine.tick(2004);
        assertThat(server(1)).isZero();
        engine.tick(2005);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.GONE);
        assertThat(engine.view().status(1)).isEqualTo(ServerStatus.SUSPECTED);
        assertThat(server(1)).isEqualTo(2);
        engine.heartbeat(2006, 0, 1, 10, 5);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.RETURNING);
        assertThat(heard).containsExactly("refused BAD_TIME");
    }

    @Test
    void aReportSaysWhatDoesNotRunAnyMore() {
        agent(1, 1, 2);
        agent(1, 2, 2);
        agent(1, 3, 2);
        engine.started(2, 1);
        engine.started(2, 2);
        engine.stop(3, 2);
        // The agent is new; 3 was never started and is not to be: its agent has yet to.
        engine.heartbeat(4, 0, 1, 100, 100);
        engine.report(5, 0, 1);
        assertThat(List.of(server(1), server(3))).containsExactly(0, 0);
        assertThat(engine.find(2)).isEqualTo(-1);
        assertThat(engine.view().phase(engine.find(1))).isEqualTo(Phase.PLACED);
    }

    /** Four lower requests leave a server one by one; the room is kept for the one that they leave it for. */
    @Test
    void roomThatIsMadeGoesToTheRequestThatItIsMadeFor() {
        engine = started("best-fit", 1);
        for (int id = 1; id <= 4; id++) {
            agent(id, id, 2);
            engine.started(id, id);
        }
        engine.arrive(10, NewRequest.of(9, 10).withPriority(5).withAgent());
        assertThat(heard).containsExactly("stopping 4", "stopping 3", "stopping 2", "stopping 1");
        agent(11, 5, 1);
        for (int id = 1; id <= 3; id++) {
            engine.stopped(20 + id, id);
            assertThat(List.of(server(5), server(id), server(9))).containsOnly(WAITS);
        }
        engine.stopped(24, 4);
        assertThat(server(9)).isZero();
        assertThat(heard).hasSize(4);
        // It gives up: the others have their room back.
        engine.leave(30, 9);
        assertThat(List.of(server(1), server(2), server(3), server(4), server(5)))
                .containsOnly(0);
    }

    @Test
    void aHeldServerIsFreeAgainWhenTheRequestGivesUpOrGoesElsewhere() {
        engine = started("first-fit", 2);
        agent(1, 1, 9);
        agent(1, 2, 9);
        engine.arrive(2, NewRequest.of(9, 10).withPriority(5));
        assertThat(heard).containsExactly("stopping 1");
        agent(3, 3, 1);
        assertThat(server(3)).isEqualTo(1);
        engine.leave(4, 9);
        agent(5, 4, 1);
        assertThat(server(4)).isZero();
        // The next one holds server 1, from which nobody must be asked to go; when server 0 is empty it goes there.
        engine.evict(6, 2);
        engine.arrive(7, NewRequest.of(10, 9).withPriority(5));
        assertThat(server(10)).isEqualTo(WAITS);
        engine.leave(8, 4);
        engine.leave(9, 1);
        assertThat(server(10)).isZero();
    }

    @Test
    void whoGoesFirstTakesRoomThatIsHeldForSomebodyLower() {
        engine = started("first-fit", 1);
        agent(1, 1, 5);
        agent(1, 2, 5);
        engine.arrive(2, NewRequest.of(8, 10).withPriority(1));
        engine.stopped(3, 1);
        arrive(4, 3, 5);
        engine.arrive(5, NewRequest.of(9, 5).withPriority(2));
        assertThat(List.of(server(9), server(8), server(3))).containsExactly(0, WAITS, WAITS);
        // What is there now is not lower than 8: nothing is held for it any more.
        engine.stopped(6, 2);
        assertThat(List.of(server(8), server(1))).containsExactly(WAITS, 0);
    }
}
