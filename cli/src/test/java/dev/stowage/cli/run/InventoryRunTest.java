package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seven VMs of 40 vCPU in all on two hosts of 20 cores: 7 + 7 + 6 and 3 + 3 + 9 + 5 fill both. */
final class InventoryRunTest {
    private static final String VMS = "Name,vCPU,Memory GB\na,7,1\nb,3,1\nc,7,1\nd,3,1\ne,9,1\nf,6,1\ng,5,1\n";

    @TempDir
    private Path directory;

    /** First-fit rejects one at time 0, before any warm-up has passed. */
    @Test
    void aWarmUpCutsNothing() throws IOException {
        Path list = Files.writeString(directory.resolve("vms.csv"), VMS);
        Path out = directory.resolve("out");
        Program run = Program.wide(
                "run",
                list.toString(),
                "--servers",
                "2 x 20 cores, 64 GiB",
                "--policy",
                "first-fit",
                "--policy",
                "best-fit:when-full=queue",
                "--warm-up",
                "10min",
                "--no-report",
                "--out",
                out.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(Files.readAllLines(out.resolve("results.jsonl")))
                .filteredOn(row -> row.startsWith("{\"kind\":\"run\"") && row.contains("\"policy\":\"first-fit\""))
                .singleElement()
                .asString()
                .contains("\"without_place\":1.0")
                .contains("\"warmupSeconds\":0.0");
    }

    /** Of two points, one is an inventory with a VM too large for any host; the other's requests end. */
    @Test
    void whatFitsNoServerIsNamedForTheOtherPoints() throws IOException {
        Files.writeString(directory.resolve("stay.csv"), "arrival_s,duration_s,cpu_milli\n0,,30000\n0,,4000\n");
        Files.writeString(
                directory.resolve("end.csv"), "arrival_s,duration_s,cpu_milli\n0,60,30000\n5,60,4000\n9,60,30000\n");
        Path file = Files.writeString(directory.resolve("two.yaml"), """
                name: two
                cluster: {servers: {count: 2, cpu: 20}}
                workload: {trace: {file: stay.csv}}
                policies: [best-fit]
                sweep: [{path: workload.trace.file, name: list, values: [stay.csv, end.csv]}]
                """);
        Program run = Program.wide(
                "run",
                file.toString(),
                "--no-report",
                "--out",
                directory.resolve("out").toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("warning: 2 requests fit no server, even an empty one, and count as rejected")
                .doesNotContain("3 requests fit");
    }
}
