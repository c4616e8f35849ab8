package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Timers, departures by order of arrival, changes of servers, arrivals, and in slotted time the round, at one instant.
 */
class OrderAtOneInstantTest {
    /** Places what arrives on server 0; one timer, at 10. */
    private static final class OnServer0 implements Policy {
        @Override
        public void started(View view, Actions actions) {
            actions.timer(10, 0);
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.place(job, 0, "");
        }
    }

    /** Requests of one unit, each with its arrival and its work. */
    private static final class Given implements Workload, RequestStream {
        private final long[][] requests;
        private int at = -1;

        Given(long[]... requests) {
            this.requests = requests;
        }

        @Override
        public List<String> resources() {
            return List.of("r0");
        }

        @Override
        public List<String> types() {
            return List.of("any");
        }

        @Override
        public RequestStream open(long seed) {
            at = -1;
            return this;
        }

        @Override
        public boolean next() {
            at++;
            return at < requests.length;
        }

        @Override
        public long arrivalNanos() {
            return requests[at][0];
        }

        @Override
        public int type() {
            return 0;
        }

        @Override
        public long demand(int resource) {
            return 1;
        }

        @Override
        public long workNanos() {
            return requests[at][1];
        }
    }

    private final List<String> log = new ArrayList<>();

    /** Writes each command with its time and its subject. */
    private Commands logged(Engine engine) {
        return (Commands) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Commands.class}, (proxy, method, arguments) -> {
                    String subject = arguments.length == 1 ? "" : " " + arguments[1];
                    log.add(arguments[0] + " " + method.getName() + subject);
                    return method.invoke(engine, arguments);
                });
    }

    private void run(Steps steps, Workload workload) {
        Setup setup = new Setup(
                Cluster.single(2, 100),
                workload,
                DrawnOrigins.ANYWHERE,
                PolicySpec.of("any"),
                spec -> new OnServer0(),
                steps,
                10,
                1,
                new End(30, Long.MAX_VALUE, false),
                List.of(
                        ScheduledChange.of(10, ScheduledChange.Kind.DRAIN, 1, 1),
                        ScheduledChange.of(10, ScheduledChange.Kind.RETURN, 1, 1)),
                1);
        Simulation.run(setup, Effects.NONE, this::logged, Progress.NONE);
    }

    @Test
    void inContinuousTime() {
        run(Steps.COMMANDS, new Given(new long[][] {{0, 10}, {3, 7}, {10, 5}, {10, 5}}));
        assertThat(log)
                .containsExactly(
                        "0 arrive 0",
                        "3 arrive 1",
                        "10 tick",
                        "10 leave 0",
                        "10 leave 1",
                        "10 drainServer 1",
                        "10 returnServer 1",
                        "10 arrive 2",
                        "10 arrive 3",
                        "15 leave 2",
                        "15 leave 3",
                        "30 tick");
    }

    @Test
    void inSlottedTimeWhatHappensBetweenBoundariesIsCarriedToTheNext() {
        run(Steps.SLOTS, new Given(new long[][] {{0, 8}, {0, 10}, {3, 5}, {10, 5}}));
        assertThat(log)
                .containsExactly(
                        "0 tick",
                        "0 arrive 0",
                        "0 arrive 1",
                        "0 round",
                        "10 tick",
                        "10 leave 0",
                        "10 leave 1",
                        "10 drainServer 1",
                        "10 returnServer 1",
                        "10 arrive 2",
                        "10 arrive 3",
                        "10 round",
                        "20 tick",
                        "20 leave 2",
                        "20 leave 3",
                        "20 round",
                        "30 tick");
    }
}
