package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that leave when they have waited too long. */
class ImpatienceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final RequestTraits ANY_TIME = RequestTraits.NONE;

    private final List<String> log = new ArrayList<>();

    private static RequestTraits waits(long seconds) {
        return ANY_TIME.withMaxWait(MaxWait.of(seconds * SECOND));
    }

    private static void add(TraceBuilder builder, long at, long runs, long demand, RequestTraits traits) {
        builder.add(
                at * SECOND,
                runs * SECOND,
                new long[] {demand},
                Trace.NO_BATCH,
                null,
                null,
                ConstraintWords.NONE,
                traits);
    }

    private static Setup setup(int servers, Workload workload, Steps steps, End end, Hazards hazards) {
        return new Setup(
                Cluster.single(servers, 10),
                workload,
                DrawnOrigins.ANYWHERE,
                PolicySpec.of("first-fit", Map.of("when-full", "queue")),
                new Policies(),
                steps,
                steps == Steps.SLOTS ? SECOND : 0,
                1,
                end,
                List.of(),
                1,
                hazards);
    }

    private RunEnd run(int servers, TraceBuilder requests, Steps steps) {
        return run(servers, requests, steps, Hazards.NONE);
    }

    private RunEnd run(int servers, TraceBuilder requests, Steps steps, Hazards hazards) {
        log.clear();
        Workload workload = new TraceWorkload(requests.build());
        End end = new End(Long.MAX_VALUE, Long.MAX_VALUE, true);
        return Simulation.run(
                setup(servers, workload, steps, end, hazards), new RequestLog(log), engine -> engine, Progress.NONE);
    }

    /**
     * Of a server of 10 request 0 takes all for 20 s. Request 1 would wait 5 s, 2 not at all, 3 until 20 exactly, when
     * its wait ends before the server is free, 4 any time, 5 is placed at 25 after 7 of the 8 s it would have waited.
     */
    @ParameterizedTest
    @ValueSource(strings = {"COMMANDS", "SLOTS"})
    void whoWaitedTooLongLeaves(String steps) {
        TraceBuilder requests = new TraceBuilder(List.of("r0"));
        add(requests, 0, 20, 10, waits(0));
        add(requests, 1, 9, 1, waits(5));
        add(requests, 2, 9, 1, waits(0));
        add(requests, 10, 9, 1, waits(10));
        add(requests, 11, 5, 10, ANY_TIME);
        add(requests, 18, 5, 10, waits(8));
        RunEnd end = run(1, requests, Steps.valueOf(steps));
        assertThat(log)
                .containsExactly(
                        "0 on 0 0",
                        "2 expired 2",
                        "6 expired 1",
                        "20 expired 3",
                        "20 left 0",
                        "20 on 0 4",
                        "25 left 4",
                        "25 on 0 5");
        assertThat(end.left()).isEqualTo(5);
        assertThat(end.endNanos()).as("nobody waits any more").isEqualTo(25 * SECOND);
    }

    /** A gang of 3 members of 4 needs two servers of 10; it leaves as a whole, and another one is placed in time. */
    @ParameterizedTest
    @ValueSource(strings = {"COMMANDS", "SLOTS"})
    void aGangLeavesAsAWhole(String steps) {
        RequestTraits gang = new RequestTraits(0, 3, false);
        TraceBuilder requests = new TraceBuilder(List.of("r0"));
        add(requests, 0, 10, 10, ANY_TIME);
        add(requests, 1, 5, 4, gang.withMaxWait(MaxWait.of(6 * SECOND)));
        add(requests, 2, 5, 4, gang.withMaxWait(MaxWait.of(9 * SECOND)));
        run(2, requests, Steps.valueOf(steps));
        assertThat(log)
                .containsExactly(
                        "0 on 0 0",
                        "7 expired 1",
                        "7 expired 2",
                        "7 expired 3",
                        "10 left 0",
                        "10 on 0 4",
                        "10 on 0 5",
                        "10 on 1 6");
    }

    /**
     * The only server fails at 4 and is up again at 10. Request 0 waits from 4 on and leaves when the 7 s since its
     * arrival are over; request 1 had run at the end of its 3 s, and waits for any time.
     */
    @Test
    void whoWasDisplacedHasTheRestOfItsTime() {
        TraceBuilder requests = new TraceBuilder(List.of("r0"));
        add(requests, 0, 20, 5, waits(7));
        add(requests, 0, 20, 5, waits(3));
        Hazards hazards = new Hazards(
                List.of(new ServerFailures(0, 1, Distribution.deterministic(4), Distribution.deterministic(6))), null);
        log.clear();
        Workload workload = new TraceWorkload(requests.build());
        End end = new End(12 * SECOND, Long.MAX_VALUE, false);
        Simulation.run(
                setup(1, workload, Steps.COMMANDS, end, hazards), new RequestLog(log), engine -> engine, Progress.NONE);
        assertThat(log)
                .containsExactly("0 on 0 0", "0 on 0 1", "4 displaced 0", "4 displaced 1", "7 expired 0", "10 on 0 1");
    }

    /**
     * One server, exponential service and patience with one mean, arrivals at the rate of service times a: each present
     * request ends with the same rate, so their number is Poisson of mean a, and (a - 1 + exp(-a)) / a of the requests
     * leave unserved (C. Palm, 1957; the Erlang-A queue).
     */
    @Test
    void erlangA() {
        for (double a : new double[] {0.5, 1, 2}) {
            SyntheticType type = SyntheticType.inSeconds("one", a, Demand.fixed(10), Distribution.exponential(1))
                    .withTraits(ANY_TIME.withMaxWait(new MaxWait(Distribution.exponential(1), SECOND)));
            Workload workload = SyntheticWorkload.of(List.of("r0"), ArrivalProcess.poisson(), List.of(type));
            log.clear();
            RunEnd end = Simulation.run(
                    setup(1, workload, Steps.COMMANDS, new End(Long.MAX_VALUE, 200_000, false), Hazards.NONE),
                    new RequestLog(log),
                    engine -> engine,
                    Progress.NONE);
            double expired =
                    log.stream().filter(line -> line.contains("expired")).count();
            // The standard error is about .0015: neighbouring requests are alike.
            assertThat(expired / end.arrived()).isEqualTo((a - 1 + StrictMath.exp(-a)) / a, within(0.006));
        }
    }
}
