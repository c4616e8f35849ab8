package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds for a reward and for a stable queue, by hand, against all schedules and against the policies. */
final class RunWorkTest {
    private static final int CPU = 6;
    private static final int MEMORY = 5;
    private static final List<String> POLICIES =
            List.of("first-fit", "best-fit", "fifo-ff", "bf-js", "{policy: first-fit, when-full: queue}", "vqs-bf");

    @TempDir
    private Path directory;

    private int files;

    /** A request of whole seconds. */
    private record Job(int arrival, int duration, int cpu, int memory) {
        /** Micro-units an hour, at the prices of the experiment. */
        private long reward() {
            return 2_000_000L * cpu + 3_000_000L * memory;
        }
    }

    /** Two of three fit a server, one is there for half of the run; the last one comes when it ends. */
    @Test
    void workByHand() throws IOException {
        List<Job> jobs =
                List.of(new Job(0, 50, 3, 1), new Job(0, 500, 3, 1), new Job(0, 500, 3, 1), new Job(100, 9, 1, 1));
        // 3 x 250 of cpu in 100 s, 6 to a server: 1.25.
        assertThat(bound(jobs, "queue stable").level()).isEqualTo(2);
        assertThat(bound(jobs, "queue stable").resource()).isEqualTo(PeakBound.OVER_RUN);
        // All of them earn 9 an hour each while they run: 22.5 in the mean, 9 of them by one server's half.
        assertThat(bound(jobs, "reward >= 22.5 / h").level()).isEqualTo(2);
        assertThat(bound(jobs, "reward >= 18 / h").level()).isEqualTo(1);
        // More than all of them earn.
        assertThat(bound(jobs, "reward >= 23 / h").level()).isGreaterThanOrEqualTo(2);
    }

    /** Where configurations decide: of three that demand 4 of 6 no two share a server, whatever their sum. */
    @Test
    void configurationsByHand() throws IOException {
        List<Job> jobs =
                List.of(new Job(0, 99, 4, 1), new Job(0, 99, 4, 1), new Job(0, 99, 4, 1), new Job(99, 1, 1, 1));
        assertThat(bound(jobs, "queue stable").level()).isEqualTo(3);
        assertThat(bound(jobs, "reward >= 33 / h").level()).isEqualTo(3);
        assertThat(bound(jobs, "reward >= 22 / h").level()).isEqualTo(2);
    }

    /** Never above the least number of servers on which some schedule, which may let requests wait, earns so much. */
    @Test
    void theRewardIsNeverAboveTheOptimum() throws IOException {
        Random random = new Random(5);
        int tight = 0;
        for (int round = 0; round < 300; round++) {
            List<Job> jobs = jobs(random, 2 + random.nextInt(3), 4);
            int end = jobs.get(jobs.size() - 1).arrival();
            if (end == 0) {
                continue;
            }
            long most = earned(jobs, jobs.stream().mapToInt(Job::arrival).toArray(), end);
            long target = most * (1 + random.nextInt(10)) / 10;
            if (target == 0) {
                continue;
            }
            // Micro-units an hour times seconds, in the mean over the run.
            double perHour = target / 1e6 / end;
            long bound =
                    bound(jobs, "reward >= " + perHour * (1 - 1e-9) + " / h").level();
            int optimum = optimum(jobs, target, end);
            assertThat(bound).as("%s, %s of %s", jobs, target, most).isLessThanOrEqualTo(optimum);
            tight += bound == optimum ? 1 : 0;
        }
        assertThat(tight).as("rounds in which it is the optimum").isGreaterThan(150);
    }

    /** No policy meets either target with fewer servers. */
    @Test
    void noPolicyDoesWithFewer() throws IOException {
        Random random = new Random(6);
        int met = 0;
        for (int round = 0; round < 40; round++) {
            List<Job> jobs = jobs(random, 40, 30);
            String policy = POLICIES.get(round % POLICIES.size());
            Experiment point = trace(jobs, policy);
            for (String target : List.of("queue stable", "reward >= " + 20 * (1 + random.nextInt(4)) + " / h")) {
                SizeQuestion question = new SizeQuestion(SizeTarget.parse(target));
                ServerFleet fleet = ServerFleet.of(point.cluster(), "");
                PeakBound bound =
                        PeakBound.of(point, question, fleet, RequestList.of(point, point.seed()), Packing.ANEW);
                PolicySpec spec = point.policies().get(0).spec();
                Trial trial = new Trial(point, question, new Policies(), spec);
                if (target.startsWith("reward")) {
                    // The search is not told of the bound.
                    Requests requests = Requests.of(point, question, fleet, point.seed(), Packing.ANEW);
                    for (long level = 1; level < bound.level(); level++) {
                        assertThat(trial.meets(fleet.at(level), point.seed(), () -> requests))
                                .as("%s, %s, %s servers of %s", policy, target, level, bound)
                                .isFalse();
                    }
                }
                long need = new Sizing(point, question, new Policies())
                        .need(spec)
                        .servers()
                        .get(0);
                assertThat(need == 0 || need >= bound.level()).isTrue();
                met += need > 0 && need <= bound.level() + 1 ? 1 : 0;
            }
        }
        assertThat(met).as("answers near the bound").isGreaterThan(10);
    }

    /** Sending requests away does not make a queue stable. */
    @Test
    void aPolicyWithoutAQueueNeedsServersToo() throws IOException {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            jobs.add(new Job(i, 2, 4, 1));
        }
        Sizing sizing = new Sizing(trace(jobs, "first-fit"), SizeTarget.parse("queue stable"), new Policies());
        assertThat(sizing.least()).containsExactly(2L);
        assertThat(sizing.need(PolicySpec.of("first-fit")).servers()).containsExactly(2L);
    }

    /** What loses its server begins anew and earns twice, so no bound of a reward holds. */
    @Test
    void whereThereIsNone() throws IOException {
        Experiment point = trace(jobs(new Random(1), 20, 9), "first-fit");
        SizeQuestion spare = new SizeQuestion(
                SizeTarget.parse("reward >= 1 / h"), "", 1, false, SizeQuestion.Maintenance.NONE, false);
        Sizing sizing = new Sizing(point, spare, new Policies());
        assertThat(sizing.least()).containsExactly(0L);
        assertThat(sizing.obstacle()).contains("start again");
    }

    private static List<Job> jobs(Random random, int number, int within) {
        List<Job> jobs = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < number; i++) {
            jobs.add(new Job(at, 1 + random.nextInt(within), 1 + random.nextInt(CPU), 1 + random.nextInt(MEMORY)));
            at += random.nextInt(3);
        }
        return jobs;
    }

    private static long earned(List<Job> jobs, int[] start, int end) {
        long sum = 0;
        for (int i = 0; i < start.length; i++) {
            sum += jobs.get(i).reward()
                    * Math.max(0, Math.min(end, start[i] + jobs.get(i).duration()) - start[i]);
        }
        return sum;
    }

    /** By trying every start, or none, and every server. */
    private static int optimum(List<Job> jobs, long target, int end) {
        for (int servers = 0; ; servers++) {
            if (best(jobs, 0, end, new int[servers][end][2]) >= target) {
                return servers;
            }
        }
    }

    private static long best(List<Job> jobs, int next, int end, int[][][] used) {
        if (next == jobs.size()) {
            return 0;
        }
        Job job = jobs.get(next);
        long most = best(jobs, next + 1, end, used);
        for (int start = job.arrival(); start < end; start++) {
            int until = Math.min(end, start + job.duration());
            for (int[][] server : used) {
                if (fits(job, server, start, until)) {
                    add(job, server, start, until, 1);
                    most = Math.max(most, job.reward() * (until - start) + best(jobs, next + 1, end, used));
                    add(job, server, start, until, -1);
                }
            }
        }
        return most;
    }

    private static boolean fits(Job job, int[][] server, int from, int until) {
        for (int t = from; t < until; t++) {
            if (server[t][0] + job.cpu() > CPU || server[t][1] + job.memory() > MEMORY) {
                return false;
            }
        }
        return true;
    }

    private static void add(Job job, int[][] server, int from, int until, int sign) {
        for (int t = from; t < until; t++) {
            server[t][0] += sign * job.cpu();
            server[t][1] += sign * job.memory();
        }
    }

    private PeakBound bound(List<Job> jobs, String target) throws IOException {
        Experiment point = trace(jobs, "first-fit");
        return PeakBound.of(
                point,
                new SizeQuestion(SizeTarget.parse(target)),
                ServerFleet.of(point.cluster(), ""),
                RequestList.of(point, point.seed()),
                Packing.ANEW);
    }

    private Experiment trace(List<Job> jobs, String policy) throws IOException {
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (Job job : jobs) {
            text.append(job.arrival() + "," + job.duration() + "," + job.cpu() + "," + job.memory() + "\n");
        }
        Path file = Files.writeString(directory.resolve("t" + files++ + ".csv"), text);
        return TestExperiments.of(
                "{cluster: {servers: {count: 1, cpu_milli: " + CPU + ", mem_mib: " + MEMORY
                        + "}}, workload: {trace: {file: " + file.getFileName()
                        + "}, prices: {cpu: 2000 / h, memory: 3072 / h}}, policies: [" + policy + "]}",
                directory);
    }
}
