package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How the policies that route across sites handle bad or odd input: an error message, or requests that wait or go
 * elsewhere.
 */
final class RoutingInputTest {
    private static final String TWO_SITES = """
            name: two-sites
            cluster:
              sites:
                - {name: a, servers: {count: 2, cpu: 10}, pooled: {disk_units: 10}}
                - {name: b, servers: {count: 1, cpu: 4}, pooled: {disk_units: 10}}
            workload:
              types:
                - {name: small, rate: 1 / s, demand: {cpu: 4, disk_units: 1}, service: {exponential: 1 s}}
                - {name: large, rate: 0.1 / s, demand: {cpu: 8, disk_units: 1}, service: {exponential: 2 s}}
            policies: [shadow, shadow-simplified, shadow-consolidating, shadow-bfjs, load-balancing]
            horizon: 100 s
            """;

    @TempDir
    private Path directory;

    private Program run(String experiment) throws IOException {
        Path file = Files.writeString(directory.resolve("experiment.yaml"), experiment);
        return Program.run("run", file.toString(), "--no-report", "--out", out().toString(), "--overwrite");
    }

    private Path out() {
        return directory.resolve("out");
    }

    /** The metrics of the run of each policy. */
    private List<JsonNode> metrics(String experiment) throws IOException {
        Program program = run(experiment);
        assertThat(program.code()).as(program.err()).isZero();
        List<JsonNode> metrics = new ArrayList<>();
        for (String line : Files.readAllLines(out().resolve("results.jsonl"))) {
            JsonNode row = new ObjectMapper().readTree(line);
            if (row.get("kind").asText().equals("run")) {
                metrics.add(row.get("metrics"));
            }
        }
        assertThat(metrics).hasSize(5);
        return metrics;
    }

    @Test
    void aTypeThatFitsNoServerOfAnySite() throws IOException {
        Program program = run(TWO_SITES.replace("cpu: 8,", "cpu: 11,"));
        assertThat(program.code()).isEqualTo(2);
        assertThat(program.err())
                .contains("workload.types[1].demand: fits no server", "the servers have 10 vCPU; 4 vCPU");
    }

    @Test
    void parametersOutOfRange() throws IOException {
        Program program = run(TWO_SITES.replaceAll(
                "policies: .*",
                "policies: [{policy: shadow, gamma: 0}, {policy: shadow-consolidating, moves-per-hour: -1}, {policy:"
                        + " shadow,"
                        + " label: b, theta: 1}, {policy: shadow-bfjs, theta: 0.1}]"));
        assertThat(program.code()).isEqualTo(2);
        assertThat(program.err())
                .contains("gamma of policy shadow is \"0\"; allowed: a number from 0.1 to 1000")
                .contains("moves-per-hour of policy shadow-consolidating is \"-1\"")
                .contains("theta of policy shadow is \"1\"; allowed: a number from 0.000001 to 0.5")
                .contains("shadow-bfjs has no parameter \"theta\"; it has gamma, theta1, listed");
    }

    /** A site without servers, or without the pool that every type needs, gets nothing. */
    @Test
    void aSiteThatCanTakeNothing() throws IOException {
        String noServer = TWO_SITES.replace("count: 1, cpu: 4", "count: 0, cpu: 4");
        String noPool = TWO_SITES.replace("cpu: 4}, pooled: {disk_units: 10}", "cpu: 4}");
        for (String experiment : List.of(noServer, noPool)) {
            for (JsonNode each : metrics(experiment)) {
                assertThat(each.get("arrived").asInt()).isPositive();
                assertThat(each.get("rejected").asInt()).isZero();
                assertThat(each.path("running_mean{site=1,type=0}").asDouble()).isZero();
                assertThat(each.path("running_mean{site=1,type=1}").asDouble()).isZero();
            }
        }
    }

    /**
     * In maintenance of all servers everything waits; afterwards all of it is served. Small ones go to b while a is
     * away.
     */
    @Test
    void maintenance() throws IOException {
        String all = """
                server-changes: [{at: 20 s, drain: {site: a}}, {at: 20 s, drain: {site: b}},
                  {at: 40 s, return: {site: a}}]
                warm-up: none
                """;
        for (JsonNode each : metrics(TWO_SITES + all)) {
            assertThat(each.get("rejected").asInt()).isZero();
            assertThat(each.get("queue_length_max").asInt()).isGreaterThan(5);
            assertThat(each.get("wait_max_s").asDouble()).isBetween(10.0, 60.0);
            assertThat(each.get("waited_fraction").asDouble()).isBetween(0.1, 0.9);
            int open = each.get("arrived").asInt() - each.get("placed").asInt();
            assertThat(open).isEqualTo(each.get("queue_length_final").asInt()).isLessThan(10);
        }
        String one = "server-changes: [{at: 20 s, drain: {site: a}}]\nwarm-up: 30 s\n";
        for (JsonNode each : metrics(TWO_SITES + one)) {
            assertThat(each.get("running_mean{site=1,type=0}").asDouble()).isPositive();
            assertThat(each.path("running_mean{site=1,type=1}").asDouble()).isZero();
        }
    }
}
