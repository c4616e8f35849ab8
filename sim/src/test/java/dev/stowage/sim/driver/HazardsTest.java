package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.policies.Policies;
import dev.stowage.sim.measure.MeasuredPart;
import dev.stowage.sim.measure.Measurements;
import dev.stowage.sim.measure.RunCollector;
import dev.stowage.sim.measure.RunMetric;
import dev.stowage.sim.measure.RunMetrics;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers that fail, starts that fail, gangs and priorities in a simulation, compared with results computed by hand.
 */
final class HazardsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String QUEUE = "queue";

    @TempDir
    private Path directory;

    private final List<String> log = new ArrayList<>();

    /** With the servers. */
    private final class Log extends RequestLog {
        Log() {
            super(log);
        }

        @Override
        public void serverChanged(long now, int server, ServerStatus status) {
            log.add(now / SECOND + " " + status + " " + server);
        }
    }

    private static ServerFailures failures(int from, int count, double up, double down) {
        return new ServerFailures(from, count, Distribution.deterministic(up), Distribution.deterministic(down));
    }

    private static Trace trace(RequestTraits traits, long[]... requests) {
        TraceBuilder builder = new TraceBuilder(List.of("r0"));
        for (long[] each : requests) {
            builder.add(
                    each[0] * SECOND,
                    each[1] * SECOND,
                    new long[] {each[2]},
                    Trace.NO_BATCH,
                    null,
                    null,
                    ConstraintWords.NONE,
                    each.length > 3 ? new RequestTraits((int) each[3], 1, false) : traits);
        }
        return builder.build();
    }

    private static Setup setup(int servers, Workload workload, String policy, Hazards hazards, long end, Steps steps) {
        return new Setup(
                Cluster.single(servers, 10),
                workload,
                DrawnOrigins.ANYWHERE,
                PolicySpec.of(policy, Map.of("when-full", QUEUE)),
                new Policies(),
                steps,
                steps == Steps.SLOTS ? SECOND : 0,
                1,
                new End(end == Long.MAX_VALUE ? end : end * SECOND, Long.MAX_VALUE, end == Long.MAX_VALUE),
                List.of(),
                1,
                hazards);
    }

    private RunEnd run(Setup setup) {
        log.clear();
        return Simulation.run(setup, new Log(), engine -> engine, Progress.NONE);
    }

    /** Up for 10 s, down for 5 s: 5 of 8 s are lost, and all 8 are run again. */
    @ParameterizedTest
    @ValueSource(strings = {"COMMANDS", "SLOTS"})
    void whatRunsOnAServerThatFailsStartsAnew(String steps) {
        Workload workload = new TraceWorkload(trace(RequestTraits.NONE, new long[] {5, 8, 1}, new long[] {24, 1, 1}));
        run(setup(
                1, workload, "first-fit", new Hazards(List.of(failures(0, 1, 10, 5)), null), 35, Steps.valueOf(steps)));
        assertThat(log)
                .containsExactly(
                        "5 on 0 0",
                        "10 displaced 0",
                        "10 GONE 0",
                        "15 UP 0",
                        "15 on 0 0",
                        "23 left 0",
                        "24 on 0 1",
                        "25 left 1",
                        "25 GONE 0",
                        "30 UP 0");
    }

    /** Drained, a run goes on while its only server is down and nothing runs, for it will be repaired. */
    @Test
    void aDrainedRunWaitsForRepairs() {
        Workload workload = new TraceWorkload(trace(RequestTraits.NONE, new long[] {5, 8, 1}, new long[] {6, 1, 10}));
        RunEnd end = run(setup(
                1,
                workload,
                "first-fit",
                new Hazards(List.of(failures(0, 1, 10, 5)), null),
                Long.MAX_VALUE,
                Steps.COMMANDS));
        assertThat(log).contains("10 displaced 0", "15 on 0 0", "23 on 0 1");
        assertThat(end.endNanos()).isEqualTo(23 * SECOND);
    }

    /** The times do not depend on the policy, and those of one server do not depend on the other servers. */
    @Test
    void failuresAreKeyedByServer() {
        Set<String> changes = null;
        for (String policy : List.of("first-fit", "best-fit")) {
            for (int failing : new int[] {3, 4}) {
                ServerFailures drawn =
                        new ServerFailures(0, failing, Distribution.exponential(20), Distribution.uniform(1, 5));
                run(setup(4, poisson(1), policy, new Hazards(List.of(drawn), null), 400, Steps.COMMANDS));
                Set<String> ofThree = new TreeSet<>(log.stream()
                        .filter(line -> line.matches("\\d+ (UP|GONE) [012]"))
                        .toList());
                assertThat(ofThree).hasSizeGreaterThan(60);
                assertThat(changes == null ? ofThree : changes).isEqualTo(ofThree);
                changes = ofThree;
            }
        }
    }

    private static Workload poisson(double perSecond) {
        return SyntheticWorkload.of(
                List.of("r0"),
                ArrivalProcess.poisson(),
                List.of(SyntheticType.inSeconds("t", perSecond, Demand.fixed(2), Distribution.exponential(5))));
    }

    /** In the long run a server is up for 20 of 20 + 5 s: 80 %, with half a per cent for 4 x 4,000 cycles. */
    @Test
    void presentCapacityIsTheAvailabilityOfRenewals() {
        ServerFailures drawn = new ServerFailures(0, 4, Distribution.exponential(20), Distribution.exponential(5));
        Map<String, RunMetric> metrics = metrics(
                setup(4, poisson(1), "best-fit", new Hazards(List.of(drawn), null), 100_000, Steps.COMMANDS),
                100_000,
                Set.of(MeasuredPart.FAILURES));
        assertThat(value(metrics, "present_capacity{resource=r0}")).isBetween(0.795, 0.805);
        assertThat(value(metrics, "servers_gone")).isBetween(15_600.0, 16_400.0);
        assertThat(value(metrics, "displaced")).isPositive();
        // A request in service is on a server that fails about every 20 s: about 5 / 20 of them are displaced.
        assertThat(value(metrics, "lost_run_s")).isPositive();
    }

    /** Without failures none of these metrics exists, so rows stay as they were. */
    @Test
    void thereAreNoMeasuresOfWhatIsNotThere() {
        Map<String, RunMetric> metrics =
                metrics(setup(4, poisson(1), "best-fit", Hazards.NONE, 100, Steps.COMMANDS), 100, Set.of());
        assertThat(metrics.keySet())
                .contains("displaced")
                .doesNotContain(
                        "evicted",
                        "failed_starts",
                        "lost_run_s",
                        "servers_gone",
                        "gangs_arrived",
                        "gangs_placed",
                        "present_capacity{resource=r0}");
    }

    private static double value(Map<String, RunMetric> metrics, String name) {
        return Objects.requireNonNull(metrics.get(name), () -> name + " is not among " + metrics.keySet())
                .value();
    }

    private static Map<String, RunMetric> metrics(Setup setup, long seconds, Set<MeasuredPart> parts) {
        RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, seconds * SECOND), 1);
        Measurements measured = collector.finish(Simulation.run(setup, collector, engine -> engine, Progress.NONE)
                .endNanos());
        return RunMetrics.of(measured, setup.cluster(), List.of("t"), 0, parts);
    }

    /** Work begins when the request has started. */
    @Test
    void aStartTakesTime() {
        Workload workload = new TraceWorkload(trace(RequestTraits.NONE, new long[] {1, 3, 1}));
        run(setup(
                1,
                workload,
                "first-fit",
                new Hazards(List.of(), new Starts(0, Distribution.deterministic(2))),
                9,
                Steps.COMMANDS));
        assertThat(log).containsExactly("1 on 0 0", "3 started 0", "6 left 0");
    }

    /**
     * A third fails: the number of failures before a success has mean 1/2, whatever the policy; 4,000 requests have
     * 2,000 with a standard deviation of 55.
     */
    @Test
    void startsFailByRequestAndAttempt() {
        Hazards hazards = new Hazards(List.of(), new Starts(1.0 / 3, Distribution.exponential(0.5)));
        double before = 0;
        for (String policy : List.of("first-fit", "best-fit")) {
            Setup setup = setup(40, poisson(1), policy, hazards, 4000, Steps.COMMANDS);
            Map<String, RunMetric> metrics = metrics(setup, 4000, Set.of(MeasuredPart.STARTS));
            double failed = value(metrics, "failed_starts");
            assertThat(failed).isBetween(1780.0, 2220.0);
            // With room for all, when a request is placed does not depend on the policy.
            assertThat(before == 0 ? failed : before).isEqualTo(failed);
            before = failed;
            assertThat(value(metrics, "placed")).isEqualTo(value(metrics, "arrived") + failed);
        }
    }

    /** A server is full from 0 to 6 s; at 1 s two come that need 4 each for 2 s. */
    private static Workload gangOfTwo(boolean apart) {
        TraceBuilder builder = new TraceBuilder(List.of("r0"));
        builder.add(0, 6 * SECOND, 8);
        builder.add(
                SECOND,
                2 * SECOND,
                new long[] {4},
                Trace.NO_BATCH,
                null,
                null,
                ConstraintWords.NONE,
                new RequestTraits(0, 2, apart));
        return new TraceWorkload(builder.build());
    }

    /** Two of three servers are needed at once; the second is busy until 6 s, so both members wait for it. */
    @Test
    void aGangWaitsForAllItsServers() {
        Setup setup = setup(2, gangOfTwo(true), "first-fit", Hazards.NONE, Long.MAX_VALUE, Steps.COMMANDS);
        run(setup);
        assertThat(log).containsExactly("0 on 0 0", "6 left 0", "6 on 0 1", "6 on 1 2");

        Map<String, RunMetric> metrics = metrics(setup, 10, Set.of(MeasuredPart.GANGS));
        assertThat(value(metrics, "gangs_arrived")).isEqualTo(1);
        assertThat(value(metrics, "gangs_placed")).isEqualTo(1);
        assertThat(value(metrics, "arrived")).isEqualTo(3);
    }

    /** If members may share a server, the free one takes both at once. */
    @Test
    void membersMayShareAServer() {
        run(setup(2, gangOfTwo(false), "first-fit", Hazards.NONE, 9, Steps.COMMANDS));
        assertThat(log).containsExactly("0 on 0 0", "1 on 1 1", "1 on 1 2", "3 left 1", "3 left 2", "6 left 0");
    }

    /** The request of higher priority evicts the lower one, which had run for 2 s and runs all of its 5 s again. */
    @Test
    void aHigherPriorityTakesThePlaceOfALowerOne() {
        Workload workload =
                new TraceWorkload(trace(RequestTraits.NONE, new long[] {0, 5, 8, 0}, new long[] {2, 4, 8, 7}));
        Setup setup = setup(1, workload, "first-fit", Hazards.NONE, 20, Steps.COMMANDS);
        run(setup);
        assertThat(log).containsExactly("0 on 0 0", "2 evicted 0", "2 on 0 1", "6 left 1", "6 on 0 0", "11 left 0");

        Map<String, RunMetric> metrics = metrics(setup, 20, Set.of(MeasuredPart.PRIORITIES));
        assertThat(value(metrics, "evicted")).isEqualTo(1);
        assertThat(value(metrics, "lost_run_s")).isEqualTo(2);
        assertThat(value(metrics, "displaced")).isZero();
    }

    /** With an agent the lower one is told to stop, and reports at once that it has stopped. */
    @Test
    void oneWithAnAgentStopsFirst() {
        Workload workload =
                new TraceWorkload(trace(RequestTraits.NONE, new long[] {0, 5, 8, 0}, new long[] {2, 4, 8, 7}));
        run(setup(
                1,
                workload,
                "best-fit",
                new Hazards(List.of(), new Starts(0, Distribution.deterministic(1))),
                20,
                Steps.COMMANDS));
        assertThat(log)
                .containsExactly(
                        "0 on 0 0",
                        "1 started 0",
                        "2 stopping 0",
                        "2 evicted 0",
                        "2 on 0 1",
                        "3 started 1",
                        "7 left 1",
                        "7 on 0 0",
                        "8 started 0",
                        "13 left 0");
    }

    /** All of it recorded and replayed, and run again under another policy. */
    @Test
    void aRecordingHasGangsPrioritiesAndFaults() {
        SyntheticType plain = SyntheticType.inSeconds("t", 1, Demand.fixed(2), Distribution.exponential(5));
        Workload workload = SyntheticWorkload.of(
                List.of("r0"),
                ArrivalProcess.poisson(),
                List.of(
                        plain,
                        SyntheticType.inSeconds("gang", 0.2, Demand.fixed(3), Distribution.exponential(5))
                                .withTraits(new RequestTraits(2, 3, true))));
        Hazards hazards = new Hazards(List.of(failures(0, 2, 20, 3)), null);
        Setup setup = setup(5, workload, "first-fit", hazards, 200, Steps.COMMANDS);
        Recording recording = recorded(setup);

        assertThat(recording.agrees()).isTrue();
        assertThat(recording.estimated()).isZero();
        assertThat(recording.notKept()).isEmpty();
        Trace requests = recording.requests();
        long members = 0;
        for (int i = 0; i < requests.size(); i++) {
            RequestTraits traits = requests.typeTraits(requests.type(i));
            assertThat(traits.members()).isIn(1, 3);
            assertThat(traits.priority()).isEqualTo(traits.isGang() ? 2 : 0);
            members += traits.members();
        }
        // 0.2 gangs of 3 and 1 request a second for 200 s: 320, with a standard deviation of 24.
        assertThat(members).isBetween(250L, 390L);
        assertThat(requests.hasGangs()).isTrue();
        assertThat(recording.changes()).extracting(ScheduledChange::kind).contains(ScheduledChange.Kind.LOSE);
    }

    /** Work and starts are in the commands; another policy gets the requests without agents, with a note. */
    @Test
    void aRecordingHasStarts() {
        Hazards hazards = new Hazards(List.of(failures(0, 2, 20, 3)), new Starts(0.1, Distribution.exponential(0.3)));
        Setup setup = setup(5, poisson(2), "best-fit", hazards, 200, Steps.COMMANDS);
        Recording recording = recorded(setup);
        assertThat(recording.agrees()).isTrue();
        assertThat(recording.estimated()).isZero();
        assertThat(recording.notKept()).anyMatch(note -> note.contains("run by agents"));
    }

    private Recording recorded(Setup setup) {
        Path file = directory.resolve("log.txt");
        CommandRecorder.record(file, setup, setup.workload().open(setup.seed()));
        return Recording.replay(file, new Policies(), Effects.NONE);
    }
}
