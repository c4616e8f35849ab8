package dev.stowage.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stowage.sim.result.DistributionRow;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.SummaryRow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a results directory: {@code results.jsonl} and, where present, {@code experiment.yaml} and what the run warned
 * of.
 *
 * <p>The last line of an interrupted run may be cut off: it is skipped and noted. Any other line that is not a row, or
 * is of another schema version, is an error that names the line. Fields that this version does not know are ignored.
 */
public final class ResultsReader {
    /** The results file in its directory. */
    public static final String RESULTS = "results.jsonl";
    /** The resolved experiment in its directory. */
    public static final String EXPERIMENT = "experiment.yaml";
    /** What must be known beside the results, with kinds; absent where there is nothing. */
    public static final String WARNINGS = "warnings.json";

    private static final String SCHEMA_NAME = ResultRow.SCHEMA.substring(0, ResultRow.SCHEMA.indexOf('/'));
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private ResultsReader() {}

    private static String missing(Path directory) {
        if (Files.isDirectory(directory)) {
            return ": no " + RESULTS + " in this directory";
        }
        return Files.exists(directory) ? " is a file" : ": no such directory";
    }

    /**
     * Reads the directory.
     *
     * @throws ResultsException if the directory or the results file is missing, unreadable, empty or malformed
     */
    public static Results read(Path directory) {
        Path file = directory.resolve(RESULTS);
        if (!Files.isRegularFile(file)) {
            throw new ResultsException(
                    directory + missing(directory) + "; give the directory that 'stowage run' wrote with" + " --out");
        }
        List<ResultRow> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        readRows(file, rows, notes);
        if (rows.isEmpty()) {
            throw new ResultsException(file + ": no complete row; the run was interrupted before its first result");
        }
        Path experiment = directory.resolve(EXPERIMENT);
        String text = Files.isRegularFile(experiment) ? text(experiment) : null;
        if (text == null) {
            notes.add(EXPERIMENT + " is missing: the experiment cannot be shown.");
        }
        noteMissingSummaries(rows, notes);
        Path warnings = directory.resolve(WARNINGS);
        return new Results(rows, text, notes, Files.isRegularFile(warnings) ? warnings(warnings, notes) : List.of());
    }

    /** What cannot be read of it, is noted: the rows are of use without. */
    private static List<Remark> warnings(Path file, List<String> notes) {
        try {
            List<Remark> warnings = new ArrayList<>();
            for (JsonNode one : JSON.readTree(text(file))) {
                boolean known = Arrays.stream(Remark.Kind.values())
                        .anyMatch(kind -> kind.name().equals(one.path("kind").asText()));
                warnings.add(new Remark(
                        // A later version may have more kinds.
                        known ? Remark.Kind.valueOf(one.path("kind").asText()) : Remark.Kind.PLAIN,
                        one.path("of").asText(),
                        one.path("text").asText(),
                        one.path("rows").asLong()));
            }
            return warnings;
        } catch (JsonProcessingException e) {
            notes.add(WARNINGS + " cannot be read: what the run warned of is not shown.");
            return List.of();
        }
    }

    /** Reads line by line: the rows of large experiments are longer than a string can be. */
    private static void readRows(Path file, List<ResultRow> rows, List<String> notes) {
        // The decoder replaces invalid bytes, because a line may be cut off inside a character.
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String json = number == 1 && line.startsWith("\uFEFF") ? line.substring(1) : line;
                if (json.isBlank()) {
                    continue;
                }
                try {
                    rows.add(row(json, file + ":" + number));
                } catch (JsonProcessingException e) {
                    if (lines.readLine() == null && isCutOff(file)) {
                        notes.add("Line " + number + " of " + RESULTS
                                + " is cut off and was skipped: the run was interrupted.");
                    } else {
                        throw new ResultsException(
                                file + ":" + number + ": not a result row: " + e.getOriginalMessage()
                                        + "; every line must be one JSON object as described in docs/results.md",
                                e);
                    }
                }
            }
        } catch (IOException e) {
            throw new ResultsException(file + ": cannot be read: " + e, e);
        }
    }

    /** Whether the last line is incomplete. */
    private static boolean isCutOff(Path file) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) != '\n';
        }
    }

    private static ResultRow row(String line, String place) throws JsonProcessingException {
        try {
            @Nullable ResultRow row = JSON.readValue(line, ResultRow.class);
            if (row != null && row.origin() != null && isRead(row.origin().schema())) {
                check(row, place);
                return row;
            }
        } catch (JsonMappingException e) {
            // A row of another schema: what it is says more than which of its fields is not known.
            if (isRead(schema(line))) {
                throw e;
            }
        }
        String schema = schema(line);
        throw new ResultsException(place + ": schema '" + schema + "'; this version reads '" + ResultRow.SCHEMA + "'"
                + (schema.startsWith(SCHEMA_NAME + "/")
                        ? "; use the version of Stowage that wrote the file, or run the experiment again"
                        : "; is this a results file of Stowage?"));
    }

    private static String schema(String line) throws JsonProcessingException {
        return JSON.readTree(line).path("origin").path("schema").asText("");
    }

    private static boolean isRead(@Nullable String schema) {
        return schema != null && (schema.equals(ResultRow.SCHEMA) || schema.startsWith(ResultRow.SCHEMA + "."));
    }

    private static void check(ResultRow row, String place) {
        Origin origin = row.origin();
        require(origin.experiment(), "origin.experiment", place);
        require(origin.experimentHash(), "origin.experimentHash", place);
        require(origin.version(), "origin.version", place);
        require(origin.jdk(), "origin.jdk", place);
        require(origin.policy(), "origin.policy", place);
        require(origin.parameters(), "origin.parameters", place);
        require(origin.point(), "origin.point", place);
        if (row instanceof RunRow run) {
            require(run.metrics(), "metrics", place);
            run.metrics().forEach((name, value) -> require(value, "metrics." + name, place));
        } else if (row instanceof SummaryRow summary) {
            require(summary.stability(), "stability", place);
            require(summary.stability().verdict(), "stability.verdict", place);
            require(summary.metrics(), "metrics", place);
            summary.metrics().forEach((name, value) -> require(value, "metrics." + name, place));
        } else if (row instanceof SeriesRow series) {
            require(series.name(), "name", place);
            sameLength(place, "timeSeconds", series.timeSeconds(), "mean", series.mean());
        } else if (row instanceof DistributionRow distribution) {
            require(distribution.name(), "name", place);
            sameLength(place, "probability", distribution.probability(), "quantile", distribution.quantile());
        }
    }

    private static void sameLength(
            String place, String a, double @Nullable [] first, String b, double @Nullable [] second) {
        require(first, a, place);
        require(second, b, place);
        if (first != null && second != null && first.length != second.length) {
            throw new ResultsException(place + ": '" + a + "' has " + first.length + " values, '" + b + "' has "
                    + second.length + "; they must be of one length");
        }
    }

    private static void require(@Nullable Object value, String field, String place) {
        if (value == null) {
            throw new ResultsException(place + ": field '" + field + "' is missing; see docs/results.md");
        }
    }

    private static void noteMissingSummaries(List<ResultRow> rows, List<String> notes) {
        Results read = new Results(rows, null, List.of());
        for (PolicyOutcome outcome : read.outcomes()) {
            if (!outcome.complete()) {
                String point = PolicyOutcome.describe(outcome.point());
                notes.add("No summary of " + outcome.policy() + (point.isEmpty() ? "" : " at " + point)
                        + ": the run was"
                        + " interrupted after " + outcome.replications() + " of its replications; their plain"
                        + " means are shown, without intervals and without a verdict on the queue.");
            }
        }
    }

    private static String text(Path file) {
        try {
            // Not readString: a line cut off inside a character would make the whole file unreadable.
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (IOException e) {
            throw new ResultsException(file + ": cannot be read: " + e, e);
        }
    }
}
