package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong files and wrong rows: the message names the place, the value and what is allowed. */
class BadInputTest {
    private static final String HEADER = "arrival_s,duration_s,cpu_milli,batch_id";
    private static final ReadOptions STRICT = ReadOptions.defaults().withStrict(true);

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x,5,1,2 | arrival_s | x | is not a number",
                "-1,5,1,2 | arrival_s | -1 | is negative",
                ",5,1,2 | arrival_s | '' | is missing",
                "NaN,5,1,2 | arrival_s | NaN | is not finite",
                "1,inf,1,2 | duration_s | inf | is not finite",
                "1,-5,1,2 | duration_s | -5 | is negative",
                "1,5,,2 | cpu_milli | '' | is missing",
                "1,5,1e30,2 | cpu_milli | 1e30 | is too large",
                "9999999999999,5,1,2 | arrival_s | 9999999999999 | is too large",
                "1,5,1,2.5 | batch_id | 2.5 | is not whole",
                "1,5,1 | '' | a row of 3 fields | has too few fields",
                "1,5,1,2,9 | '' | a row of 5 fields | has too many fields",
            })
    void badRowsAreCountedWithLineAndValueOrStopAStrictReading(String row, String column, String value, String reason) {
        Path file = Sources.text(directory, "t.csv", HEADER, "0,5,1,2", row, "2,5,1,2", row);
        LoadReport report = Sources.read(file).report();
        assertThat(report.rowsRead()).isEqualTo(4);
        assertThat(report.rowsUsed()).isEqualTo(2);
        assertThat(report.bad()).hasSize(1);
        LoadReport.Bad bad = report.bad().get(0);
        assertThat(bad.rows()).isEqualTo(2);
        assertThat(bad.reason()).startsWith((column + " " + reason).strip()).contains("allowed: ");
        assertThat(bad.first())
                .containsExactly(
                        new LoadReport.ReportedRow(file.toString(), 3, column, value),
                        new LoadReport.ReportedRow(file.toString(), 5, column, value));
        assertThat(report.lines()).anyMatch(line -> line.contains(file + ":3") && line.contains("'" + value + "'"));

        assertThatThrownBy(() -> TraceReader.read(file, STRICT))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(file + ":3: ")
                .hasMessageContaining(column)
                .hasMessageContaining("'" + value + "' " + reason + "; allowed: ");
    }

    @Test
    void onlyTheFirstBadRowsAreKept() {
        String[] lines = new String[101];
        Arrays.fill(lines, "x,5,1,2");
        lines[0] = HEADER;
        lines[50] = "0,5,1,2";
        LoadReport report =
                Sources.read(Sources.text(directory, "t.csv", lines)).report();
        assertThat(report.rowsBad()).isEqualTo(99);
        assertThat(report.bad().get(0).first()).hasSize(5);
    }

    /** A misspelt column that would change the result is not ignored. */
    @ParameterizedTest
    @CsvSource({
        "powr_mw, power_mw",
        "budgt_j, budget_j",
        "load_sm, load_ms",
        "gpu_mili, gpu_milli",
        "job_di, job_id",
        "were, where",
    })
    void aMisspeltColumnIsRefusedWithTheNearestName(String given, String meant) {
        assertRefused(
                Sources.text(directory, "t.csv", "arrival_s,duration_s,cpu_milli," + given, "0,5,1,2"),
                "column '" + given + "' is not one of format 'canonical'; did you mean '" + meant + "'?");
    }

    @Test
    void aColumnOfServersIsSpeltRightToo() {
        Path file = Sources.text(directory, "servers.csv", "nme,cpu_milli", "a,1000");
        assertThatThrownBy(() -> ServerListReader.read(file, ReadOptions.defaults()))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("column 'nme' is not one of format 'canonical'; did you mean 'name'?");
        Path labels = Sources.text(directory, "labels.csv", "lable:zone,cpu_milli", "a,1000");
        assertThatThrownBy(() -> ServerListReader.read(labels, ReadOptions.defaults()))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("did you mean 'label:<key>'?");
    }

    /** Similar to a column that is present, or to none, or to one of three letters. */
    @Test
    void otherColumnsAreNotUsedAndSaid() {
        Path file = Sources.text(
                directory, "t.csv", "arrival_s,duration_s,cpu_milli,gpu_milli,gpu_mili,owner,ix", "0,5,1,2,3,4,5");
        assertThat(Sources.read(file).report().lines()).contains("columns not used: gpu_mili, owner, ix");
    }

    private void assertRefused(Path file, String... parts) {
        assertThatThrownBy(() -> Sources.read(file))
                .isInstanceOf(TraceException.class)
                .hasMessageContainingAll(parts)
                .hasMessageContaining(file.toString());
    }

    @Test
    void noUsableRow() {
        assertRefused(Sources.text(directory, "a.csv", HEADER, "x,1,1,1"), "no row is usable", ":2", "is not a number");
        assertRefused(Sources.text(directory, "b.csv", HEADER), "has no rows");
    }

    @Test
    void missingFileOrEmptyOne() throws IOException {
        assertRefused(directory.resolve("none.csv"), "no such file");
        assertRefused(Files.createFile(directory.resolve("empty.csv")), "the file is empty");
        assertRefused(Files.write(directory.resolve("empty.csv.gz"), Sources.gz("")), "the file is empty");
        assertRefused(Files.createDirectory(directory.resolve("dir")), "no files");
    }

    @Test
    void unknownFormat() {
        Path file = Sources.text(directory, "t.csv", "when,how_long,cpus", "1,2,3");
        assertRefused(file, "not recognized", "when,how_long,cpus", "stowage trace formats");
        assertThatThrownBy(() -> TraceReader.read(file, ReadOptions.defaults().withFormat("azure")))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("unknown format 'azure'")
                .hasMessageContaining("azure2017");
    }

    @Test
    void missingColumn() {
        Path file = Sources.text(directory, "t.csv", "arrival_s,cpu_milli", "1,2");
        assertRefused(
                file,
                ":1: missing column duration_s",
                "expected: arrival_s, duration_s",
                "found: arrival_s, cpu_milli");
        Path none = Sources.text(directory, "u.csv", "arrival_s,duration_s,user_name", "1,2,x");
        assertThatThrownBy(() -> Sources.read(none))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("no resource column")
                .hasMessageContaining("user_name");
        assertRefused(Sources.text(directory, "v.csv", "arrival_s,duration_s,slots,slots", "1,2,3,4"), "twice");
    }

    @Test
    void notText() throws IOException {
        byte[] latin = (HEADER + "\n1,2,3,4\n1,2,3,\u00e9\n").getBytes(StandardCharsets.ISO_8859_1);
        assertRefused(Files.write(directory.resolve("latin.csv"), latin), "not UTF-8");
        byte[] zip = {'P', 'K', 3, 4, 0, 0};
        assertRefused(Files.write(directory.resolve("t.zip"), zip), "zip archive", "unpack");
        byte[] tar = new byte[1024];
        System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);
        assertRefused(Files.write(directory.resolve("t.tar"), tar), "tar archive", "unpack");
        assertRefused(Files.writeString(directory.resolve("t.parquet"), "PAR1 and no more"), "Parquet");
        assertRefused(Files.writeString(directory.resolve("t.sqlite"), "SQLite format 3\0 and no more"), "SQLite");
    }

    @Test
    void damagedGz() throws IOException {
        StringBuilder text = new StringBuilder(HEADER + "\n");
        for (int i = 0; i < 50_000; i++) {
            text.append(i).append(",").append(i * 7919L % 10_007).append(",1,2\n");
        }
        byte[] whole = Sources.gz(text.toString());
        Path cut = Files.write(directory.resolve("cut.csv.gz"), Arrays.copyOf(whole, whole.length / 2));
        assertRefused(cut, "truncated", "after line");
        Path stub = Files.write(directory.resolve("stub.csv.gz"), Arrays.copyOf(whole, 20));
        assertRefused(stub, "truncated");
        whole[whole.length - 8] ^= 0x55; // the checksum of the content
        assertRefused(Files.write(directory.resolve("damaged.csv.gz"), whole), "gz data is damaged");
    }

    @Test
    void filesOfDifferentColumns() {
        Sources.text(directory, "a.csv", "arrival_s,duration_s,slots", "1,2,3");
        Sources.text(directory, "b.csv", "arrival_s,duration_s,cpu_milli", "1,2,3");
        assertThatThrownBy(() -> Sources.read(directory))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("b.csv")
                .hasMessageContaining("differ");
    }

    /** Long rows of many fields and short ones in turns, with quotes, marks and ends of lines in a field. */
    @Test
    void whatAFieldHoldsDoesNotReachTheNextRow() {
        String others = "z".repeat(300) + ",x".repeat(30);
        String names = IntStream.range(0, 31).mapToObj(i -> ",n" + i).collect(Collectors.joining());
        Path file = Sources.text(
                directory,
                "t.csv",
                "arrival_s,duration_s,cpu_milli,id" + names,
                "\"1.5\",5,1,\"a \"\"b\"\", c\"," + others,
                "2,5",
                "3,5,1,\"d\ne\"," + others,
                "4,x,1,," + ",".repeat(30),
                "5,5,1,f," + ",".repeat(30));
        LoadedTrace loaded = Sources.read(file);
        Trace trace = loaded.trace();
        assertThat(IntStream.range(0, trace.size()).mapToObj(trace::id)).containsExactly("a \"b\", c", "d\ne", "f");
        assertThat(trace.arrivalNanos(0)).isEqualTo(1_500_000_000L);
        assertThat(loaded.report().bad().stream().flatMap(bad -> bad.first().stream()))
                .extracting(LoadReport.ReportedRow::line, LoadReport.ReportedRow::value)
                .containsExactly(tuple(3L, "a row of 2 fields"), tuple(6L, "x"));
    }

    @Test
    void aRowOfFarTooManyFieldsIsOneBadRow() {
        Path file = Sources.text(directory, "t.csv", HEADER, "1,5,1,2", "1,5,1,2" + ",9".repeat(20_000), "2,5,1,2");
        LoadReport report = Sources.read(file).report();
        assertThat(report.rowsUsed()).isEqualTo(2);
        assertThat(report.bad().stream().flatMap(bad -> bad.first().stream()))
                .extracting(LoadReport.ReportedRow::line, LoadReport.ReportedRow::value)
                .containsExactly(tuple(3L, "a row of 20004 fields"));
    }

    @Test
    void unclosedQuote() {
        assertRefused(
                Sources.text(directory, "t.csv", HEADER, "1,2,3,4", "1,\"2,3,4"),
                "not readable as CSV",
                "after line 2");
    }
}
