package dev.stowage.sim.experiment;

import static dev.stowage.sim.experiment.Experiments.GOOD;
import static dev.stowage.sim.experiment.Experiments.point;
import static dev.stowage.sim.experiment.Experiments.problems;
import static dev.stowage.sim.experiment.Experiments.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Resource;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.result.Remark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExperimentReaderTest {
    private static final long HOUR = 3_600_000_000_000L;

    @TempDir
    private Path directory;

    @Test
    void whatIsNotSaidHasItsDefault() {
        Experiment experiment = point(GOOD);

        assertThat(experiment.steps()).isEqualTo(Steps.COMMANDS);
        assertThat(experiment.end()).isEqualTo(new End(24 * HOUR, Long.MAX_VALUE, false));
        assertThat(experiment.warmUp()).isEqualTo(WarmUpRule.AUTOMATIC);
        assertThat(experiment.seed()).isEqualTo(1);
        assertThat(experiment.replications()).isEqualTo(1);
        assertThat(experiment.confidence()).isEqualTo(0.95);
        assertThat(experiment.changes()).isEmpty();
        assertThat(experiment.speedOneShare()).isEqualTo(1);
        assertThat(experiment.policies()).extracting(LabelledPolicy::label).containsExactly("best-fit", "bf-js");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstKey() {
        assertThat(point("\uFEFF" + GOOD).hash()).isNotEmpty();
        assertThat(point("\uFEFF" + GOOD).policies()).hasSize(2);
    }

    @Test
    void amountsAreInWholeUnits() {
        Experiment experiment = point(GOOD);

        assertThat(experiment.cluster().resources())
                .containsExactly(new Resource("cpu_milli", false), new Resource("mem_mib", false));
        var block = experiment.cluster().sites().get(0).servers().get(0);
        assertThat(block.count()).isEqualTo(4);
        assertThat(block.capacity().toArray()).containsExactly(48_000, 128 * 1024);
        assertThat(experiment.workload().typeDemand(0, 0)).isEqualTo(1000);
        assertThat(experiment.workload().typeDemand(0, 1)).isEqualTo(2048);
    }

    @Test
    void divisibleCoresHaveSpeedOneAtOneCore() {
        Experiment experiment = point(GOOD, "cluster.divisible=cpu");

        assertThat(experiment.cluster().resources().get(0).divisible()).isTrue();
        assertThat(experiment.speedOneShare()).isEqualTo(1000);
    }

    private static final String GPUS = GOOD.replace("cpu: 48", "cpu: 48, gpu: 8")
            .replace("bf-js", "first-fit")
            .replace("memory: 2 GiB", "memory: 2 GiB, gpu: 0.6");

    @Test
    void gpusComeInDevicesIfItIsSaid() {
        ReadExperiment read = Experiments.read(GPUS, "cluster.devices=gpu");
        assertThat(read.points().get(0).cluster().resources())
                .contains(Resource.inDevices("gpu_milli", 1000), Resource.of("cpu_milli"));
        assertThat(read.warnings())
                .containsExactly(
                        Remark.plain("loads and bounds count gpu_milli as one sum for each server: they hold, but less"
                                + " may fit on devices"));

        ReadExperiment sum = Experiments.read(GPUS);
        assertThat(sum.points().get(0).cluster().resources()).contains(Resource.of("gpu_milli"));
        assertThat(sum.notes())
                .containsExactly(
                        Remark.plain(
                                "the GPUs of a server count as one sum; with 'devices: gpu' in the cluster"
                                        + " of a file (--config, or an experiment) each is a device of its own, given whole or in parts"));
        assertThat(sum.warnings()).isEmpty();
    }

    @Test
    void whatDevicesCannotBeIsAMistake() {
        for (String[] wrong : new String[][] {
            {"cluster.devices=gpus", "'gpus' is not a resource of the servers: [cpu_milli, gpu_milli, mem_mib]"},
            {"cluster.servers.gpu=2.5", "a capacity of 2.5 GPU is not from 0 to 64 whole devices of 1 GPU"},
            {"workload.types[0].demand.gpu=1.5", "requests of type 'small': a demand of 1.5 GPU is neither a part"},
            {
                "policies=[vqs]",
                "'vqs' does not support devices, such as whole GPUs and parts of one; these do: first-fit"
            },
            {"cluster.reserve={gpu: 1}", "cannot be given for devices, which are whole: leave it out"},
            {"server-changes=[{at: 1 h, add: {gpu: 0.5}}]", "a capacity of 0.5 GPU is not from 0 to 64 whole devices"}
        }) {
            String first = wrong[0].startsWith("cluster.devices") ? "seed=1" : "cluster.devices=gpu";
            assertThatThrownBy(() -> Experiments.read(GPUS, first, wrong[0]))
                    .as(wrong[0])
                    .hasMessageContaining(wrong[1]);
        }
    }

    @Test
    void sitesHaveBlocksAndPools() {
        Experiment experiment = point(
                GOOD,
                "cluster={resources: [licences],"
                        + " sites: [{name: a, servers: [{count: 2, cpu: 4, memory: 8 GiB}, {cpu: 8, gpu: 2}],"
                        + " pooled: {licences: 7}}, {name: b, servers: {count: 3, cpu: 4, memory: 8 GiB}}]}");

        assertThat(experiment.cluster().pooledResources()).containsExactly("licences");
        assertThat(experiment.cluster().sites())
                .extracting(
                        site -> site.name(),
                        site -> site.servers().size(),
                        site -> site.pooled().toArray()[0])
                .containsExactly(tuple("a", 2, 7L), tuple("b", 1, 0L));
        // A block has 0 of a resource that it does not name.
        assertThat(experiment
                        .cluster()
                        .sites()
                        .get(0)
                        .servers()
                        .get(1)
                        .capacity()
                        .toArray())
                .containsExactly(8000, 0, 2000);
    }

    @Test
    void allMistakesAreFoundAtOnceEachWithItsPath() {
        String bad = """
                name: two words
                time: {slot: 0 s}
                cluster:
                  sites:
                    - {name: a, servers: {count: -1, cpu: forty, memory: 128}}
                    - {name: a, servers: {count: 2, cpu: 48, memory: 1 GiB, cores: 3.5}}
                workload:
                  types:
                    - {name: x, rate: 3, demand: {cpu: 1}, service: {exponential: 20}, colour: red}
                policies: [best-fitt, {policy: first-fit, when-full: maybe}]
                horizon: tomorrow
                replications: 0
                confidence: 2
                polices: []
                """;

        assertThat(problems(bad))
                .anyMatch(p -> p.startsWith("name: 'two words'"))
                .anyMatch(p -> p.startsWith("time.slot: must be at least 1 ns"))
                .anyMatch(p -> p.startsWith("cluster.sites[0].servers.count: '-1' must be 0 to"))
                .anyMatch(p -> p.startsWith("cluster.sites[0].servers.cpu: 'forty' must be a number"))
                .anyMatch(p -> p.startsWith("cluster.sites[0].servers.memory: '128' needs a unit"))
                .anyMatch(p -> p.startsWith("cluster.sites[1].name: 'a' is the name of another site"))
                .anyMatch(p -> p.startsWith("cluster.sites[1].servers.cores: '3.5' must be a whole number"))
                .anyMatch(p -> p.startsWith("workload.types[0].rate: '3' must be a rate"))
                .anyMatch(p -> p.startsWith("workload.types[0].service.exponential: '20' has no unit"))
                .anyMatch(p -> p.startsWith("workload.types[0].colour: unknown key"))
                .anyMatch(p -> p.startsWith("policies[0]: ") && p.contains("did you mean best-fit"))
                .anyMatch(p -> p.startsWith("policies[1]: ") && p.contains("reject | queue"))
                .anyMatch(p -> p.startsWith("horizon: 'tomorrow'"))
                .anyMatch(p -> p.startsWith("replications: '0' must be 1 to 10000"))
                .anyMatch(p -> p.startsWith("confidence: '2' must be"))
                .anyMatch(p -> p.startsWith("polices: unknown key; did you mean 'policies'?"));
    }

    @Test
    void aKeyOfServersThatIsNoResourceIsRefused() {
        String servers = "cluster={servers: {%s, cpu: 48, memory: 128 GiB}}";

        assertThat(problems(GOOD, servers.formatted("cuont: 40")))
                .singleElement()
                .asString()
                .startsWith(
                        "cluster.servers.cuont: is not a known resource, and no request demands it; did you mean 'count'?");
        assertThat(problems(GOOD, servers.formatted("licences: 40")))
                .singleElement()
                .asString()
                .contains("no request demands it")
                .endsWith("Another resource is declared with cluster.resources: [licences]");
        assertThat(problems(
                        GOOD, "cluster={sites: [{name: a, servers: {cpu: 48, memory: 128 GiB}, pooled: {dsk: 4}}]}"))
                .singleElement()
                .asString()
                .startsWith("cluster.sites[0].pooled.dsk: is not a known resource");
        assertThat(problems(GOOD, "cluster.resources=[Licences]"))
                .singleElement()
                .asString()
                .startsWith("cluster.resources[0]: 'Licences' is not the name of a resource");
    }

    @Test
    void aResourceIsKnownOrDeclaredOrDemanded() {
        String servers = "cluster={servers: {count: 4, cpu: 48, memory: 128 GiB, %s}}";

        assertThat(point(GOOD, servers.formatted("gpu: 4")).cluster().resources())
                .hasSize(3);
        assertThat(point(GOOD, servers.formatted("size_ppm: 4")).cluster().resources())
                .hasSize(3);
        assertThat(point(GOOD, servers.formatted("licences: 4"), "cluster.resources=[licences]")
                        .cluster()
                        .resources())
                .hasSize(3);
        assertThat(point(GOOD, servers.formatted("licences: 4"), "workload.types[0].demand.licences=1")
                        .cluster()
                        .resources())
                .hasSize(3);
    }

    @Test
    void aMisspelledResourceIsRefusedOnEitherSide() {
        assertThat(problems(GOOD, "workload.types[0].demand={cpu: 1, memroy: 2}"))
                .containsExactly("workload.types[0].demand.memroy: is a resource that no server has;"
                        + " did you mean 'memory'? Allowed: cpu, memory");
        assertThat(problems(
                        GOOD,
                        "cluster={servers: {count: 4, cpu: 48, memroy: 128}}",
                        "workload.types[0].demand={cpu: 1, memroy: 2}"))
                .singleElement()
                .asString()
                .startsWith("cluster.servers.memroy: is not a known resource; did you mean 'memory'?");
        // Neither the unit of what is no memory is a second mistake, nor is 'mem_mib' meant.
        assertThat(problems(GOOD, "cluster={servers: {count: 4, cpu: 48, memory: 128 GiB, mem: 64 GiB}}"))
                .singleElement()
                .asString()
                .contains("mem: is not a known resource, and no request demands it; did you mean 'memory'?");
    }

    @Test
    void aKeyThatStandsTwiceIsRefused() {
        assertThat(problems(GOOD + "horizon: 2 d\n"))
                .singleElement()
                .asString()
                .contains("line 8")
                .endsWith("the key 'horizon' occurs twice in one group; leave one out");
    }

    @Test
    void aTabIsNamed() {
        assertThat(problems("cluster:\n\tservers: {cpu: 4}\n"))
                .singleElement()
                .asString()
                .endsWith("line 2 begins with a tab: YAML is indented with spaces");
    }

    @Test
    void moreThanARequestPerNanosecondIsRefused() {
        assertThat(problems(GOOD, "workload.types[0].rate=1e300 / s"))
                .containsExactly("workload.types[0].rate: with traffic-scaling 1.0 is 1.0E300 / s;"
                        + " it must be at most 1.0E9 / s");
    }

    @Test
    void whatIsMissingIsSaid() {
        assertThat(problems("{}"))
                .anyMatch(p -> p.startsWith("cluster: is missing"))
                .anyMatch(p -> p.startsWith("workload: is missing"))
                .anyMatch(p -> p.startsWith("policies: is missing"));
        assertThat(problems("- a list")).singleElement().asString().contains("not an experiment");
        assertThat(problems("a: [1, 2"))
                .singleElement()
                .asString()
                .contains("not YAML")
                .contains("line");
        assertThat(problems("")).singleElement().asString().contains("not an experiment");
    }

    @Test
    void contradictionsAreRefused() {
        assertThat(problems(GOOD, "drain=true")).singleElement().asString().startsWith("drain: contradicts horizon");
        assertThat(problems(GOOD, "horizon=null")).singleElement().asString().startsWith("horizon: is missing");
        assertThat(problems(GOOD, "horizon=0 s")).singleElement().asString().startsWith("horizon: must be above 0");
        assertThat(problems(GOOD, "series=al"))
                .singleElement()
                .asString()
                .startsWith("series: 'al' must be first (series of replication 0, the default) or all");
        assertThat(problems(GOOD, "warm-up=1 d"))
                .singleElement()
                .asString()
                .startsWith("warm-up: '1 d' leaves nothing to measure");
        assertThat(problems(GOOD, "server-changes=[{at: 2 d, drain: {count: 1}}]"))
                .singleElement()
                .asString()
                .startsWith("server-changes: a change at 2 d is not before the horizon, 1 d");
        assertThat(problems(GOOD, "policies=[bf-js, bf-js]"))
                .singleElement()
                .asString()
                .contains("label of another policy");
        assertThat(problems(GOOD, "workload.azure-like={}"))
                .singleElement()
                .asString()
                .startsWith("workload: must have exactly one of azure-like, parallel-jobs, trace, types");
    }

    @Test
    void pricesAreOfResources() {
        String azureLike = GOOD.replaceAll("(?s)workload:.*policies", "policies")
                + "workload:\n  azure-like: {}\n  prices: {cpu: 1 / s, memory: 0.5 / s}\n";
        assertThat(read(azureLike).points()).hasSize(1);
        assertThat(problems(azureLike.replace("memory: 0.5", "gpu: 0.5")))
                .singleElement()
                .asString()
                .startsWith("workload.prices.gpu: is not a resource of the workload");
        assertThat(problems(azureLike.replace("1 / s", "cheap")))
                .singleElement()
                .asString()
                .startsWith("workload.prices.cpu:")
                .contains("must be a rate");
    }

    @Test
    void parallelJobs() {
        String jobs =
                "{cluster: {divisible: cpu, servers: {count: 2, cpu: 10, load_ms: 1000000000}}, policies: [bf-js],"
                        + " horizon: 1 h, workload: {parallel-jobs: ";
        // Each has a single problem: missing keys have defaults.
        assertThat(problems(jobs + "{efficiency: high}}}"))
                .singleElement()
                .asString()
                .contains("'high' must be equal, uniform or a CSV file");
        assertThat(problems(jobs + "{most-tasks: 0}}}"))
                .singleElement()
                .asString()
                .contains("most-tasks");
    }

    @Test
    void aRequestThatFitsNoServerIsRefused() {
        assertThat(problems(GOOD, "workload.types[0].demand.cpu=49"))
                .singleElement()
                .asString()
                .startsWith("workload.types[0].demand: fits no server, even an empty one; the servers have ")
                .contains(" vCPU, ", " GiB");
        assertThat(problems(GOOD, "workload.types[0].demand.gpu=1"))
                .singleElement()
                .asString()
                .endsWith("demand.gpu: is a resource that no server has; the servers have cpu, memory");
        assertThat(problems(GOOD, "workload.types[0].demand.gpus=1"))
                .singleElement()
                .asString()
                .endsWith("demand.gpus: is a resource that no server has; the servers have cpu, memory");
    }

    @Test
    void overridesComeBeforeEverythingElse() {
        Experiment experiment = point(GOOD, "seed=9", "workload.types[0].rate=6 / min", "policies[1]=fifo-ff");

        assertThat(experiment.seed()).isEqualTo(9);
        assertThat(experiment.policies()).extracting(LabelledPolicy::label).containsExactly("best-fit", "fifo-ff");
        assertThat(problems(GOOD, "seed")).singleElement().asString().contains("must be path=value");
        assertThat(problems(GOOD, "policies[5]=x")).singleElement().asString().contains("names nothing");
        assertThat(problems(GOOD, "..=x")).singleElement().asString().contains("is not a path");
    }

    @Test
    void theHashIsThatOfTheResolvedText() {
        String hash = point(GOOD).hash();

        assertThat(hash).matches("[0-9a-f]{16}");
        assertThat(point(GOOD + "# a comment\n").hash()).isEqualTo(hash);
        assertThat(point(GOOD, "seed=1").hash()).isNotEqualTo(hash);
        assertThat(point(read(GOOD, "seed=3").resolvedYaml()).hash())
                .isEqualTo(point(GOOD, "seed=3").hash());
    }

    @Test
    void serverChangesNameServersByNumber() {
        String changes =
                "server-changes=[{at: 9 h, add: {site: b, count: 2, cpu: 5}}, {at: 2 h, drain: {site: b, fraction:"
                        + " 50 %}}, {at: 3 h, lose: {site: b, from: 1, count: 2}}, {at: 4 h, return: {site: a}}]";
        Experiment experiment = point(
                GOOD,
                "cluster={sites: [{name: a, servers: {count: 2, cpu: 8, memory: 8 GiB}}, {name: b, servers: {count: 5, cpu: 8,"
                        + " memory: 8 GiB}}]}",
                changes);

        // Site a has servers 0 and 1, site b 2 to 6; half of five is rounded to three.
        assertThat(experiment.changes())
                .extracting(
                        ScheduledChange::atNanos, ScheduledChange::kind, ScheduledChange::from, ScheduledChange::count)
                .containsExactly(
                        tuple(2 * HOUR, ScheduledChange.Kind.DRAIN, 2, 3),
                        tuple(3 * HOUR, ScheduledChange.Kind.LOSE, 3, 2),
                        tuple(4 * HOUR, ScheduledChange.Kind.RETURN, 0, 2),
                        tuple(9 * HOUR, ScheduledChange.Kind.ADD, -1, 2));
        assertThat(experiment.changes().get(3).site()).isEqualTo(1);
        assertThat(experiment.changes().get(3).capacity()).containsExactly(5000, 0);
    }

    @Test
    void mistakesInServerChangesAreFound() {
        assertThat(problems(
                        GOOD,
                        "server-changes=[{at: 1 h, drain: {site: nowhere}}, {at: 1 h}, {drain: {count: 9}},"
                                + " {at: 1 h, drain: {count: 1, fraction: 0.5}}]"))
                .anyMatch(p -> p.startsWith("server-changes[0].drain.site: 'nowhere' is not a site"))
                .anyMatch(p -> p.startsWith("server-changes[1]: must have exactly one of"))
                .anyMatch(p -> p.startsWith("server-changes[2].at: is missing"))
                .anyMatch(p -> p.startsWith("server-changes[2].drain.count: '9' must be 1 to 4"))
                .anyMatch(p -> p.startsWith("server-changes[3].drain: has both count and fraction"));
    }

    @Test
    void slottedTimeHasRatesAndTimesInSlots() {
        Experiment experiment = point(
                GOOD,
                "time={slot: 100 ms}",
                "workload.types[0].rate=0.03 / slot",
                "workload.types[0].service={geometric: 100 slots}",
                "horizon=5000 slots");

        assertThat(experiment.steps()).isEqualTo(Steps.SLOTS);
        assertThat(experiment.slotNanos()).isEqualTo(100_000_000);
        assertThat(experiment.end().atNanos()).isEqualTo(500_000_000_000L);
        assertThat(problems(GOOD, "workload.types[0].rate=0.03 / slot"))
                .singleElement()
                .asString()
                .contains("'slot'");
    }

    @Test
    void trafficScalingIsAFactorOfAllRates() {
        String twice = "workload.types[0].rate=6 / min";
        long arrivals = arrivals(point(GOOD, twice));

        // The same seed and the same total rate give the same requests.
        assertThat(arrivals(point(GOOD, "workload.arrivals.traffic-scaling=2"))).isEqualTo(arrivals);
        assertThat(arrivals(point(GOOD))).isLessThan(arrivals);
    }

    private static long arrivals(Experiment experiment) {
        var stream = experiment.workload().open(1);
        long count = 0;
        while (stream.next() && stream.arrivalNanos() < 24 * HOUR) {
            count++;
        }
        return count;
    }

    @Test
    void tracesAreReadFromTheDirectoryOfTheExperiment() throws IOException {
        Files.writeString(directory.resolve("requests.csv"), """
                arrival_s,duration_s,cpu_milli,mem_mib
                0,10,1000,1024
                3600,10,2000,1024
                7200,x,1000,1024
                7300,10,1000,1024
                """);
        String yaml = GOOD.substring(0, GOOD.indexOf("workload:"))
                + "workload: {trace: {file: requests.csv, from: 1 h, traffic-scaling: 2, max-bad: 0.3}}\n"
                + "policies: [bf-js]\n";

        ReadExperiment experiment = Experiments.readAt(directory, yaml);

        assertThat(experiment.points().get(0).warmUp()).isEqualTo(WarmUpRule.NONE);
        // From 1 h on there are the requests of 3,600 s and 7,300 s: 0 s and 3,700 s, divided by 2.
        var stream = experiment.points().get(0).workload().open(1);
        assertThat(stream.next()).isTrue();
        assertThat(stream.arrivalNanos()).isZero();
        assertThat(stream.next()).isTrue();
        assertThat(stream.arrivalNanos()).isEqualTo(1_850_000_000_000L);
        assertThat(stream.next()).isFalse();
        assertThat(experiment.notes()).anyMatch(note -> note.text().contains("1 bad"));
        assertThat(problems(yaml)).singleElement().asString().contains("requests.csv", "no such file");
    }

    @Test
    void theExampleOfTheDocumentationIsGood() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "experiments.md"));
        List<String> blocks = List.of(docs.split("(?m)^```(yaml)?\\R?"));
        String example = beginning(blocks, "name: example");
        String azureLike = beginning(blocks, "workload:\n  azure-like:");

        assertThat(read(example).points()).hasSize(3);
        assertThat(read(GOOD.replaceAll("(?s)workload:.*policies", "policies") + azureLike)
                        .points())
                .hasSize(1);
    }

    private static String beginning(List<String> blocks, String text) {
        return blocks.stream()
                .filter(block -> block.startsWith(text))
                .findFirst()
                .orElseThrow();
    }
}
