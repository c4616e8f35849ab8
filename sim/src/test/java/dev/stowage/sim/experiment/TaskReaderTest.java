package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stowage.core.model.Efficiency;
import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.Declared;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of jobs in experiments: what they declare, and the parameters that policies get. */
final class TaskReaderTest {
    private static final String OWN = """
            name: own
            cluster:
              divisible: cpu
              sites:
                - {name: a, servers: [{class: fast, count: 2, cpu: 16}]}
                - {name: b, servers: [{class: slow, count: 3, cpu: 32}, {class: fast, count: 1, cpu: 8}]}
            workload:
              trace: {file: jobs.csv}
              tasks: {efficiency: efficiency.csv}
            policies: [ontapra, best-fit]
            horizon: 1 h
            """;

    private static final String RANDOM = """
            name: random
            cluster: {divisible: cpu, servers: {count: 4, cpu: 10}}
            workload: {parallel-jobs: {rate: 0.15 / s}}
            policies: [ontapra]
            horizon: 1 h
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(directory.resolve("jobs.csv"), """
                arrival_s,duration_s,job_id,type,power_mw,budget_j
                0,1.5,b,encode,2000,7
                0,0.0001,a,resize,1000,0
                2,3,b,resize,500,1
                """);
        Files.writeString(directory.resolve("efficiency.csv"), "\uFEFFtype,slow,fast\nresize,0.80,1\nencode,0.3,1.0\n");
    }

    private Experiment read(String yaml, String... overrides) {
        return Experiments.readAt(directory, yaml, overrides).points().get(0);
    }

    private List<String> problems(String yaml, String... overrides) {
        ExperimentException failure = catchThrowableOfType(ExperimentException.class, () -> read(yaml, overrides));
        return failure.problems().stream().map(Problem::toString).toList();
    }

    @Test
    void tasksDeclareAndServersHavePlenty() {
        Experiment experiment = read(OWN);
        assertThat(experiment.cluster().resources().stream().map(Resource::name))
                .containsExactly("cpu_milli", "power_mw", "budget_j", "load_ms", "job", "kind");
        assertThat(experiment
                        .cluster()
                        .sites()
                        .get(1)
                        .servers()
                        .get(0)
                        .capacity()
                        .toArray())
                .containsExactly(
                        32_000, Declared.PLENTY, Declared.PLENTY, Declared.PLENTY, Declared.PLENTY, Declared.PLENTY);
        Workload workload = experiment.workload();
        assertThat(workload.resources()).containsExactly("power_mw", "budget_j", "load_ms", "job", "kind");
        RequestStream tasks = workload.open(1);
        long[][] expected = {{2000, 7, 1500, 1, 2}, {1000, 0, 1, 2, 1}, {500, 1, 3000, 1, 1}};
        for (long[] declared : expected) {
            assertThat(tasks.next()).isTrue();
            for (int r = 0; r < declared.length; r++) {
                assertThat(tasks.demand(r)).as(workload.resources().get(r)).isEqualTo(declared[r]);
            }
        }
        assertThat(tasks.next()).isFalse();
    }

    /** Rows are kinds, columns are put in order of the servers' blocks: fast, slow, fast. */
    @Test
    void aTableIsForTheWorldAndForPoliciesThatAsk() {
        Experiment experiment = read(OWN);
        Efficiency efficiency = experiment.workload().efficiency();
        KeyedRandom random = new KeyedRandom();
        double[] resize = {1, 1, 0.8, 0.8, 0.8, 1};
        double[] encode = {1, 1, 0.3, 0.3, 0.3, 1};
        for (int server = 0; server < resize.length; server++) {
            assertThat(efficiency.of(1, 1, server, random)).isEqualTo(resize[server]);
            assertThat(efficiency.of(1, 2, server, random)).isEqualTo(encode[server]);
        }
        assertThat(experiment.policies().get(0).spec().parameters())
                .containsEntry("efficiency", "1/0.8/1/1/0.3/1")
                .containsEntry("classes", "2/3/1");
        assertThat(experiment.policies().get(1).spec().parameters()).isEmpty();
    }

    /** The policy's own default is equal, that of these jobs uniform. */
    @Test
    void aPolicyIsToldWhatItsWorkloadIsLike() {
        Experiment random = read(RANDOM);
        assertThat(random.policies().get(0).spec().parameters()).containsEntry("efficiency", "uniform");
        assertThat(random.workload().resources()).containsExactly("load_ms", "job");
        assertThat(read(RANDOM, "workload.parallel-jobs.efficiency=equal")
                        .policies()
                        .get(0)
                        .spec()
                        .parameters())
                .isEmpty();
        assertThat(problems(RANDOM, "policies=[{policy: ontapra, efficiency: equal}]"))
                .containsExactly(
                        "policies[0].efficiency: 'equal' contradicts the workload, where it is 'uniform'; leave it"
                                + " out: the policy gets it from the workload");
        assertThat(problems(
                        RANDOM,
                        "policies=[{policy: ontapra, efficiency: uniform}]",
                        "workload.parallel-jobs.efficiency=equal"))
                .hasSize(1);
    }

    /** 0.8 W for a load of x s are 0.8 x J; the budget is 1.5 times that, whole joules of each task rounded up. */
    @Test
    void randomJobsHavePowerAndBudgets() {
        Workload workload =
                read(RANDOM, "workload.parallel-jobs={power: 0.8, budget: 1.5}").workload();
        assertThat(workload.resources()).containsExactly("load_ms", "job", "power_mw", "budget_j");
        RequestStream tasks = workload.open(1);
        long job = 0;
        long last = -1;
        while (tasks.next()) {
            job += tasks.arrivalNanos() == last ? 0 : 1;
            last = tasks.arrivalNanos();
            assertThat(tasks.demand(1)).isEqualTo(job);
            assertThat(tasks.demand(2)).isEqualTo(800);
            assertThat(tasks.demand(3)).isEqualTo((long) Math.ceil(1.5 * 0.8 * tasks.demand(0) / 1000));
        }
        assertThat(job).isGreaterThan(400);
    }

    @Test
    void mistakes() throws IOException {
        assertThat(problems(OWN, "workload.tasks.efficiency=equal"))
                .anyMatch(p -> p.startsWith("cluster.sites[0].servers[0].class: unknown key"));
        assertThat(problems(OWN, "workload.tasks.efficiency=none.csv"))
                .anyMatch(p -> p.contains("'none.csv' must be equal, uniform or a CSV file"));
        assertThat(problems(OWN, "workload.tasks={efficency: equal}")).anyMatch(p -> p.contains("did you mean"));
        Files.writeString(directory.resolve("efficiency.csv"), "type,Slow,fast\nresize,0.8,1\n");
        assertThat(problems(OWN))
                .anyMatch(p -> p.contains("column 'Slow' is not a class of servers; did you mean 'slow'?"));
        Files.writeString(directory.resolve("efficiency.csv"), "type,slow,fast\nresize,0,1\n");
        assertThat(problems(OWN)).anyMatch(p -> p.contains("line 2: slow '0' must be a number from 0.000001 to 1"));
        Files.writeString(directory.resolve("efficiency.csv"), "type,slow,fast\nresize,0.8,1\n");
        assertThat(problems(OWN)).anyMatch(p -> p.contains("type 'encode' has no row there"));
        Files.writeString(directory.resolve("efficiency.csv"), "type,slow,fast\nresize,0.8,1\nresize,1,1\n");
        assertThat(problems(OWN)).anyMatch(p -> p.contains("type 'resize' is in another line, too"));
        Files.writeString(directory.resolve("efficiency.csv"), "type,slow,fast\n");
        assertThat(problems(OWN)).anyMatch(p -> p.contains("has no rows"));
    }
    /**
     * Without {@code tasks} they would be requests that demand power and energy, without jobs.
     */
    @Test
    void whatOnlyTasksHaveIsRefusedWhereNoneAreSaid() {
        String plain = OWN.replace("  tasks: {efficiency: efficiency.csv}\n", "")
                .replace("class: fast, ", "")
                .replace("class: slow, ", "");
        assertThat(problems(plain))
                .singleElement()
                .asString()
                .contains("requests have power_mw, budget_j, which tasks of jobs have. Add tasks: {} beside the trace");
        assertThat(read(plain, "workload.tasks={}").workload().resources()).contains("load_ms", "power_mw");
    }
}
