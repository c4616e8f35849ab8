package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of a run about its several sites. */
final class SiteReportTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    /**
     * On average 4 of type a are in service, which fill 1 of the 8 servers of 4 cores: an eighth of each site in the
     * optimum. With half of east drained, 1 of 6.
     */
    private static final String EXPERIMENT = """
            name: sites
            cluster:
              sites:
                - {name: east, servers: {count: 4, cpu: 4}}
                - {name: west, servers: {count: 4, cpu: 4}}
            workload:
              types:
                - {name: a, rate: 24 / h, demand: {cpu: 1}, service: {exponential: 10 min}}
            policies: [shadow, load-balancing]
            server-changes:
              - {at: 4 h, drain: {site: east, fraction: 50 %}}
              - {at: 6 h, return: {site: east, fraction: 50 %}}
            horizon: 10 h
            warm-up: none
            """;

    @TempDir
    private Path directory;

    private Path run(String name, String experiment) throws IOException {
        Path file = Files.writeString(directory.resolve(name + ".yaml"), experiment);
        Path out = directory.resolve(name);
        Program run = Program.run("run", file.toString(), "--out", out.toString());
        assertThat(run.code()).as(run.err()).isZero();
        return out;
    }

    private static Map<String, JsonNode> series(Path out, String policy) throws IOException {
        Map<String, JsonNode> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(out.resolve("results.jsonl"))) {
            JsonNode row = JSON.readTree(line);
            if (row.path("kind").asText().equals("series")
                    && row.path("origin").path("policy").asText().equals(policy)) {
                rows.put(row.path("name").asText(), row);
            }
        }
        return rows;
    }

    private static double[] values(JsonNode row, String field) {
        return IntStream.range(0, row.path(field).size())
                .mapToDouble(i -> row.path(field).get(i).asDouble())
                .toArray();
    }

    @Test
    void picturesAndOptimum() throws IOException {
        Path out = run("sites", EXPERIMENT);
        for (String policy : new String[] {"shadow", "load-balancing"}) {
            Map<String, JsonNode> rows = series(out, policy);
            for (String site : new String[] {"east", "west"}) {
                JsonNode optimum = rows.get("servers_in_use_optimum{site=" + site + "}");
                assertThat(values(optimum, "timeSeconds")).containsExactly(0, 4 * 3600, 6 * 3600);
                assertThat(values(optimum, "mean")).containsExactly(new double[] {.125, 1 / 6.0, .125}, within(1e-6));
                assertThat(values(rows.get("configuration_use_optimum{site=" + site + ",holds=4 x a}"), "mean"))
                        .containsExactly(new double[] {.125, 1 / 6.0, .125}, within(1e-6));
            }
            double[] east = values(rows.get("running_optimum{site=east,type=a}"), "mean");
            double[] west = values(rows.get("running_optimum{site=west,type=a}"), "mean");
            assertThat(east).containsExactly(new double[] {2, 4 / 3.0, 2}, within(1e-5));
            assertThat(west).containsExactly(new double[] {2, 8 / 3.0, 2}, within(1e-5));
        }
        assertThat(series(out, "shadow")).containsKey("configuration_use{site=east,holds=4 x a}");
        String html = Files.readString(out.resolve("report.html"));
        assertThat(html)
                .contains("<h2>Sites</h2>", "shadow: servers in use by site", "shadow: where the requests went")
                .contains("shadow: configurations of east", "load-balancing: where the requests went")
                .doesNotContain("load-balancing: configurations");
        assertThat(out.resolve("plots")).doesNotExist();
        assertThat(Program.run("report", out.toString(), "--no-report", "--pictures")
                        .code())
                .isZero();
        assertThat(out.resolve("plots/shadow-servers-in-use.svg")).isNotEmptyFile();
        assertThat(out.resolve("plots/shadow-routing.svg")).isNotEmptyFile();
        assertThat(out.resolve("plots/shadow-configurations-west.svg")).isNotEmptyFile();
        assertThat(out.resolve("plots/shadow-routing.png")).isNotEmptyFile();
    }

    @Test
    void theSameBytesAgain() throws IOException {
        Path one = run("sites", EXPERIMENT);
        byte[] html = Files.readAllBytes(one.resolve("report.html"));
        byte[] rows = Files.readAllBytes(one.resolve("results.jsonl"));
        assertThat(Program.run("report", one.toString()).code()).isZero();
        assertThat(Files.readAllBytes(one.resolve("report.html"))).isEqualTo(html);
        Files.move(one, directory.resolve("before"));
        Path other = run("sites", EXPERIMENT);
        assertThat(Files.readAllBytes(other.resolve("results.jsonl"))).isEqualTo(rows);
        assertThat(Files.readAllBytes(other.resolve("report.html"))).isEqualTo(html);
    }

    /** 17 types: no linear program, and the report says so. */
    @Test
    void withoutAnOptimum() throws IOException {
        String types = IntStream.range(0, 17)
                .mapToObj(i ->
                        "    - {name: t" + i + ", rate: 2 / h, demand: {cpu: 1}, service: {exponential: 10 min}}\n")
                .reduce("", String::concat);
        String experiment = Stream.of(EXPERIMENT.split("\n", -1))
                .filter(line -> !line.contains("name: a"))
                .reduce("", (text, line) -> text + line + "\n")
                .replace("  types:\n", "  types:\n" + types)
                .replace("shadow, load-balancing", "load-balancing");
        Path out = run("many", experiment);
        assertThat(series(out, "load-balancing").keySet()).noneMatch(name -> name.contains("_optimum{site"));
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("there is no optimum: there are more than 16 types (see");
    }

    /** Of 5 sites there are 10 pairs and 10 triples. */
    @Test
    void withoutAnOptimumForManyOrigins() throws IOException {
        String sites = IntStream.range(0, 3)
                .mapToObj(i -> "    - {name: s" + i + ", servers: {count: 4, cpu: 4}}\n")
                .reduce("", String::concat);
        String[] names = {"east", "west", "s0", "s1", "s2"};
        StringBuilder origins = new StringBuilder("  origins:\n    of:\n");
        for (int set = 1; set < 1 << 5; set++) {
            int one = set;
            List<String> of = IntStream.range(0, 5)
                    .filter(i -> (one >> i & 1) == 1)
                    .mapToObj(i -> names[i])
                    .toList();
            if (of.size() == 2 || of.size() == 3) {
                origins.append("    - {name: o" + set + ", sites: " + of + "}\n");
            }
        }
        String experiment = EXPERIMENT
                .replace("workload:\n", sites + "workload:\n")
                .replace("policies:", origins + "policies:")
                .replace("shadow, load-balancing", "load-balancing");
        Path out = run("origins", experiment);
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("there is no optimum: requests come from many sets of sites, or change too often (see");
    }

    @Test
    void aSingleSiteHasNoSection() throws IOException {
        String experiment = Stream.of(EXPERIMENT.split("\n", -1))
                .filter(line -> !line.contains("name: west"))
                .reduce("", (text, line) -> text + line + "\n");
        Path out = run("single", experiment);
        assertThat(Files.readString(out.resolve("report.html"))).doesNotContain("<h2>Sites</h2>");
        assertThat(series(out, "shadow").keySet()).noneMatch(name -> name.contains("optimum"));
    }
}
