package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each command, hand-computed: what the policy is told, what the world is told, what the view says. */
class EngineTest {
    private static final long[] NONE = {};
    private final Script script = new Script();

    @Test
    void aRequestArrivesRunsAndLeaves() {
        script.onArrival = Script.PLACE;
        Engine engine = script.start(Steps.COMMANDS);
        assertThat(script.takeCallbacks()).containsExactly("started @0", "round @0");
        engine.arrive(5, 70, 0);
        assertThat(script.takeEffects()).containsExactly("arrived 0", "placed 0 on 0: go");
        assertThat(script.takeCallbacks()).containsExactly("arrived 70 @5", "round @5");
        View view = engine.view();
        assertThat(view.free(0, 0)).isEqualTo(10 - 4);
        assertThat(view.running(0)).isEqualTo(1);
        assertThat(view.state(0)).isEqualTo(JobState.RUNNING);
        assertThat(view.arrivedAt(0)).isEqualTo(5);
        assertThat(engine.find(70)).isZero();
        engine.leave(9, 70);
        assertThat(script.takeEffects()).containsExactly("left 0 from 0");
        assertThat(script.takeCallbacks()).containsExactly("left 70 from 0 @9", "round @9");
        assertThat(view.free(0, 0)).isEqualTo(10);
        assertThat(engine.find(70)).isEqualTo(View.NONE);
        assertThat(engine.arrived()).isEqualTo(1);
        assertThat(engine.left()).isEqualTo(1);
    }

    /** A demand of 0 takes nothing, fits a server that is full to the last unit, and is a request like any other. */
    @Test
    void aDemandOfNothingFitsAFullServer() {
        script.onArrival = Script.PLACE;
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(1, 1, -1, new long[] {10}, NONE, 0);
        engine.arrive(2, 2, -1, new long[] {0}, NONE, 0);
        View view = engine.view();
        assertThat(view.free(0, 0)).isZero();
        assertThat(view.running(0)).isEqualTo(2);
        engine.leave(3, 2);
        assertThat(view.free(0, 0)).isZero();
        assertThat(view.running(0)).isEqualTo(1);
        engine.leave(4, 1);
        assertThat(view.free(0, 0)).isEqualTo(10);
        assertThat(engine.refused()).isZero();
    }

    @Test
    void whoLeavesAQueueHasNoServerAndTheOthersKeepTheirOrder() {
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(1, 1, 0);
        engine.arrive(1, 2, 0);
        engine.arrive(1, 3, 0);
        engine.leave(2, 2);
        assertThat(script.takeEffects()).endsWith("left 1 from -1");
        View view = engine.view();
        assertThat(view.queueLength(0)).isEqualTo(2);
        assertThat(view.queueHead(0)).isZero();
        assertThat(view.next(0)).isEqualTo(2);
    }

    @Test
    void capacityOfWhoLeftIsFreeInTheCallback() {
        script.onArrival = Script.PLACE;
        script.onLeave = (job, view, actions) -> {
            assertThat(view.free(0, 0)).isEqualTo(10);
            assertThat(view.state(job)).isEqualTo(JobState.FREE);
            assertThat(view.demand(job, 0)).isEqualTo(4);
        };
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(1, 1, 0);
        engine.leave(2, 1);
        assertThat(script.callbacks).contains("left 1 from 0 @2");
    }

    @Test
    void everyBadCommandIsRefusedWithItsReasonAndChangesNothing() {
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(10, 1, 0);
        engine.loseServer(10, 1);
        long digest = engine.digest();
        script.takeEffects();
        script.takeCallbacks();
        engine.arrive(9, 2, 0);
        engine.arrive(10, 1, 0);
        engine.arrive(10, -5, 0);
        engine.arrive(10, 2, 2);
        engine.arrive(10, 2, -1);
        engine.arrive(10, 2, -2, new long[] {1}, NONE, 0);
        engine.arrive(10, 2, -1, new long[] {1, 1}, NONE, 0);
        engine.arrive(10, 2, -1, new long[] {-1}, NONE, 0);
        engine.arrive(10, 2, -1, new long[] {1}, new long[] {1}, 0);
        engine.arrive(10, 2, 1);
        engine.leave(10, 2);
        engine.leave(10, -1);
        engine.addServer(10, 1, new long[] {1});
        engine.addServer(10, 0, NONE);
        engine.addServer(10, 0, new long[] {-1});
        engine.addSite(10, new long[] {1});
        engine.drainServer(10, 2);
        engine.drainServer(10, 1);
        engine.removeServer(10, 1);
        engine.loseServer(10, 1);
        engine.returnServer(10, 0);
        engine.setPolicy(10, PolicySpec.of("best"));
        engine.tick(9);
        assertThat(script.takeEffects())
                .containsExactly(
                        "refused LATE 2: time 9 ns is before 10 ns",
                        "refused DUPLICATE_ID 1: request 1 is already in the system",
                        "refused UNKNOWN_ID -5: id -5 is negative",
                        "refused UNKNOWN_TYPE 2: there is no type 2; the types are 0 to 1",
                        "refused UNKNOWN_TYPE 2: there is no type -1; the types are 0 to 1",
                        "refused UNKNOWN_TYPE 2: there is no type -2; the types are 0 to 1",
                        "refused BAD_DEMAND 2: 2 amounts instead of 1",
                        "refused BAD_DEMAND 2: amount -1 is negative",
                        "refused BAD_DEMAND 2: 1 amounts instead of 0",
                        "refused FITS_NO_SERVER 2: no server that is there, even empty, can hold 11 cpu; 1 server is gone (lost"
                                + " or removed) and does not count",
                        "refused UNKNOWN_ID 2: request 2 is not in the system",
                        "refused UNKNOWN_ID -1: request -1 is not in the system",
                        "refused UNKNOWN_SITE 1: there is no site 1; the only one is 0",
                        "refused BAD_CAPACITY 0: 0 amounts instead of 1",
                        "refused BAD_CAPACITY 0: amount -1 is negative",
                        "refused BAD_CAPACITY -1: 1 amounts instead of 0",
                        "refused UNKNOWN_SERVER 2: there is no server 2; the servers are 0 to 1",
                        "refused WRONG_STATUS 1: server 1 is gone and cannot be drained",
                        "refused WRONG_STATUS 1: server 1 is gone and cannot be removed",
                        "refused WRONG_STATUS 1: server 1 is gone and cannot be lost",
                        "refused WRONG_STATUS 0: server 0 is up and cannot be returned",
                        "refused UNKNOWN_POLICY -1: policy best is not one of [script]",
                        "refused LATE -1: time 9 ns is before 10 ns");
        assertThat(script.takeCallbacks()).isEmpty();
        assertThat(engine.digest()).isEqualTo(digest);
        assertThat(engine.refused()).isEqualTo(23);
        assertThat(engine.view().now()).isEqualTo(10);
    }

    @Test
    void timersFireBeforeACommandOfTheSameInstantInOrderOfDeadlineThenSetting() {
        script.onStart = (view, actions) -> {
            actions.timer(7, 70);
            actions.timer(5, 50);
            actions.timer(5, 51);
            actions.cancelTimer(actions.timer(6, 60));
        };
        Engine engine = script.start(Steps.COMMANDS);
        assertThat(engine.nextDeadline()).isEqualTo(5);
        script.takeCallbacks();
        engine.arrive(7, 1, 0);
        assertThat(script.takeCallbacks())
                .containsExactly(
                        "timer 50 @5",
                        "round @5",
                        "timer 51 @5",
                        "round @5",
                        "timer 70 @7",
                        "round @7",
                        "arrived 1 @7",
                        "round @7");
    }

    @Test
    void aTimerSetByATimerFiresInTheSameCommandIfDue() {
        script.onStart = (view, actions) -> actions.timer(5, 1);
        script.onTimer = (view, actions) -> {
            if (view.now() < 15) {
                actions.timer(view.now() + 5, 1);
            }
        };
        Engine engine = script.start(Steps.COMMANDS);
        engine.tick(100);
        assertThat(script.callbacks).contains("timer 1 @5", "timer 1 @10", "timer 1 @15");
        assertThat(engine.view().now()).isEqualTo(100);
    }

    @Test
    void theEndOfTimeIsATimeLikeOthers() {
        Engine engine = script.start(Steps.COMMANDS);
        script.takeCallbacks();
        engine.tick(Long.MAX_VALUE);
        engine.arrive(Long.MAX_VALUE, 1, 0);
        assertThat(script.takeCallbacks()).containsExactly("arrived 1 @" + Long.MAX_VALUE, "round @" + Long.MAX_VALUE);
    }

    @Test
    void aDummyHoldsCapacityUntilItsEnd() {
        script.onStart = (view, actions) -> actions.placeDummy(0, 0, 10, "hold");
        Engine engine = script.start(Steps.COMMANDS);
        assertThat(script.takeEffects()).containsExactly("dummy 0 on 0: hold");
        View view = engine.view();
        assertThat(view.free(0, 0)).isEqualTo(6);
        assertThat(view.dummies(0)).isEqualTo(1);
        assertThat(view.running(0)).isZero();
        assertThat(view.id(0)).isEqualTo(-1);
        engine.tick(9);
        assertThat(script.takeEffects()).isEmpty();
        script.takeCallbacks();
        engine.tick(10);
        assertThat(script.takeEffects()).containsExactly("dummy 0 ended on 0");
        assertThat(script.takeCallbacks()).containsExactly("dummy ended on 0 @10", "round @10");
        assertThat(view.free(0, 0)).isEqualTo(10);
        assertThat(engine.arrived()).as("a dummy is no request").isZero();
    }

    @Test
    void inSlottedTimeOnlyTheRoundCommandEndsAStep() {
        script.onArrival = Script.NOTHING;
        script.onRound = (view, actions) -> {
            while (view.pendingHead() != View.NONE) {
                actions.place(view.pendingHead(), 0, "slot");
            }
        };
        Engine engine = script.start(Steps.SLOTS);
        engine.arrive(1, 1, 0);
        engine.arrive(1, 2, 0);
        assertThat(engine.view().pending()).isEqualTo(2);
        assertThat(script.takeCallbacks()).containsExactly("started @0", "arrived 1 @1", "arrived 2 @1");
        engine.leave(1, 2);
        assertThat(script.takeEffects()).endsWith("left 1 from -1");
        engine.round(1);
        assertThat(script.takeEffects()).containsExactly("placed 0 on 0: slot");
        engine.round(2);
        assertThat(script.takeCallbacks()).containsExactly("left 2 from -1 @1", "round @1", "round @2");
    }

    @Test
    void theRoundCommandBelongsToSlottedTime() {
        Engine engine = script.start(Steps.COMMANDS);
        assertThatThrownBy(() -> engine.round(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("slotted");
    }

    @Test
    void aSuccessorGetsTheWaitingInOrderOfArrivalAndTheRunningStay() {
        script.queues = 2;
        script.onStart = (view, actions) -> {
            actions.timer(50, 1);
            actions.placeDummy(0, 1, 60, "hold");
        };
        Engine engine = script.start(Steps.COMMANDS);
        script.onArrival = Script.PLACE;
        engine.arrive(1, 1, 0);
        script.onArrival = (job, view, actions) -> actions.enqueue(job, 1, "wait");
        engine.arrive(2, 2, 0);
        script.onArrival = Script.ENQUEUE;
        engine.arrive(3, 3, 0);
        script.takeEffects();
        script.takeCallbacks();
        script.queues = 1;
        script.onStart = (view, actions) -> {};
        engine.setPolicy(4, PolicySpec.of("script"));
        assertThat(script.takeEffects())
                .containsExactly("dummy 0 ended on 1", "queued 2 in 0: wait", "queued 3 in 0: wait");
        assertThat(script.takeCallbacks()).containsExactly("started @4", "arrived 2 @4", "arrived 3 @4", "round @4");
        View view = engine.view();
        assertThat(view.queues()).as("the predecessor's queues are gone").isEqualTo(1);
        assertThat(view.running(0)).isEqualTo(1);
        engine.tick(100);
        assertThat(script.takeCallbacks()).as("the predecessor's timer is gone").isEmpty();
    }

    @Test
    void whatTheSuccessorDecidesAtItsStartIsNotHandedOverAgain() {
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(1, 1, 0);
        engine.arrive(1, 2, 0);
        script.onStart = (view, actions) -> actions.place(view.pendingHead(), 0, "at once");
        script.takeCallbacks();
        engine.setPolicy(2, PolicySpec.of("script"));
        assertThat(script.takeCallbacks()).containsExactly("started @2", "arrived 2 @2", "round @2");
    }

    @Test
    void sharesOfTheDivisibleResourceReplaceItsDemand() {
        Cluster divisible = new Cluster(
                List.of(new Resource("speed", true), Resource.of("mem")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(10, 10)))),
                List.of(RequestType.of("task", 10, 1)));
        script.onArrival = (job, view, actions) -> {
            int other = view.firstOn(0);
            if (other != View.NONE) {
                actions.allocate(other, 0);
            }
            actions.place(job, 0, "share");
            if (other != View.NONE) {
                actions.allocate(job, 5);
                actions.allocate(other, 5);
            }
        };
        Engine engine = script.start(divisible, Steps.COMMANDS);
        engine.arrive(1, 1, 0);
        engine.arrive(2, 2, 0);
        View view = engine.view();
        assertThat(view.share(0)).isEqualTo(5);
        assertThat(view.share(1)).isEqualTo(5);
        assertThat(view.free(0, 0)).isZero();
        assertThat(view.free(0, 1)).isEqualTo(10 - 2);
        engine.leave(3, 1);
        assertThat(view.free(0, 0)).isEqualTo(5);
        engine.loseServer(4, 0);
        assertThat(view.share(1)).as("starts anew with its demand").isEqualTo(10);
    }

    @Test
    void aPoolIsSharedByTheServersOfItsSiteOnly() {
        Cluster pooled = new Cluster(
                List.of(Resource.of("cpu")),
                List.of("disk"),
                List.of(
                        new Site("a", List.of(new ServerBlock(2, Amounts.of(10))), Amounts.of(5)),
                        new Site("b", List.of(new ServerBlock(1, Amounts.of(10))), Amounts.of(5))),
                List.of(new RequestType("vm", Amounts.of(1), Amounts.of(3), 7)));
        Engine engine = script.start(pooled, Steps.COMMANDS);
        script.onArrival = Script.PLACE;
        engine.arrive(1, 1, 0);
        script.onArrival = (job, view, actions) -> {
            assertThat(view.fits(job, 1)).as("3 + 3 > 5 in site a").isFalse();
            assertThat(view.fits(job, 2)).isTrue();
            actions.place(job, 2, "other site");
        };
        engine.arrive(2, 2, 0);
        View view = engine.view();
        assertThat(view.pooledFree(0, 0)).isEqualTo(2);
        assertThat(view.pooledFree(1, 0)).isEqualTo(2);
        assertThat(view.reward(1)).isEqualTo(7);
        script.onRound = (seen, actions) -> actions.migrate(0, 1, "within the site the pool does not matter");
        engine.leave(3, 2);
        assertThat(view.server(0)).isEqualTo(1);
        assertThat(view.pooledFree(0, 0)).isEqualTo(2);
    }

    @Test
    void aRequestWithItsOwnDemandCanHaveATypeToo() {
        script.onArrival = Script.PLACE;
        Engine engine = script.start(Steps.COMMANDS);
        long[] demand = {3};
        engine.arrive(1, 1, 0, demand, NONE, 99);
        demand[0] = 8;
        assertThat(engine.view().demand(0, 0)).isEqualTo(3);
        assertThat(engine.view().type(0)).isZero();
        assertThat(engine.view().reward(0)).isEqualTo(99);
        assertThat(engine.view().free(0, 0)).isEqualTo(7);
    }

    @Test
    void randomNumbersDependOnTheNumberOfTheCallbackOnly() {
        List<Long> drawn = new ArrayList<>();
        script.onArrival = (job, view, actions) -> {
            drawn.add(view.random().nextLong());
            actions.reject(job, "only looking");
        };
        Engine engine = script.start(Steps.COMMANDS);
        engine.arrive(1, 1, 0);
        engine.arrive(2, 2, 0);
        Script other = new Script();
        other.onArrival = (job, view, actions) -> {
            view.random().nextDouble();
            actions.reject(job, "draws before");
        };
        Engine second = other.start(Script.cluster(), Steps.COMMANDS);
        second.arrive(1, 1, 0);
        other.onArrival = (job, view, actions) -> {
            drawn.add(view.random().nextLong());
            actions.reject(job, "only looking");
        };
        second.arrive(2, 2, 0);
        assertThat(drawn.get(0)).isNotEqualTo(drawn.get(1));
        assertThat(drawn.get(2)).isEqualTo(drawn.get(1));
    }

    @Test
    void handlesOfTheGoneAreUsedAgain() {
        script.onArrival = Script.PLACE;
        Engine engine = script.start(Steps.COMMANDS);
        for (int id = 0; id < 1_000; id++) {
            engine.arrive(id, id, 0);
            engine.leave(id, id);
        }
        assertThat(engine.handles()).isEqualTo(1);
        assertThat(engine.view().order(0)).as("stale, the handle is free").isEqualTo(999);
        assertThat(engine.view().state(0)).isEqualTo(JobState.FREE);
    }

    /** The handle given with an id is its own, another's, a free one or none; looked for or not before. */
    @Test
    void aHandleIsBelievedOnlyIfItIsThatOfTheId() {
        for (boolean lookedFor : new boolean[] {false, true}) {
            script.onArrival = Script.PLACE;
            Engine engine = script.start(Steps.COMMANDS);
            engine.arrive(1, 7, 0);
            engine.arrive(1, 8, 0);
            assertThat(lookedFor ? engine.find(7) : 0).isZero();
            engine.leave(2, 7, 1);
            assertThat(engine.find(7)).isEqualTo(-1);
            assertThat(engine.find(8)).isEqualTo(1);
            engine.leave(2, 7, 0);
            engine.leave(2, -1, 0);
            assertThat(engine.refused()).isEqualTo(2);
            engine.arrive(3, 9, 0);
            assertThat(engine.find(9)).isZero();
            engine.leave(4, 8, 1);
            engine.leave(4, 9, 999);
            assertThat(engine.left()).isEqualTo(3);
            assertThat(engine.view().running(0)).isZero();
        }
    }
}
