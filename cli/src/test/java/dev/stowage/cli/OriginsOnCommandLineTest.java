package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments with origins, whose requests may run at some sites only: bounds, runs, recordings. */
final class OriginsOnCommandLineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    /**
     * On average 4 requests are in service; 3 of 4, from 4 h on 2 of 4, may run at west only, which has 16 slots: rho
     * is 3/16, then 4/32 as everything can be shared.
     */
    private static final String EXPERIMENT = """
            name: origins
            cluster:
              sites:
                - {name: east, servers: {count: 4, cpu: 4}}
                - {name: west, servers: {count: 4, cpu: 4}}
            workload:
              types:
                - {name: a, rate: 24 / h, demand: {cpu: 1}, service: {exponential: 10 min}, reward: 1 / h}
              origins:
                of:
                  - {name: w, sites: [west], weights: [{from: 0 h, weight: 3}, {from: 4 h, weight: 1}]}
                  - {name: any, weights: 1}
            policies: [shadow, first-fit]
            horizon: 10 h
            warm-up: none
            """;

    @TempDir
    private Path directory;

    private String file(String experiment) throws IOException {
        return Files.writeString(directory.resolve("experiment.yaml"), experiment)
                .toString();
    }

    private static Program good(String... arguments) {
        Program program = Program.run(arguments);
        assertThat(program.code()).as(program.err()).isZero();
        return program;
    }

    private JsonNode routing(String experiment, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("bound", file(experiment), "--format", "json"));
        arguments.addAll(List.of(options));
        JsonNode bound =
                JSON.readTree(good(arguments.toArray(String[]::new)).out()).get(0);
        assertThat(bound.get("reason").asText()).contains("origins limit requests to sites");
        assertThat(bound.get("verdict").asText()).isEqualTo("unknown");
        return bound.get("routing");
    }

    private static void isPeriod(JsonNode period, double from, double rho) {
        assertThat(period.get("reason").asText()).isEmpty();
        assertThat(period.get("fromSeconds").asDouble()).isEqualTo(from);
        assertThat(period.get("rhoAtLeast").asDouble()).isCloseTo(rho, within(1e-6));
        assertThat(period.get("rhoAtMost").asDouble()).isCloseTo(rho, within(1e-6));
    }

    @Test
    void theBoundHasAPeriodForEachStepOfTheProfile() throws IOException {
        JsonNode periods = routing(EXPERIMENT);
        assertThat(periods).hasSize(2);
        isPeriod(periods.get(0), 0, 3 / 16.0);
        isPeriod(periods.get(1), 4 * 3600, 4 / 32.0);
        JsonNode west = periods.get(0).get("blocks").get(1);
        assertThat(west.get("from").get("w").asDouble()).isCloseTo(3, within(1e-6));
        assertThat(west.get("routed").get("a").asDouble()).isCloseTo(3, within(1e-5));

        JsonNode daily = routing(EXPERIMENT.replace("  origins:\n", "  origins:\n    period: 6 h\n"));
        assertThat(daily).hasSize(3);
        isPeriod(daily.get(2), 6 * 3600, 3 / 16.0);
        assertThat(good("bound", file(EXPERIMENT)).out()).contains("from w", "from any");

        String small = EXPERIMENT.replace("west, servers: {count: 4, cpu: 4}", "west, servers: {count: 4, cpu: 0.5}");
        assertThat(routing(small).get(0).get("reason").asText())
                .isEqualTo("a from w: no server that is up could hold one");
        String endless = EXPERIMENT
                .replace("  origins:\n", "  origins:\n    period: 300 min\n")
                .replace("horizon: 10 h", "requests: 10");
        assertThat(routing(endless).get(0).get("reason").asText())
                .isEqualTo("the weights of the origins change more than 400 times");
    }

    /** All at east in the first hour, all at west in the second: a quarter of the one, of the other. */
    @Test
    void windowsOfATraceHaveTheOriginsThatAreDrawn() throws IOException {
        Files.writeString(
                directory.resolve("requests.csv"),
                "arrival_s,duration_s,cpu_milli\n0,3600,4000\n3600,3600,4000\n7200,1,4000\n");
        String trace = EXPERIMENT
                .replaceAll("(?s)  types:.*  origins:", "  trace: {file: requests.csv}\n  origins:")
                .replaceAll("(?s)      - \\{name: w.*weights: 1}", """
                              - {name: e, sites: east, weights: [{from: 0 h, weight: 1}, {from: 1 h, weight: 0}]}
                              - {name: w, sites: west, weights: [{from: 0 h, weight: 0}, {from: 1 h, weight: 2}]}\
                        """.indent(0).stripTrailing())
                .replace("horizon: 10 h\n", "");
        JsonNode periods = routing(trace, "--routing-windows", "2");
        assertThat(periods).hasSize(2);
        isPeriod(periods.get(0), 0, .25);
        isPeriod(periods.get(1), 3600, .25);
        assertThat(periods.get(0).get("blocks").get(0).get("from").get("e").asDouble())
                .isEqualTo(1);
        assertThat(periods.get(1).get("blocks").get(1).get("from").get("w").asDouble())
                .isEqualTo(1);
    }

    @Test
    void whatOtherBoundsDoNotKnowTheyDoNotTell() throws IOException {
        Program windows = Program.run("bound", file(EXPERIMENT), "--windows", "3");
        assertThat(windows.code()).isEqualTo(2);
        assertThat(windows.err()).contains("no bound for windows: origins limit requests to sites");
    }

    @Test
    void aRunItsOptimumItsRecordingAndTheReplayKeepToTheSites() throws IOException {
        String limited = EXPERIMENT.replace("    - {name: any", "    - {name: too, sites: west");
        Path out = directory.resolve("out");
        Path log = directory.resolve("run.log");
        Path decisions = directory.resolve("run.csv");
        Program run = good(
                "run",
                file(limited),
                "--out",
                out.toString(),
                "--record",
                log.toString(),
                "--decisions",
                decisions.toString());
        assertThat(run.err()).contains("No ratio of load to maximum supportable load: origins limit");
        assertThat(Files.readString(out.resolve("experiment.yaml"))).contains("origins:");
        List<String> rows = Files.readAllLines(out.resolve("results.jsonl"));
        assertThat(rows).noneMatch(row -> row.contains("reward_of_bound"));
        JsonNode optimum = series(rows, "servers_in_use_optimum{site=west}");
        assertThat(optimum.get("mean").get(0).asDouble()).isCloseTo(.25, within(1e-6));
        onlyWest(rows);

        Path recorded = named("first-fit", ".log");
        assertThat(Files.readString(recorded)).contains(" sites=1\n");
        assertThat(Files.readAllLines(named("first-fit", ".csv")))
                .filteredOn(row -> row.contains(",placed,"))
                .isNotEmpty()
                .allMatch(row -> row.contains(",west,"));
        assertThat(good("replay", recorded.toString()).out()).contains("the same as recorded");
        Path again = directory.resolve("again");
        good("replay", recorded.toString(), "--policy", "best-fit", "--out", again.toString());
        onlyWest(Files.readAllLines(again.resolve("results.jsonl")));
        Program other = Program.run("replay", recorded.toString(), "--policy", "max-weight");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err()).contains("--policy max-weight: 'max-weight' does not support site limits");
    }

    private Path named(String part, String end) throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().contains(part)
                            && file.toString().endsWith(end))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static JsonNode series(List<String> rows, String name) throws IOException {
        for (String line : rows) {
            JsonNode row = JSON.readTree(line);
            if (row.path("name").asText().equals(name)) {
                return row;
            }
        }
        throw new AssertionError("no series " + name);
    }

    private static void onlyWest(List<String> rows) throws IOException {
        int runs = 0;
        for (String line : rows) {
            JsonNode row = JSON.readTree(line);
            if (row.get("kind").asText().equals("run")) {
                runs++;
                assertThat(row.get("metrics").get("arrived").asInt()).isPositive();
                assertThat(row.get("metrics")
                                .get("utilization{site=east,resource=cpu_milli}")
                                .asDouble())
                        .isZero();
                assertThat(row.get("metrics")
                                .get("utilization{site=west,resource=cpu_milli}")
                                .asDouble())
                        .isPositive();
            }
        }
        assertThat(runs).isPositive();
    }

    @Test
    void policiesTellWhetherTheyKeepSiteLimits() {
        assertThat(good("policies").out().replaceAll("\\s+", " "))
                .containsPattern(
                        "sites they are limited to -+ first-fit, best-fit, fifo-ff, bf-j, bf-s, bf-js, [^.]*shadow-bfjs");
        assertThat(good("policies", "bf-js").out()).contains("keeps requests to the sites they are limited to");
        assertThat(good("policies", "vqs").out()).contains("does not support site limits");
        assertThat(good("policies", "vqs", "--format", "json").out()).contains("\"keepsSiteLimits\" : false");
    }
}
