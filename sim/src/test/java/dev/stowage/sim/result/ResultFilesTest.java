package dev.stowage.sim.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
    private static final Origin ORIGIN = new Origin(
            ResultRow.SCHEMA,
            "two \"quoted\" words",
            "0123456789abcdef",
            "1.0",
            "17",
            "best-fit",
            Map.of("when-full", "queue"),
            Map.of("load", "0.7"));
    private static final RunRow RUN =
            new RunRow(ORIGIN, 0, 42, "00000000deadbeef", 1.5, 3600, ordered("wait_mean_s", 0.1, "arrived", 7));
    private static final SummaryRow SUMMARY = new SummaryRow(
            ORIGIN,
            1,
            "given",
            new Stability("undecided", 2.5, null),
            Map.of("wait_mean_s", new Estimate(0.1, 0.02, 0.95, "batch-means", 40)));
    private static final SeriesRow SERIES = new SeriesRow(
            ORIGIN,
            0,
            "queue_length",
            "requests",
            new double[] {0, 10},
            new double[] {1, 2.5},
            new double[] {0, 2},
            new double[] {3, 3});
    private static final DistributionRow DISTRIBUTION =
            new DistributionRow(ORIGIN, 0, "wait_s", "s", 9, new double[] {0.5, 0.9}, new double[] {0, 1e-9});
    private static final List<ResultRow> ROWS = List.of(RUN, SUMMARY, SERIES, DISTRIBUTION);

    @TempDir
    Path directory;

    @Test
    void rowsComeBackAsTheyWere() throws IOException {
        Path file = directory.resolve("results.jsonl");
        try (ResultWriter writer = ResultWriter.open(file)) {
            ROWS.forEach(writer::write);
            assertThat(writer.rows()).isEqualTo(4);
            // complete before the file is closed
            assertThat(Files.readAllLines(file)).hasSize(4);
        }
        ObjectMapper json = new ObjectMapper();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < ROWS.size(); i++) {
            ResultRow read = json.readValue(lines.get(i), ResultRow.class);
            assertThat(read).usingRecursiveComparison().isEqualTo(ROWS.get(i));
        }
        assertThat(lines.get(0)).contains("\"kind\":\"run\"", "\"schema\":\"stowage.results/1\"");
    }

    @Test
    void continuesAfterTheLastCompleteRow() throws IOException {
        Path file = directory.resolve("results.jsonl");
        try (ResultWriter writer = ResultWriter.open(file)) {
            writer.write(RUN);
        }
        String whole = Files.readString(file);
        Files.writeString(file, whole + whole.substring(0, whole.length() / 2));
        try (ResultWriter writer = ResultWriter.open(file)) {
            assertThat(writer.rows()).isEqualTo(1);
            writer.write(SUMMARY);
            assertThat(writer.rows()).isEqualTo(2);
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0) + "\n").isEqualTo(whole);
        assertThat(lines.get(1)).startsWith("{\"kind\":\"summary\"");
    }

    @Test
    void saysWhereItCouldNotWrite() {
        Path file = directory.resolve("missing").resolve("results.jsonl");
        assertThatThrownBy(() -> ResultWriter.open(file))
                .isInstanceOf(ResultWriteException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("0 rows are complete");
    }

    /** A disk with room for some bytes: writes what fits, then fails, as a file system does. */
    private static final class SmallDisk extends RandomAccessFile {
        private int room;

        SmallDisk(Path file, int room) throws IOException {
            super(file.toFile(), "rw");
            this.room = room;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            int fitting = Math.min(room, bytes.length);
            write(bytes, 0, fitting);
            room -= fitting;
            if (fitting < bytes.length) {
                throw new IOException("No space left on device");
            }
        }
    }

    @Test
    void aFullDiskLeavesCompleteRowsOnly() throws IOException {
        Path file = directory.resolve("results.jsonl");
        int rowLength = new ObjectMapper().writeValueAsBytes(RUN).length + 1;
        try (ResultWriter writer = ResultWriter.open(file, new SmallDisk(file, 2 * rowLength + 50))) {
            writer.write(RUN);
            writer.write(RUN);
            assertThatThrownBy(() -> writer.write(RUN))
                    .isInstanceOf(ResultWriteException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("2 rows are complete and stay valid");
        }
        String text = Files.readString(file);
        assertThat(text).endsWith("}\n");
        assertThat(text.lines()).hasSize(2);
    }

    @Test
    void csvHasOneLinePerValue() throws IOException {
        String origin = "\"two \"\"quoted\"\""
                + " words\",0123456789abcdef,1.0,17,best-fit,\"{\"\"when-full\"\":\"\"queue\"\"}\",0.7,";
        ResultCsv csv = new ResultCsv(ROWS);
        assertThat(lines(csv::runs))
                .containsExactly(
                        "experiment,experiment_hash,version,jdk,policy,parameters,point.load,replication,seed,digest,"
                                + "warmup_s,horizon_s,metric,value",
                        origin + "0,42,00000000deadbeef,1.5,3600.0,wait_mean_s,0.1",
                        origin + "0,42,00000000deadbeef,1.5,3600.0,arrived,7.0");
        assertThat(lines(csv::summaries))
                .endsWith(
                        origin + "1,undecided,queue_growth_per_h,2.5,,,,",
                        origin + "1,undecided,wait_mean_s,0.1,0.02,0.95,batch-means,40");
        assertThat(lines(csv::series))
                .endsWith(
                        origin + "0,queue_length,requests,0.0,1.0,0.0,3.0",
                        origin + "0,queue_length,requests,10.0,2.5,2.0,3.0");
        assertThat(lines(csv::distributions))
                .endsWith(origin + "0,wait_s,s,9,0.5,0.0", origin + "0,wait_s,s,9,0.9,1.0E-9");
    }

    @FunctionalInterface
    private interface TableWriter {
        void write(Writer out) throws IOException;
    }

    private static List<String> lines(TableWriter table) throws IOException {
        StringWriter out = new StringWriter();
        table.write(out);
        return out.toString().lines().toList();
    }

    private static Map<String, Double> ordered(String first, double a, String second, double b) {
        Map<String, Double> map = new LinkedHashMap<>();
        map.put(first, a);
        map.put(second, b);
        return map;
    }
}
