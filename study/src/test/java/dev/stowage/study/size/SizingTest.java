package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of servers and their lower bound, against brute force and against runs that are measured independently. */
final class SizingTest {
    private static final int CPU = 10;
    private static final int MEMORY = 8;
    /** Random cases; the night has more. */
    private static final int CASES = Integer.getInteger("stowage.cases", 300);

    @TempDir
    private Path directory;

    private int files;

    /** A request of whole seconds. */
    private record Job(int arrival, int duration, int cpu, int memory) {}

    /**
     * Capacity 10. Two of 6 cannot share a server, a third of 4 goes beside one: 2. With one of three allowed to miss
     * the target
     * the larger two are left out in turn: 1.
     */
    @Test
    void theBoundByHand() throws IOException {
        List<Job> jobs = List.of(new Job(0, 10, 6, 1), new Job(1, 10, 6, 1), new Job(2, 10, 4, 1));
        assertThat(bound(jobs, "wait max <= 0 s").level()).isEqualTo(2);
        assertThat(bound(jobs, "wait max <= 0 s").resource()).isEqualTo("cpu_milli");
        // Started 8 s late, the first is there from 8 to 10 s only; the run ends at 2 s, when nothing is certain to
        // run.
        assertThat(bound(jobs, "wait max <= 8 s").level()).isZero();
        assertThat(bound(jobs, "waited <= 50 %").level()).isEqualTo(1);
        // Memory decides: three of 5 with 8 to a server are alone.
        assertThat(bound(List.of(new Job(0, 9, 1, 5), new Job(1, 9, 1, 5), new Job(2, 9, 1, 5)), "wait max <= 0 s")
                        .level())
                .isEqualTo(3);
        // Pairs at one time, one pair after the other, of which one request in four may be missed: at each single
        // moment one may be, over all moments not.
        List<Job> pairs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            pairs.add(new Job(10 * i, 5, CPU, 1));
            pairs.add(new Job(10 * i + 1, 4, CPU, 1));
        }
        assertThat(bound(pairs, "rejected <= 25 %").level()).isEqualTo(2);
        assertThat(bound(pairs, "rejected <= 25 %").resource()).isEqualTo(PeakBound.OVER_TIME);
        assertThat(bound(pairs, "rejected <= 50 %").level()).isEqualTo(1);
    }

    /** A proven bound is never above the optimum with knowledge of the future. */
    @Test
    void theBoundIsNeverAboveTheOptimum() throws IOException {
        Random random = new Random(22);
        int tight = 0;
        for (int round = 0; round < CASES; round++) {
            int wait = random.nextInt(3);
            int jobs = 2 + random.nextInt(wait == 0 ? 7 : 4);
            List<Job> all = new ArrayList<>();
            int at = 0;
            for (int i = 0; i < jobs; i++) {
                at += random.nextInt(3);
                all.add(new Job(at, 1 + random.nextInt(6), 1 + random.nextInt(CPU), 1 + random.nextInt(MEMORY)));
            }
            // One request in four may miss it, at times.
            boolean some = random.nextBoolean();
            long bound = bound(all, "wait " + (some ? "p75" : "max") + " <= " + wait + " s")
                    .level();
            int optimum = optimum(all, wait, some ? jobs / 4 : 0);
            assertThat(bound).as("%s, wait %d, some %s", all, wait, some).isLessThanOrEqualTo(optimum);
            tight += bound == optimum ? 1 : 0;
        }
        assertThat(tight).as("rounds in which it is the optimum").isGreaterThan(100);
    }

    /** Of some requests among others: as if the others were not there. Names of several shapes, and a part of one. */
    @Test
    void theBoundOfSomeIsNeverAboveTheirOptimum() throws IOException {
        Random random = new Random(23);
        int tight = 0;
        for (int round = 0; round < CASES / 2; round++) {
            int wait = random.nextInt(3);
            int jobs = 4 + random.nextInt(wait == 0 ? 8 : 5);
            List<Job> all = new ArrayList<>();
            List<String> types = new ArrayList<>();
            List<Job> counted = new ArrayList<>();
            int at = 0;
            for (int i = 0; i < jobs; i++) {
                at += random.nextInt(3);
                all.add(new Job(at, 1 + random.nextInt(6), 1 + random.nextInt(CPU), 1 + random.nextInt(MEMORY)));
                // The last one counts, so that both runs end with it.
                types.add(i == jobs - 1 || random.nextBoolean() ? "acme vm" : "other vm");
                if (types.get(i).equals("acme vm")) {
                    counted.add(all.get(i));
                }
            }
            boolean some = random.nextBoolean();
            String name = round % 2 == 0 ? "acme vm" : "acme";
            Experiment point = trace(all, types, "first-fit", 1);
            long bound = bound(point, "wait " + (some ? "p75" : "max") + " of " + name + " <= " + wait + " s")
                    .level();
            int optimum = optimum(counted, wait, some ? counted.size() / 4 : 0);
            assertThat(bound)
                    .as("%s, %s, wait %d, some %s", all, types, wait, some)
                    .isLessThanOrEqualTo(optimum);
            tight += bound == optimum ? 1 : 0;
        }
        assertThat(tight).as("rounds in which it is the optimum").isGreaterThan(100);
    }

    private PeakBound bound(List<Job> jobs, String target) throws IOException {
        return bound(trace(jobs, "first-fit", 1), target);
    }

    private static PeakBound bound(Experiment point, String target) {
        return PeakBound.of(
                point,
                new SizeQuestion(SizeTarget.parse(target)),
                ServerFleet.of(point.cluster(), ""),
                RequestList.of(point, 1),
                Packing.ANEW);
    }

    private Experiment trace(List<Job> jobs, String policy, int servers) throws IOException {
        return trace(jobs, Collections.nCopies(jobs.size(), ""), policy, servers);
    }

    private Experiment trace(List<Job> jobs, List<String> types, String policy, int servers) throws IOException {
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib,type\n");
        for (int i = 0; i < jobs.size(); i++) {
            Job job = jobs.get(i);
            text.append(
                    job.arrival + "," + job.duration + "," + job.cpu + "," + job.memory + "," + types.get(i) + "\n");
        }
        Path file = Files.writeString(directory.resolve("t" + files++ + ".csv"), text);
        return ExperimentReader.read(
                        "test",
                        "{cluster: {servers: {count: " + servers + ", cpu_milli: " + CPU + ", mem_mib: " + MEMORY
                                + "}}, workload: {trace: {file: " + file.getFileName() + "}}, policies: [" + policy
                                + "]}",
                        directory,
                        List.of(),
                        new Policies())
                .points()
                .get(0);
    }

    /**
     * By trying every start and every server. Starts after the last arrival are not in the run: for a request that need
     * not start within the run, only the part within it must fit.
     */
    private static int optimum(List<Job> jobs, int wait, int misses) {
        int end = jobs.get(jobs.size() - 1).arrival;
        for (int servers = 0; ; servers++) {
            int[][][] used = new int[servers][end + 1][2];
            if (fits(jobs, 0, wait, used, 0, misses)) {
                return servers;
            }
        }
    }

    private static boolean fits(List<Job> jobs, int next, int wait, int[][][] used, int begun, int misses) {
        if (next == jobs.size()) {
            return true;
        }
        // A request that misses it is best left out for good.
        if (misses > 0 && fits(jobs, next + 1, wait, used, begun, misses - 1)) {
            return true;
        }
        Job job = jobs.get(next);
        for (int start = job.arrival; start <= job.arrival + wait; start++) {
            // Servers are equal: of the unused ones, trying one is enough.
            for (int server = 0; server < Math.min(used.length, begun + 1); server++) {
                if (add(job, start, used[server], 1)) {
                    if (fits(jobs, next + 1, wait, used, Math.max(begun, server + 1), misses)) {
                        return true;
                    }
                    add(job, start, used[server], -1);
                }
            }
            if (start >= used(used)) {
                return fits(jobs, next + 1, wait, used, begun, misses);
            }
        }
        return false;
    }

    /** The moment from which nothing counts. */
    private static int used(int[][][] used) {
        return used.length == 0 ? Integer.MAX_VALUE : used[0].length;
    }

    private static boolean add(Job job, int start, int[][] server, int sign) {
        int until = Math.min(server.length, start + job.duration);
        if (sign > 0) {
            for (int t = start; t < until; t++) {
                if (server[t][0] + job.cpu > CPU || server[t][1] + job.memory > MEMORY) {
                    return false;
                }
            }
        }
        for (int t = start; t < until; t++) {
            server[t][0] += sign * job.cpu;
            server[t][1] += sign * job.memory;
        }
        return true;
    }

    /**
     * The target is met when the experiment is run with the number that the search finds, and missed with one less.
     */
    @Test
    void whatIsFoundIsWhatARunMeasures() throws IOException {
        Random random = new Random(7);
        for (String policy : List.of("fifo-ff", "{policy: best-fit, when-full: queue}", "bf-js")) {
            List<Job> jobs = new ArrayList<>();
            int at = 0;
            for (int i = 0; i < 120; i++) {
                at += random.nextInt(3);
                jobs.add(new Job(at, 5 + random.nextInt(40), 1 + random.nextInt(7), 1 + random.nextInt(6)));
            }
            Experiment point = trace(jobs, policy, 1);
            PolicySpec spec = point.policies().get(0).spec();
            Sizing sizing = new Sizing(point, SizeTarget.parse("wait max <= 6 s"), new Policies());
            long servers = sizing.need(spec).servers().get(0);
            assertThat(servers).isGreaterThanOrEqualTo(sizing.least().get(0)).isGreaterThan(5);
            assertThat(longestWait(trace(jobs, policy, (int) servers))).isLessThanOrEqualTo(6);
            assertThat(longestWait(trace(jobs, policy, (int) servers - 1))).isGreaterThan(6);
        }
    }

    /**
     * Each requirement of a run counted by hand. One place, three requests of 10 s at 0, 2 and 4 s; the run ends at 4
     * s.
     */
    @Test
    void whatRequirementsCount() throws IOException {
        List<Job> jobs = List.of(new Job(0, 10, CPU, 1), new Job(2, 10, CPU, 1), new Job(4, 10, CPU, 1));
        // They have waited 0, 2 and 0 s when it ends; with two servers 0, 0 and 0 s.
        assertThat(needs(jobs, "wait mean <= 0.5 s", "fifo-ff")).isEqualTo(2);
        assertThat(needs(jobs, "wait mean <= 1 s", "fifo-ff")).isEqualTo(1);
        assertThat(needs(jobs, "waiting <= 0.4", "fifo-ff")).isEqualTo(2);
        assertThat(needs(jobs, "waiting <= 0.5", "fifo-ff")).isEqualTo(1);
        // Turned away, the second one counts as waiting to the end.
        assertThat(needs(jobs, "wait mean <= 0.5 s", "first-fit")).isEqualTo(2);
        assertThat(needs(jobs, "rejected <= 67 % and wait max <= 0 s", "first-fit"))
                .isEqualTo(3);
        assertThat(needs(jobs, "rejected <= 67 %", "first-fit")).isEqualTo(1);
    }

    private long needs(List<Job> jobs, String target, String policy) throws IOException {
        Experiment point = trace(jobs, policy, 1);
        Sizing sizing = new Sizing(point, SizeTarget.parse(target), new Policies());
        Sizing.Need need = sizing.need(PolicySpec.of(policy));
        assertThat(sizing.least().get(0))
                .as(target)
                .isLessThanOrEqualTo(need.servers().get(0));
        return need.servers().get(0);
    }

    /** The last request arrives at 1 s, and would start at 100 s on the only server: that is no 5 s, but 99 s. */
    @Test
    void whatWaitsAtTheLastArrivalMayStartTooLate() throws IOException {
        List<Job> jobs = List.of(new Job(0, 100, CPU, 1), new Job(1, 1, CPU, 1));
        assertThat(needs(jobs, "wait max <= 5 s", "fifo-ff")).isEqualTo(2);
        assertThat(needs(jobs, "wait max <= 98 s", "fifo-ff")).isEqualTo(2);
        assertThat(needs(jobs, "wait max <= 99 s", "fifo-ff")).isEqualTo(1);
    }

    /**
     * Two servers can be worse than one: the second one lets two long requests in, of 4 and 5, which end up on a
     * server each, where best fit puts the one of 6 beside the first; nothing of 10 fits any more. First fit cannot do
     * that: what the first n servers run does not depend on there being more.
     */
    @Test
    void moreServersCanBeWorse() throws IOException {
        List<Job> jobs = new ArrayList<>(
                List.of(new Job(0, 2, 10, 1), new Job(1, 99, 4, 1), new Job(3, 2, 6, 1), new Job(4, 99, 5, 1)));
        for (int i = 0; i < 6; i++) {
            jobs.add(new Job(6 + 2 * i, 1, 10, 1));
        }
        SizeTarget target = SizeTarget.parse("rejected <= 20 %");
        Sizing.Need need =
                new Sizing(trace(jobs, "best-fit", 1), target, new Policies()).need(PolicySpec.of("best-fit"));
        assertThat(need.servers()).containsExactly(1L);
        assertThat(need.notes()).singleElement().asString().contains("one server more misses the target again");
        assertThat(new Sizing(trace(jobs, "first-fit", 1), target, new Policies())
                        .need(PolicySpec.of("first-fit"))
                        .notes())
                .isEmpty();
    }

    private static double longestWait(Experiment experiment) {
        return rows(experiment, RowAddition.NONE).stream()
                .filter(RunRow.class::isInstance)
                .map(RunRow.class::cast)
                .mapToDouble(row -> row.metrics().get("wait_max_s"))
                .findFirst()
                .orElseThrow();
    }

    private static List<ResultRow> rows(Experiment experiment, RowAddition addition) {
        List<ResultRow> rows = new ArrayList<>();
        try {
            new ExperimentRunner(
                            new Policies(),
                            "test",
                            1,
                            ProgressListener.NONE,
                            (point, policy, replication) -> RunObserver.NONE)
                    .run(List.of(experiment), addition, rows::add);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return rows;
    }

    /** Each of 4 units of 10 for 20 s, one every second: 20 at once, 2 to a server. In loss and in a queue alike. */
    @Test
    void whatMustBeAtOnce() throws IOException {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            jobs.add(new Job(i, 20, 4, 1));
        }
        Experiment point = trace(jobs, "first-fit", 3);
        for (String target : List.of("rejected <= 0", "waited <= 0 %", "wait max <= 0 s")) {
            Sizing sizing = new Sizing(point, SizeTarget.parse(target), new Policies());
            assertThat(sizing.need(PolicySpec.of("first-fit")).servers())
                    .as(target)
                    .containsExactly(10L);
            assertThat(sizing.least()).as(target).containsExactly(10L);
        }
    }

    @Test
    void noNumberOfServersHoldsWhatFitsNone() throws IOException {
        Experiment point = trace(List.of(new Job(0, 5, 4, 1), new Job(1, 5, CPU + 1, 1)), "first-fit", 1);
        Sizing.Need need = new Sizing(point, SizeTarget.parse("rejected <= 10 %"), new Policies())
                .need(PolicySpec.of("first-fit"));
        assertThat(need.known()).isFalse();
        assertThat(need.notes())
                .singleElement()
                .asString()
                .contains("1 of 2 requests fits no server, even an empty one");
        assertThat(new Sizing(point, SizeTarget.parse("rejected <= 50 %"), new Policies())
                        .need(PolicySpec.of("first-fit"))
                        .servers())
                .containsExactly(1L);
    }

    /** One of a group to a server needs as many servers as requests that fill a server each. */
    @Test
    void whatStandsApartNeedsAServerEach() {
        List<Long> apart = needed("{cpu: 1}, spread: ['db:1']");
        assertThat(apart).isEqualTo(needed("{cpu: 4}")).isNotEqualTo(needed("{cpu: 1}"));
    }

    private static List<Long> needed(String demand) {
        Experiment point = TestExperiments.of("""
                cluster: {servers: {count: 9, cpu: 4}}
                workload:
                  types:
                    - {name: a, rate: 4 / min, service: {exponential: 1 min}, demand: %s}
                horizon: 20 min
                warm-up: none
                policies: [first-fit]
                """.formatted(demand));
        return new Sizing(point, SizeTarget.parse("rejected <= 0"), new Policies())
                .need(PolicySpec.of("first-fit"))
                .servers();
    }

    @Test
    void numbersAreInTheRows() {
        Experiment point = TestExperiments.of("""
                cluster: {servers: {count: 3, cpu: 4}}
                workload:
                  types:
                    - {name: a, rate: 12 / min, demand: {cpu: 2}, service: {exponential: 1 min}}
                horizon: 1 h
                warm-up: none
                replications: 4
                policies: [first-fit]
                """);
        SizeTarget target = SizeTarget.parse("rejected <= 1 %");
        List<ResultRow> rows = rows(point, new SizeAddition(new SizeQuestion(target), new Policies(), note -> {}));
        List<Double> needs = new ArrayList<>();
        for (ResultRow row : rows) {
            if (row instanceof RunRow run) {
                Map<String, Double> metrics = run.metrics();
                assertThat(metrics.get("size_bound")).isLessThanOrEqualTo(metrics.get("size_servers"));
                needs.add(metrics.get("size_servers"));
            }
        }
        // Erlang B of 12 erlangs is below 1 % from 20 places on, two to a server: 10, give or take what an hour draws.
        assertThat(needs).hasSize(4).allMatch(servers -> servers >= 7 && servers <= 13);
        assertThat(rows.stream()
                        .filter(SummaryRow.class::isInstance)
                        .map(SummaryRow.class::cast)
                        .findFirst()
                        .orElseThrow()
                        .metrics()
                        .get("size_servers")
                        .mean())
                .isEqualTo(needs.stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow());
    }
}
