package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.sim.result.MetricName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsReaderTest {
    @TempDir
    Path directory;

    private final ResultSample sample = new ResultSample();
    private Path file;

    @BeforeEach
    void write() throws IOException {
        sample.write(directory);
        file = directory.resolve(ResultsReader.RESULTS);
    }

    private void replace(String from, String to) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(from);
        Files.writeString(file, text.replaceFirst(java.util.regex.Pattern.quote(from), to));
    }

    private int lines() throws IOException {
        return Files.readAllLines(file).size();
    }

    @Test
    void readsEveryRowAndTheExperiment() {
        Results results = ResultsReader.read(directory);
        assertThat(results.rows()).hasSameSizeAs(sample.rows());
        assertThat(results.rows().stream().map(ResultSample::json).toList())
                .isEqualTo(sample.rows().stream().map(ResultSample::json).toList());
        assertThat(results.experiment()).startsWith("name: quickstart");
        assertThat(results.notes()).isEmpty();
        assertThat(results.policies()).containsExactlyElementsOf(sample.policies);
    }

    @Test
    void skipsACutOffLastLineAndSaysSo() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int total = lines();
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 40));
        Results results = ResultsReader.read(directory);
        assertThat(results.rows()).hasSize(total - 1);
        assertThat(results.notes()).anyMatch(note -> note.contains("Line " + total + " of results.jsonl is cut off"));
        assertThat(results.notes()).anyMatch(note -> note.contains("No summary of bf-js"));
    }

    @Test
    void readsACompleteLastLineWithoutNewline() throws IOException {
        Files.writeString(file, Files.readString(file).stripTrailing());
        assertThat(ResultsReader.read(directory).notes()).isEmpty();
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstRow() throws IOException {
        int rows = ResultsReader.read(directory).rows().size();
        Files.writeString(file, "\uFEFF" + Files.readString(file));
        assertThat(ResultsReader.read(directory).notes()).isEmpty();
        assertThat(ResultsReader.read(directory).rows()).hasSize(rows);
    }

    /** The cut may fall inside a character of several bytes. */
    @Test
    void toleratesACutInsideACharacter() throws IOException {
        String row = ResultSample.json(sample.rows().get(0)).replace("quickstart", "größe");
        byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
        byte[] cut = java.util.Arrays.copyOf(bytes, row.indexOf("größe") + 3);
        Files.write(file, cut, java.nio.file.StandardOpenOption.APPEND);
        assertThat(ResultsReader.read(directory).notes()).hasSize(1);
    }

    @Test
    void namesTheLineOfARowThatIsNone() throws IOException {
        List<String> rows = Files.readAllLines(file);
        rows.set(2, "{\"kind\":");
        Files.write(file, rows);
        assertThatThrownBy(() -> ResultsReader.read(directory))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("results.jsonl:3: not a result row");
    }

    @Test
    void refusesAnotherSchemaVersion() throws IOException {
        replace("stowage.results/1", "stowage.results/2");
        assertThatThrownBy(() -> ResultsReader.read(directory))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining(
                        "results.jsonl:1: schema 'stowage.results/2'; this version reads 'stowage.results/1'")
                .hasMessageContaining("run the experiment again");
    }

    @Test
    void refusesFilesOfOtherPrograms() throws IOException {
        Files.writeString(file, "{\"a\":1}\n");
        assertThatThrownBy(() -> ResultsReader.read(directory))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("is this a results file of Stowage?");
    }

    @Test
    void readsALaterMinorVersionWithNewFields() throws IOException {
        replace("\"schema\":\"stowage.results/1\"", "\"schema\":\"stowage.results/1.3\",\"novel\":[1]");
        assertThat(ResultsReader.read(directory).rows()).hasSize(lines());
    }

    @Test
    void namesAMissingField() throws IOException {
        replace("\"experimentHash\":\"0123456789abcdef\",", "");
        assertThatThrownBy(() -> ResultsReader.read(directory))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("results.jsonl:1: field 'origin.experimentHash' is missing");
    }

    @Test
    void namesArraysOfUnequalLength() throws IOException {
        replace("\"mean\":[", "\"mean\":[0.5,");
        assertThatThrownBy(() -> ResultsReader.read(directory))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("'timeSeconds' has 200 values, 'mean' has 201");
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        assertThatThrownBy(() -> ResultsReader.read(directory.resolve("nowhere")))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("nowhere: no such directory; give the directory that 'stowage run' wrote");
        Files.createDirectory(directory.resolve("empty"));
        assertThatThrownBy(() -> ResultsReader.read(directory.resolve("empty")))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("no results.jsonl in this directory");
        assertThatThrownBy(() -> ResultsReader.read(file))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("results.jsonl is a file; give the directory");
        Files.writeString(file, "");
        assertThatThrownBy(() -> ResultsReader.read(directory))
                .isInstanceOf(ResultsException.class)
                .hasMessageContaining("no complete row");
    }

    @Test
    void doesWithoutTheExperiment() throws IOException {
        Files.delete(directory.resolve(ResultsReader.EXPERIMENT));
        Results results = ResultsReader.read(directory);
        assertThat(results.experiment()).isNull();
        assertThat(results.notes()).containsExactly("experiment.yaml is missing: the experiment cannot be shown.");
    }

    /** Means of an interrupted policy: (1 + 3) / 2 = 2, without interval and without verdict. */
    @Test
    void averagesTheReplicationsOfAnInterruptedPolicy() throws IOException {
        var origin = sample.origin("late", java.util.Map.of());
        StringBuilder rows = new StringBuilder();
        for (int r = 0; r < 2; r++) {
            rows.append(ResultSample.json(new dev.stowage.sim.result.RunRow(
                            origin, r, r, "00", 0, 3600, java.util.Map.of("wait_mean_s", 1.0 + 2 * r))))
                    .append('\n');
        }
        Files.writeString(file, rows);
        Results results = ResultsReader.read(directory);
        PolicyOutcome outcome = results.outcomes().get(0);
        assertThat(outcome.complete()).isFalse();
        assertThat(outcome.verdict()).isEqualTo("not judged");
        assertThat(outcome.metrics().get(MetricName.parse("wait_mean_s")).mean())
                .isEqualTo(2.0);
        assertThat(results.notes()).anyMatch(note -> note.contains("interrupted after 2 of its replications"));
        assertThat(SummaryTable.of(results).text(TextStyle.PLAIN)).contains("late (incomplete)", "2 s");
    }
}
