package dev.stowage.sim.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.sim.statistics.TimeGrid;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Hand-computed runs of 100 s, in 10 intervals of 10 s; servers of capacity 10. */
class RunMetricsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Cluster TWO = Cluster.single(2, 10);

    private final RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, 100 * SECOND, 10), 1);
    private @Nullable Measurements measured;

    /** a and b run for ever; c, which came at 10, waits to the end: 90 s so far. The fourth, of 11, fits no server. */
    @Test
    void whoStillWaitsAndWhoFitsNoServerCount() {
        Engine engine = engine("fifo-ff");
        arrive(engine, 0, 1, 6, 0);
        arrive(engine, 0, 2, 6, 0);
        arrive(engine, 10, 3, 6, 0);
        arrive(engine, 20, 4, 11, 0);
        measured = collector.finish(100 * SECOND);

        Map<String, RunMetric> all = metrics(0);
        has(all, "wait_mean_s", 0);
        has(all, "wait_max_s", 90);
        has(all, "arrived", 4);
        has(all, "rejected", 1);
        has(all, "rejection_fraction", 0.25);
        has(all, "fits_no_server_fraction", 0.25);
    }

    /**
     * Requests of 6: a and b run from 0 on, one per server; c comes at 10, waits for a, which leaves at 30. b leaves at
     * 50, c at 60. Running: 2 for 50 s, 1 for 10 s. Waiting: 1 for 20 s. a pays 3 per second for 30 s.
     */
    @Test
    void aRequestWaits() {
        Engine engine = engine("fifo-ff");
        arrive(engine, 0, 1, 6, 3 * 3_600_000_000L);
        arrive(engine, 0, 2, 6, 0);
        arrive(engine, 10, 3, 6, 0);
        engine.leave(30 * SECOND, 1);
        engine.leave(50 * SECOND, 2);
        engine.leave(60 * SECOND, 3);
        measured = collector.finish(100 * SECOND);

        Map<String, RunMetric> all = metrics(0);
        assertThat(all).as("less than an hour").doesNotContainKey("idle_servers_mean");
        has(all, "arrived", 3);
        has(all, "placed", 3);
        has(all, "left", 3);
        has(all, "rejection_fraction", 0);
        has(all, "wait_mean_s", 20.0 / 3);
        has(all, "wait_max_s", 20);
        has(all, "wait_p50_s", 0);
        has(all, "waited_fraction", 1.0 / 3);
        has(all, "queue_length_mean", 20.0 / 100);
        has(all, "queue_length_max", 1);
        has(all, "queue_length_final", 0);
        has(all, "queued_demand_mean{resource=r0}", 6 * 20.0 / 100);
        has(all, "running_mean", (2 * 50 + 10) / 100.0);
        has(all, "in_system_mean", (2 * 50 + 10 + 20) / 100.0);
        has(all, "utilization{resource=r0}", 6 * (2 * 50 + 10) / (20 * 100.0));
        has(all, "occupied_servers_mean", (2 * 50 + 10) / 100.0);
        has(all, "occupied_servers_max", 2);
        has(all, "reward_rate", 3 * 30 / 100.0);

        // The first 50 s cut off: only c runs, for 10 of 50 s; nobody arrives.
        Map<String, RunMetric> late = metrics(50);
        has(late, "arrived", 0);
        has(late, "left", 2);
        has(late, "running_mean", 10 / 50.0);
        assertThat(late).doesNotContainKeys("rejection_fraction", "wait_mean_s");
    }

    /**
     * Server 1 dies at 20 with b on it: b waits until a leaves server 0 at 40, and leaves at 90. Capacity: 20 for 20 s,
     * then 10. Use: 12 for 20 s, 6 for 70 s. b's second start does not count as a second wait.
     */
    @Test
    void aServerIsLost() {
        Engine engine = engine("fifo-ff");
        arrive(engine, 0, 1, 6, 0);
        arrive(engine, 0, 2, 6, 0);
        engine.loseServer(20 * SECOND, 1);
        engine.leave(40 * SECOND, 1);
        engine.leave(90 * SECOND, 2);
        measured = collector.finish(100 * SECOND);

        Map<String, RunMetric> all = metrics(0);
        has(all, "displaced", 1);
        has(all, "placed", 3);
        has(all, "left", 2);
        has(all, "waited_fraction", 0);
        has(all, "queue_length_mean", 20 / 100.0);
        has(all, "utilization{resource=r0}", (12 * 20 + 6 * 70) / (20 * 20 + 10 * 80.0));
        has(all, "occupied_servers_mean", (2 * 20 + 70) / 100.0);
    }

    /**
     * A third request of 6 fits nowhere and is rejected; one that fits no empty server is refused, and counts as
     * rejected.
     */
    @Test
    void notEverybodyIsServed() {
        Engine engine = engine("first-fit");
        arrive(engine, 0, 1, 6, 0);
        arrive(engine, 0, 2, 6, 0);
        arrive(engine, 5, 3, 6, 0);
        arrive(engine, 5, 4, 11, 0);
        measured = collector.finish(100 * SECOND);

        Map<String, RunMetric> all = metrics(0);
        has(all, "rejected", 2);
        has(all, "rejection_fraction", 2.0 / 4);
        has(all, "fits_no_server_fraction", 1.0 / 4);
        has(all, "refused", 1);
        has(all, "in_system_mean", 2);
    }

    /** Of two removals, one is of a server that holds a request; that is counted even if it is cut as a warm-up. */
    @Test
    void refusedChangesOfServersCountFromTheStart() {
        Engine engine = engine("first-fit");
        arrive(engine, 0, 1, 6, 0);
        engine.removeServer(5 * SECOND, 0);
        engine.removeServer(5 * SECOND, 1);
        measured = collector.finish(100 * SECOND);

        has(metrics(50), "server_changes_refused", 1);
        has(metrics(50), "refused", 0);
    }

    @Test
    void oneGivesUpWaiting() {
        Engine engine = engine("fifo-ff");
        arrive(engine, 0, 1, 10, 0);
        arrive(engine, 0, 2, 10, 0);
        arrive(engine, 10, 3, 1, 0);
        engine.leave(60 * SECOND, 3);
        measured = collector.finish(100 * SECOND);

        Map<String, RunMetric> all = metrics(0);
        has(all, "queue_length_mean", 50 / 100.0);
        has(all, "placed", 2);
        has(all, "left", 1);
        has(all, "wait_mean_s", 0);
    }

    /** The request of 4 moves from server 0 to 1 at 50, when a timer says so: always one server is occupied. */
    @Test
    void aRequestMigrates() {
        Engine engine = engine(spec -> new Policy() {
            private int moved;

            @Override
            public void arrived(int job, View view, Actions actions) {
                actions.place(job, 0, "first");
                actions.timer(50 * SECOND, 0);
                moved = job;
            }

            @Override
            public void timer(long tag, View view, Actions actions) {
                actions.migrate(moved, 1, "moves");
            }
        });
        arrive(engine, 0, 1, 4, 0);
        engine.tick(100 * SECOND);
        measured = collector.finish(100 * SECOND);

        Map<String, RunMetric> all = metrics(0);
        has(all, "migrations", 1);
        has(all, "migrations_per_arrival", 1);
        has(all, "occupied_servers_mean", 1);
        has(all, "occupied_servers_max", 1);
        has(all, "utilization{resource=r0}", 4 / 20.0);
        assertThat(engine.view().running(1)).isEqualTo(1);
    }

    /**
     * Ten hours. Server 0 is empty from 2 to 2:30, which is too short, and from 4 to 6; server 1 all the time, except
     * that it is drained from 3 to 9:30. Idle are 2 + 3 server-hours of 10; after the first five hours 1 of 5.
     */
    @Test
    void serversThatAreEmptyForAnHourCouldBeSwitchedOff() {
        long hour = 3600 * SECOND;
        RunCollector hours = new RunCollector(TimeGrid.forHorizon(0, 10 * hour, 10), 1);
        Engine engine = Engine.start(TWO, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, hours);
        arrive(engine, 0, 1, 6, 0);
        engine.leave(2 * hour, 1);
        arrive(engine, 2 * 3600 + 1800, 2, 6, 0);
        engine.drainServer(3 * hour, 1);
        engine.leave(4 * hour, 2);
        arrive(engine, 6 * 3600, 3, 6, 0);
        engine.returnServer(9 * hour + hour / 2, 1);
        measured = hours.finish(10 * hour);

        has(metrics(0), "idle_servers_mean", 5 / 10.0);
        has(metrics(5 * 3600), "idle_servers_mean", 1 / 5.0);
        assertThat(RunMetrics.of(measured, TWO, List.of("t"), 0, Set.of())
                        .get("idle_servers_mean")
                        .numerators())
                .containsExactly(1, 1, 1, 0, 1, 1, 0, 0, 0, 0);
    }

    private Engine engine(String policy) {
        return engine(spec -> new Policies().create(PolicySpec.of(policy)));
    }

    private Engine engine(PolicyFactory policies) {
        return Engine.start(TWO, PolicySpec.of("policy"), policies, Steps.COMMANDS, 1, 0, collector);
    }

    private static void arrive(Engine engine, long second, long id, long demand, long rewardMicros) {
        engine.arrive(second * SECOND, id, -1, new long[] {demand}, new long[0], rewardMicros);
    }

    private Map<String, RunMetric> metrics(long warmUpSeconds) {
        return RunMetrics.of(Objects.requireNonNull(measured), TWO, List.of("t"), warmUpSeconds * SECOND, Set.of());
    }

    private static void has(Map<String, RunMetric> metrics, String name, double expected) {
        assertThat(metrics).containsKey(name);
        assertThat(metrics.get(name).value()).as(name).isCloseTo(expected, within(1e-9));
    }

    /** A gauge is 0 until 20 s, 4 until 70 s, 1 until the end. */
    @Test
    void aGauge() {
        Gauge gauge = Gauge.of("slots", "slots").with("type", "small");
        PolicyFactory told = spec -> new Policy() {
            @Override
            public void arrived(int job, View view, Actions actions) {
                actions.gauge(gauge, view.id(job));
                actions.reject(job, "");
            }
        };
        Engine engine = Engine.start(TWO, PolicySpec.of("told"), told, Steps.COMMANDS, 1, 0, collector);
        arrive(engine, 20, 4, 1, 0);
        arrive(engine, 70, 1, 1, 0);
        measured = collector.finish(100 * SECOND);
        has(metrics(0), "slots_mean{type=small}", (4 * 50 + 30) / 100.0);
    }
}
