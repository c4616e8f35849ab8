package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows are what docs/rows.schema.json says, and have no field that it does not name. */
final class RowSchemaTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String EXPERIMENT = """
            name: two-sites
            cluster:
              sites:
                - {name: east, servers: {count: 4, cpu: 4}}
                - {name: west, servers: {count: 4, cpu: 4}}
            workload:
              types:
                - {name: a, rate: 24 / h, demand: {cpu: 1}, service: {exponential: 10 min}, reward: 1 / h}
            policies: [shadow, {policy: first-fit, when-full: queue}]
            horizon: 10 h
            warm-up: none
            replications: 2
            """;

    @TempDir
    private Path directory;

    @Test
    void rowsOfAnExperimentAndOfATrace() throws IOException {
        Path experiment = Files.writeString(directory.resolve("two-sites.yaml"), EXPERIMENT);
        StringBuilder table = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (int i = 0; i < 200; i++) {
            table.append(10 * i).append(",").append(300 + i % 7).append(",1000,2048\n");
        }
        Path trace = Files.writeString(directory.resolve("requests.csv"), table);
        List<JsonNode> rows = rows(experiment.toString());
        rows.addAll(rows("--trace", trace.toString(), "--servers", "3 x 8 cores, 32 GiB", "--policy", "fifo-ff"));

        JsonSchema schema = strict();
        Map<String, Integer> kinds = new TreeMap<>();
        for (JsonNode row : rows) {
            assertThat(schema.validate(row)).as("%s", row).isEmpty();
            kinds.merge(row.path("kind").asText(), 1, Integer::sum);
        }
        assertThat(kinds).containsOnlyKeys("run", "summary", "series", "distribution");
        assertThat(rows).anyMatch(row -> row.has("blocks"), "blocks of a run on a trace");
    }

    @Test
    void whatIsNoRowIsRefused() throws IOException {
        Path experiment = Files.writeString(directory.resolve("two-sites.yaml"), EXPERIMENT);
        JsonSchema schema = strict();
        for (JsonNode row : rows(experiment.toString())) {
            for (String field : List.of("kind", "origin", "replication", "replications", "name", "mean", "metrics")) {
                if (row.has(field)) {
                    ObjectNode without = row.deepCopy();
                    without.remove(field);
                    assertThat(schema.validate(without)).as("without %s", field).isNotEmpty();
                    ObjectNode wrong = row.deepCopy();
                    wrong.put(field, -1.5);
                    assertThat(schema.validate(wrong)).as("wrong %s", field).isNotEmpty();
                }
            }
            ObjectNode unknown = row.deepCopy();
            unknown.put("surprise", 1);
            assertThat(schema.validate(unknown))
                    .extracting(ValidationMessage::getMessage)
                    .anyMatch(message -> message.contains("surprise"));
        }
    }

    private List<JsonNode> rows(String... what) throws IOException {
        Path out = Files.createTempDirectory(directory, "out");
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(List.of(what));
        arguments.addAll(List.of("--no-report", "--quiet", "--out", out.toString()));
        Program program = Program.run(arguments.toArray(String[]::new));
        assertThat(program.code()).as(program.err()).isZero();
        List<JsonNode> rows = new ArrayList<>();
        for (String line : Files.readAllLines(out.resolve("results.jsonl"))) {
            rows.add(JSON.readTree(line));
        }
        return rows;
    }

    /** Readers ignore what they do not know; here a field without documentation is a mistake. */
    private static JsonSchema strict() throws IOException {
        JsonNode schema =
                JSON.readTree(Path.of("..", "docs", "rows.schema.json").toFile());
        for (JsonNode kind : schema.path("$defs")) {
            if (kind.has("properties")) {
                ((ObjectNode) kind).put("additionalProperties", false);
            }
        }
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema);
    }
}
