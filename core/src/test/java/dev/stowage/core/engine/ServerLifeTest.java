package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servers that join, drain, return, are removed or lost, hand-computed. */
class ServerLifeTest {
    private static final long[] NONE = {};
    private final Script script = new Script();

    @Test
    void aServerWithRequestsIsNotRemovedButDrainedOrLost() {
        script.onArrival = Script.PLACE;
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(1, 1, 0);
        script.takeEffects();
        engine.removeServer(2, 0);
        assertThat(script.takeEffects())
                .containsExactly(
                        "refused WRONG_STATUS 0: server 0 still holds 1 request; drain it first, or report it lost");
        engine.drainServer(3, 0);
        assertThat(engine.view().fits(0, 0)).isFalse();
        engine.leave(4, 1);
        engine.removeServer(5, 0);
        engine.returnServer(6, 0);
        assertThat(script.takeEffects())
                .containsExactly("server 0 DRAINING", "left 0 from 0", "server 0 GONE", "server 0 UP");
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.UP);
    }

    @Test
    void aServerWithANameIsNamedInMessages() {
        Engine engine = script.start(Steps.COMMANDS);
        int server = engine.view().servers();
        engine.addServer(1, 0, new long[] {10}, "web-01", Labels.NONE);
        engine.removeServer(2, server);
        script.takeEffects();
        engine.removeServer(3, server);
        assertThat(script.takeEffects())
                .containsExactly("refused WRONG_STATUS " + server + ": server web-01 is gone and cannot be removed");
    }

    @Test
    void aLostServersRequestsArePendingAgainInTheOrderOfPlacement() {
        script.onArrival = Script.PLACE;
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(1, 1, 0);
        engine.arrive(2, 2, 0);
        script.takeEffects();
        script.takeCallbacks();
        script.onDisplaced = (job, view, actions) -> actions.place(job, 1, "elsewhere");
        engine.loseServer(3, 0);
        assertThat(script.takeEffects())
                .containsExactly(
                        "displaced 0 from 0",
                        "displaced 1 from 0",
                        "server 0 GONE",
                        "placed 0 on 1: elsewhere",
                        "placed 1 on 1: elsewhere");
        assertThat(script.takeCallbacks())
                .containsExactly("server 0 GONE @3", "displaced 1 from 0 @3", "displaced 2 from 0 @3", "round @3");
        assertThat(engine.view().free(0, 0)).isEqualTo(10);
        assertThat(engine.view().free(1, 0)).isEqualTo(10 - 2 * 4);
        assertThat(engine.view().order(1)).as("order of arrival is kept").isEqualTo(1);
    }

    /** A dummy that follows a dummy for ever must not keep a server from being lost. */
    @Test
    void aLostServerIsEmptyBeforeThePolicyHearsOfIt() {
        script.onStart = (view, actions) -> {
            actions.placeDummy(0, 0, 100, "hold");
            actions.placeDummy(0, 0, 200, "hold");
        };
        List<ServerStatus> seen = new ArrayList<>();
        script.onDummyEnd = (dummy, view, actions) -> {
            seen.add(view.status(0));
            actions.placeDummy(0, 1, 300, "hold again");
        };
        Engine engine = script.start(Steps.COMMANDS);
        script.takeEffects();
        engine.loseServer(1, 0);
        assertThat(script.takeEffects())
                .containsExactly(
                        "dummy 0 ended on 0",
                        "dummy 1 ended on 0",
                        "server 0 GONE",
                        "dummy 2 on 1: hold again",
                        "dummy 0 on 1: hold again");
        assertThat(seen).containsExactly(ServerStatus.GONE, ServerStatus.GONE);
        assertThat(engine.view().dummies(0)).isZero();
        assertThat(engine.view().free(1, 0)).isEqualTo(10 - 2 * 4);
        engine.tick(299);
        assertThat(script.takeEffects()).as("the old ends are taken back").isEmpty();
    }

    @Test
    void aRemovedServersDummiesEnd() {
        script.onStart = (view, actions) -> actions.placeDummy(0, 0, 100, "hold");
        Engine engine = script.start(Steps.COMMANDS);
        engine.removeServer(1, 0);
        assertThat(script.effects).endsWith("dummy 0 ended on 0", "server 0 GONE");
        assertThat(engine.nextDeadline()).isEqualTo(DeadlineHeap.NEVER);
    }

    @Test
    void addedServersAndSitesGetTheNextNumbersAndQueuesGrow() {
        Engine engine = script.start(Steps.COMMANDS);
        script.takeCallbacks();
        engine.addSite(1, NONE);
        assertThat(script.takeCallbacks())
                .as("a site without servers is no step")
                .isEmpty();
        script.queues = 3;
        engine.addServer(2, 1, new long[] {20});
        assertThat(script.takeEffects()).containsExactly("server 2 UP");
        assertThat(script.takeCallbacks()).containsExactly("server 2 UP @2", "round @2");
        View view = engine.view();
        assertThat(view.sites()).isEqualTo(2);
        assertThat(view.site(2)).isEqualTo(1);
        assertThat(view.capacityClass(2)).isEqualTo(1);
        assertThat(view.queues()).isEqualTo(3);
        engine.arrive(3, 1, 1);
        assertThat(script.takeEffects()).as("11 fits now").contains("arrived 0");
    }

    /** The agent is dead for good: every change of its server was refused, and no refusal named a way out. */
    @Test
    void aServerWhoseAgentDoesNotComeBackIsRemovedAfterAHeartbeat() {
        Engine engine = script.start(Steps.COMMANDS);
        engine.heartbeat(1, 0, 3, 10, 10);
        engine.tick(100);
        assertThat(engine.view().status(0)).isEqualTo(ServerStatus.GONE);
        script.takeEffects();
        engine.removeServer(101, 0);
        engine.returnServer(101, 0);
        assertThat(script.takeEffects()).hasSize(2).allMatch(refusal -> refusal.contains(" send one heartbeat "));
        engine.heartbeat(102, 0, 3, 10, 10);
        engine.removeServer(103, 0);
        engine.returnServer(104, 0);
        assertThat(script.takeEffects()).containsExactly("server 0 RETURNING", "server 0 GONE", "server 0 UP");
        engine.tick(1000);
        assertThat(engine.view().status(0)).as("no lease ends").isEqualTo(ServerStatus.UP);
    }
}
