package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.PolicySpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every misuse of a verb stops the run with a message that carries the values. */
class PolicyBugTest {
    private final Script script = new Script();

    /** Two servers of 10 cpu in a site with 5 disk; type 0 needs 6 and 3. */
    private static Cluster cluster() {
        return new Cluster(
                List.of(Resource.of("cpu")),
                List.of("disk"),
                List.of(new Site("site", List.of(new ServerBlock(2, Amounts.of(10))), Amounts.of(5))),
                List.of(new RequestType("vm", Amounts.of(6), Amounts.of(3), 0)));
    }

    private void assertBug(Script.OnJob onArrival, String... words) {
        script.onArrival = onArrival;
        Engine engine = script.start(cluster(), Steps.COMMANDS);
        assertThatThrownBy(() -> engine.arrive(5, 70, 0))
                .isInstanceOf(PolicyBugException.class)
                .hasMessageContainingAll(words);
        assertThatThrownBy(() -> engine.tick(6))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stopped at 5 ns");
        assertThatThrownBy(engine::save).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void placing() {
        assertBug((job, view, actions) -> actions.place(job, 2, ""), "place at 5 ns", "request 70", "server 2", "0..1");
        assertBug((job, view, actions) -> actions.place(job, -1, ""), "server -1 is not one of 0..1");
        assertBug((job, view, actions) -> actions.place(9, 0, ""), "job 9", "FREE");
        assertBug(
                (job, view, actions) -> {
                    actions.place(job, 0, "");
                    actions.place(job, 1, "");
                },
                "request 70",
                "RUNNING, neither PENDING nor WAITING");
    }

    @Test
    void overfilling() {
        assertBug(
                (job, view, actions) -> {
                    actions.placeDummy(0, 0, 10, "");
                    actions.place(job, 0, "");
                },
                "does not fit server 0",
                "cpu needs 6 and 4 is free",
                "disk of site 0 needs 3 and 2 is free");
        assertBug(
                (job, view, actions) -> {
                    actions.placeDummy(0, 0, 10, "");
                    actions.placeDummy(0, 1, 10, "");
                },
                "placeDummy",
                "disk of site 0 needs 3 and 2 is free");
    }

    @Test
    void aServerThatIsNotUp() {
        script.onArrival = Script.PLACE;
        Engine engine = script.start(cluster(), Steps.COMMANDS);
        engine.drainServer(1, 0);
        assertThatThrownBy(() -> engine.arrive(5, 70, 0))
                .isInstanceOf(PolicyBugException.class)
                .hasMessageContaining("server 0 is DRAINING, not UP");
    }

    @Test
    void queueingAndRejecting() {
        assertBug((job, view, actions) -> actions.enqueue(job, 1, ""), "queue 1 is not one of 0..0");
        assertBug((job, view, actions) -> actions.enqueue(job, -1, ""), "queue -1");
        assertBug(
                (job, view, actions) -> {
                    actions.reject(job, "");
                    actions.reject(job, "");
                },
                "reject",
                "job 0",
                "FREE");
    }

    @Test
    void migrating() {
        assertBug((job, view, actions) -> actions.migrate(job, 1, ""), "PENDING, not RUNNING");
        assertBug(
                (job, view, actions) -> {
                    actions.place(job, 0, "");
                    actions.migrate(job, 0, "");
                },
                "already runs on server 0");
        assertBug(
                (job, view, actions) -> {
                    actions.place(job, 0, "");
                    actions.migrate(job, 5, "");
                },
                "migrate",
                "server 5");
    }

    @Test
    void allocating() {
        assertBug((job, view, actions) -> actions.allocate(job, 1), "no resource of this cluster is divisible");
        Cluster divisible = new Cluster(
                List.of(new Resource("speed", true)),
                List.of(),
                Cluster.single(1, 10).sites(),
                List.of(RequestType.of("task", 4)));
        for (long amount : new long[] {-1, 11, Long.MAX_VALUE}) {
            Script other = new Script();
            other.onArrival = (job, view, actions) -> {
                actions.place(job, 0, "");
                actions.allocate(job, amount);
            };
            Engine engine = other.start(divisible, Steps.COMMANDS);
            assertThatThrownBy(() -> engine.arrive(5, 70, 0))
                    .isInstanceOf(PolicyBugException.class)
                    .hasMessageContaining("amount " + amount + " is not in 0..10, what server 0 has");
        }
        Script waiting = new Script();
        waiting.onArrival = (job, view, actions) -> actions.allocate(job, 1);
        Engine engine = waiting.start(divisible, Steps.COMMANDS);
        assertThatThrownBy(() -> engine.arrive(5, 70, 0))
                .isInstanceOf(PolicyBugException.class)
                .hasMessageContaining("PENDING, not RUNNING");
    }

    @Test
    void timersAndDummies() {
        assertBug((job, view, actions) -> actions.timer(5, 0), "deadline 5 ns is not later than now, 5 ns");
        assertBug((job, view, actions) -> actions.cancelTimer(3), "timer 3 is not set");
        assertBug((job, view, actions) -> actions.placeDummy(1, 0, 9, ""), "type 1 is not one of the 1");
        assertBug((job, view, actions) -> actions.placeDummy(0, 0, 5, ""), "end 5 ns is not later than now");
        assertBug((job, view, actions) -> actions.placeDummy(0, 7, 9, ""), "placeDummy", "server 7");
    }

    @Test
    void theEndOfADummyIsNoTimerOfThePolicy() {
        assertBug(
                (job, view, actions) -> {
                    actions.placeDummy(0, 0, 9, "");
                    actions.cancelTimer(0);
                },
                "timer 0 is not set");
    }

    @Test
    void leavingARequestUndecided() {
        assertBug(Script.NOTHING, "left request 70 (job 0) undecided at 5 ns");
    }

    @Test
    void hidingItIsNoHelp() {
        assertBug(
                (job, view, actions) -> {
                    try {
                        actions.place(job, 9, "");
                    } catch (PolicyBugException e) {
                        actions.reject(job, "");
                    }
                },
                "server 9");
    }

    /** In slotted time, too, the run stops at the callback, not at the end of the slot. */
    @Test
    void hidingItIsNoHelpBeforeTheSlotEnds() {
        script.onArrival = (job, view, actions) -> {
            try {
                actions.place(job, 9, "");
            } catch (PolicyBugException e) {
                actions.reject(job, "");
            }
        };
        Engine engine = script.start(cluster(), Steps.SLOTS);
        assertThatThrownBy(() -> engine.arrive(5, 70, 0))
                .isInstanceOf(PolicyBugException.class)
                .hasMessageContaining("server 9");
    }

    /** The engine that failed says who did. */
    private static void assertStopped(Engine engine, Class<? extends Throwable> failure, String... words) {
        assertThatThrownBy(() -> engine.arrive(5, 70, 0)).isInstanceOf(failure);
        assertThatThrownBy(() -> engine.tick(6))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the engine stopped at 5 ns: ")
                .hasMessageContainingAll(words)
                .hasCauseInstanceOf(failure);
    }

    @Test
    void aBrokenRuleIsThePolicys() {
        assertStopped(
                script.start(cluster(), Steps.COMMANDS, Script.NOTHING),
                PolicyBugException.class,
                "policy script broke a rule",
                "left request 70");
    }

    @Test
    void anotherExceptionOfAPolicyStopsTheRunToo() {
        Script.OnJob divides = (job, view, actions) -> {
            throw new ArithmeticException("by zero");
        };
        assertStopped(
                script.start(cluster(), Steps.COMMANDS, divides),
                ArithmeticException.class,
                "policy script failed",
                "by zero");
        Script.OnJob recurses = (job, view, actions) -> {
            throw new StackOverflowError();
        };
        assertStopped(
                new Script().start(cluster(), Steps.COMMANDS, recurses),
                StackOverflowError.class,
                "policy script failed");
    }

    /** Whatever callback throws: the run stops at the time of the callback, and the policy is named. */
    @Test
    void anExceptionInAnyCallbackStopsTheRun() {
        RuntimeException failure = new ArithmeticException("in a callback");
        Script.OnCall fails = (view, actions) -> {
            throw failure;
        };
        Script.OnJob failsFor = (job, view, actions) -> {
            throw failure;
        };
        Script timer = new Script();
        timer.onTimer = fails;
        timer.onStart = (view, actions) -> actions.timer(9, 1);
        assertStopsAt(9, timer, engine -> engine.tick(12));
        for (int kind = 0; kind < 5; kind++) {
            int change = kind;
            Script servers = new Script();
            Engine engine = servers.start(cluster(), Steps.COMMANDS);
            if (change == 1) {
                engine.drainServer(6, 1);
            }
            servers.onServerChange = fails;
            assertStopsAt(7, engine, one -> change(change, one));
        }
        Script displaced = new Script();
        displaced.onArrival = Script.PLACE;
        displaced.onDisplaced = failsFor;
        Engine losing = displaced.start(cluster(), Steps.COMMANDS);
        losing.arrive(5, 70, 0);
        assertStopsAt(7, losing, engine -> engine.loseServer(7, 0));
        Script left = new Script();
        left.onLeave = failsFor;
        Engine leaving = left.start(cluster(), Steps.COMMANDS);
        leaving.arrive(5, 70, 0);
        assertStopsAt(7, leaving, engine -> engine.leave(7, 70));
        Script dummy = new Script();
        dummy.onStart = (view, actions) -> actions.placeDummy(0, 0, 8, "");
        dummy.onDummyEnd = failsFor;
        assertStopsAt(8, dummy, engine -> engine.tick(8));
        Script round = new Script();
        Engine slots = round.start(cluster(), Steps.SLOTS);
        round.onRound = fails;
        assertStopsAt(7, slots, engine -> engine.round(7));
    }

    private static void change(int kind, Engine engine) {
        switch (kind) {
            case 0 -> engine.drainServer(7, 0);
            case 1 -> engine.returnServer(7, 1);
            case 2 -> engine.removeServer(7, 0);
            case 3 -> engine.loseServer(7, 0);
            default -> engine.addServer(7, 0, new long[] {4});
        }
    }

    private static void assertStopsAt(long at, Script script, Consumer<Engine> command) {
        assertStopsAt(at, script.start(cluster(), Steps.COMMANDS), command);
    }

    private static void assertStopsAt(long at, Engine engine, Consumer<Engine> command) {
        assertThatThrownBy(() -> command.accept(engine)).isExactlyInstanceOf(ArithmeticException.class);
        String stopped = "the engine stopped at " + at + " ns: policy script failed: ";
        assertThatThrownBy(() -> engine.tick(20)).hasMessageContainingAll(stopped, "in a callback");
        assertThatThrownBy(engine::save).hasMessageContaining(stopped);
        assertThatThrownBy(engine::copy).hasMessageContaining(stopped);
    }

    @Test
    void theExceptionOfAListenerIsNotThePolicys() {
        Effects fullDisk = new Effects() {
            @Override
            public void placed(long now, int job, int server, String reason) {
                throw new UncheckedIOException(new IOException("no space left"));
            }
        };
        script.onArrival = Script.PLACE;
        assertStopped(
                Engine.start(cluster(), PolicySpec.of("script"), script, Steps.COMMANDS, 1, 0, fullDisk),
                UncheckedIOException.class,
                "a listener failed",
                "no space left");
        Effects deaf = new Effects() {
            @Override
            public void arrived(long now, int job) {
                throw new IllegalArgumentException("deaf");
            }
        };
        assertStopped(
                Engine.start(cluster(), PolicySpec.of("script"), script, Steps.COMMANDS, 1, 0, deaf),
                IllegalArgumentException.class,
                "a listener failed");
    }
}
