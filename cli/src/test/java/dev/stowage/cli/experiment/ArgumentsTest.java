package dev.stowage.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Names;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.ServerArgument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ArgumentsTest {
    @TempDir
    private Path directory;

    @Test
    void serversInWords() {
        assertThat(ServerArgument.parse("1400 x 48 cores, 128 GiB").toString())
                .isEqualTo("[{\"count\":1400,\"cpu\":\"48 cores\",\"memory\":\"128 GiB\"}]");
        assertThat(ServerArgument.parse("2x8vCPU,1TiB memory, 4 TiB disk,2 gpus + 3 × slots=8")
                        .toString())
                .isEqualTo("[{\"count\":2,\"cpu\":\"8vCPU\",\"memory\":\"1TiB\",\"disk\":\"4 TiB\",\"gpu\":\"2 gpus\"},"
                        + "{\"count\":3,\"slots\":\"8\"}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 x", "1 x 48", "1 x 48 lemons", "1 x 4 cores, 5 cores", "1 x 4 cores + ", "1 x 4 cores,"})
    void otherServersAreRefused(String text) {
        assertThatThrownBy(() -> ServerArgument.parse(text))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(text);
    }

    @Test
    void aFileOfServersIsNotADescription() {
        assertThat(ServerArgument.describes("servers.csv")).isFalse();
        assertThat(ServerArgument.describes("4xlarge.csv")).isTrue();
        assertThat(ServerArgument.describes("4 x 2 cores")).isTrue();
        for (String meant : List.of("-4 x 48 cores, 128 GiB", "2000000000 x 4 cores", "8 cores 32 GiB")) {
            assertThat(ServerArgument.describes(meant)).isTrue();
            assertThatThrownBy(() -> ServerArgument.parse(meant)).hasMessageContaining("a count from 1 to 999999999");
        }
    }

    @Test
    void aTableIsNotAnExperiment() throws IOException {
        for (String name : List.of("requests.csv", "requests.CSV.gz", "requests.parquet", "jobs.swf")) {
            Path file = Files.writeString(directory.resolve(name), "arrival_s,duration_s,cpu\n0,1,1\n");
            assertThatThrownBy(() -> ExperimentSource.find(file.toString()))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageContaining("is a table, not an experiment");
        }
    }

    @Test
    void policiesWithParameters() {
        assertThat(PolicyArgument.parse("bf-js")).isEqualTo(new PolicyArgument("bf-js", "bf-js", Map.of()));
        assertThat(PolicyArgument.parse("best-fit:when-full=queue:score=mix"))
                .isEqualTo(new PolicyArgument(
                        "best-fit",
                        "best-fit:score=mix:when-full=queue",
                        Map.of("when-full", "queue", "score", "mix")));
        assertThatThrownBy(() -> PolicyArgument.parse("bf-js:=x")).isInstanceOf(BadInputException.class);
    }

    @Test
    void optionsBecomeOverrides() {
        ExperimentOptions options = new ExperimentOptions();
        options.traces = List.of(Path.of("a.csv"));
        options.servers = "2 x 4 cores";
        options.policies = List.of("bf-j");
        options.trafficScaling = "1.2";
        options.seed = 7L;
        options.set = List.of("drain=true");

        assertThat(new Overrides(options, Path.of(""), true).all())
                .containsExactly(
                        "name=\"a\"",
                        "cluster={\"servers\":[{\"count\":2,\"cpu\":\"4 cores\"}]}",
                        "workload={\"trace\":{\"file\":\"a.csv\"}}",
                        "workload.trace.traffic-scaling=\"1.2\"",
                        "policies=[{\"policy\":\"bf-j\"}]",
                        "seed=7",
                        "drain=true");
        // With an experiment in another directory, the file is still relative to the working directory.
        assertThat(new Overrides(options, Path.of("elsewhere"), false).all())
                .contains("workload={\"trace\":{\"file\":\"" + Path.of("a.csv").toAbsolutePath() + "\"}}");
    }

    @Test
    void namesAreFitForDirectories() {
        assertThat(Names.stem(Path.of("x/azure 2017.csv.gz"))).isEqualTo("azure-2017");
        assertThat(Names.stem(Path.of("a.b.parquet"))).isEqualTo("a.b");
        assertThat(Names.stem(Path.of("...csv"))).isEqualTo("trace");
    }

    /** As people write them, in several languages. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10 x 32 cores 256 GB",
                "10 x 32c/256G",
                "10 x 32C/256G",
                "10*(32 cores; 256 GB)",
                "10 servers with 32 cores and 256 GB",
                "10 x 32 threads, 256 GB",
                "10 x 32 Kern, 256 GB Speicher",
                "10 x 32 Kerne, 256 GB Arbeitsspeicher",
                "10 x 32 coeur, 256 GB mémoire",
                "10 x 32 cœurs, 256 GB",
                "10 x 32 núcleos, 256 GB memoria"
            })
    void serversAsPeopleWriteThem(String text) {
        assertThat(ServerArgument.describes(text)).isTrue();
        assertThat(ServerArgument.parse(text).toString().replace("256GB", "256 GB"))
                .isEqualTo("[{\"count\":10,\"cpu\":\"32 cores\",\"memory\":\"256 GB\"}]");
    }

    @Test
    void aWordThatIsNotKnownShowsHowToWriteServers() {
        assertThatThrownBy(() -> ServerArgument.parse("10 x 32 jadra, 256 GB"))
                .hasMessageContaining("'32 jadra'")
                .hasMessageContaining("as in \"10 x 32 cores, 256 GB\"");
    }
}
