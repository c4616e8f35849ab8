package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs as {@code sacct} lists them, with the columns that people ask it for. */
class SlurmJobsTest {
    private static final String TIMES = "2026-03-02T10:00:00|2026-03-02T10:05:00|2026-03-02T11:05:00";
    private static final String NOT_YET = "2026-03-02T10:01:00|Unknown|Unknown";

    @TempDir
    private Path dir;

    private Path jobs(String... lines) {
        return Sources.text(dir, "jobs.txt", lines);
    }

    private static LoadedTrace read(Path file, String columns) {
        return TraceReader.read(
                file, ReadOptions.defaults().withFormat(TraceReader.OWN).withSetting(OwnFormat.COLUMNS, columns));
    }

    private static String first(Trace trace) {
        return IntStream.range(0, trace.resources().size())
                .mapToObj(r -> trace.resources().get(r) + " " + trace.demand(0, r))
                .sorted()
                .toList()
                .toString();
    }

    private static int members(Trace trace, int request) {
        return trace.typeTraits(trace.type(request)).members();
    }

    /** Of all nodes of the job together, divided among them. */
    @ParameterizedTest
    @CsvSource({
        "JobID, AllocTRES, 'billing=8,cpu=8,gres/gpu=2,mem=32G,node=1', 1, '[cpu_milli 8000, gpu_milli 2000, mem_mib 32768]'",
        "JobIDRaw, ReqTRES, 'cpu=8,gres/gpu:a100=2,mem=32G,node=2', 2, '[cpu_milli 4000, gpu_milli 1000, mem_mib 16384]'",
        "JobID, ReqTRES, 'cpu=8,gres/gpu=3,gres/gpu:a100=2,gres/gpu:v100=1,mem=32G,node=3', 3,"
                + " '[cpu_milli 2667, gpu_milli 1000, mem_mib 10923]'",
        "JobID, ReqTRES, 'cpu=8,mem=32G,node=1', 1, '[cpu_milli 8000, mem_mib 32768]'",
    })
    void whatSlurmListsOfAJob(String id, String column, String tres, int members, String demand) {
        Path file = jobs(id + "|Submit|Start|End|" + column + "|State", "7|" + TIMES + "|" + tres + "|COMPLETED");

        Trace trace = Sources.read(file).trace();
        assertThat(first(trace)).isEqualTo(demand);
        assertThat(members(trace, 0)).isEqualTo(members);
        assertThat(Sources.warnings(Sources.read(file).report())).isEmpty();
    }

    @Test
    void gpusOfALaterRowNeedTheOption() {
        String[] lines = new String[1102];
        lines[0] = "JobID|Submit|Start|End|AllocTRES|State";
        for (int i = 1; i < lines.length; i++) {
            lines[i] = i + "|" + TIMES + "|cpu=8," + (i > 1100 ? "gres/gpu=2," : "") + "mem=32G,node=1|COMPLETED";
        }
        Path file = jobs(lines);

        assertThat(Sources.read(file).report().lines())
                .contains("gres/gpu is not counted; rows that have it: 1; to count it: --columns gpu=AllocTRES");
        Trace trace = read(file, "gpu=AllocTRES").trace();
        assertThat(trace.demand(1100, trace.resources().indexOf("gpu_milli"))).isEqualTo(2000);
        assertThat(trace.demand(0, trace.resources().indexOf("gpu_milli"))).isZero();
    }

    /** Of each node. */
    @ParameterizedTest
    @CsvSource({
        "ReqGRES, gpu:2, 2000",
        "ReqGRES, gpu:a100:4, 4000",
        "AllocGRES, 'gpu:a100:4(S:0-1),mps:100', 4000",
        "TRES_PER_NODE, gres/gpu:v100:1, 1000",
        "TRES_PER_NODE, gres:gpu:3, 3000",
        "ReqGRES, (null), 0"
    })
    void whatSlurmListsOfANode(String column, String gres, long milli) {
        Trace trace = Sources.read(jobs(
                        "JobID|Submit|Start|End|NCPUS|NNodes|" + column,
                        "1|" + TIMES + "|8|2|" + gres,
                        "2|" + TIMES + "|8|1|gpu:1"))
                .trace();
        assertThat(trace.demand(0, trace.resources().indexOf("gpu_milli"))).isEqualTo(milli);
        assertThat(trace.demand(0, trace.resources().indexOf("cpu_milli"))).isEqualTo(4000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0n", "0c", "0G"})
    void allMemoryOfANode(String all) {
        LoadedTrace loaded = Sources.read(
                jobs("JobID|Submit|Start|End|ReqCPUS|ReqMem", "1|" + TIMES + "|4|4000Mc", "2|" + TIMES + "|4|" + all));
        assertThat(loaded.trace().size()).isEqualTo(2);
        assertThat(Sources.warnings(loaded.report()))
                .containsExactly("warning: 1 job has 0 in ReqMem, which in Slurm is all memory of a node:"
                        + " counted with no memory");
    }

    /** Wrong: it was taken for one that asks for all memory of a node. */
    @Test
    void aListWithoutMemory() {
        LoadReport report = Sources.read(jobs(
                        "JobID|Submit|Start|End|AllocTRES",
                        "1|" + TIMES + "|cpu=4,mem=8G,node=1",
                        "2|" + TIMES + "|cpu=4,node=1"))
                .report();
        assertThat(Sources.warnings(report)).noneMatch(line -> line.contains("all memory of a node"));
        assertThat(report.lines()).contains("nothing in AllocTRES (mem) is read as 0: 1 row");
    }

    @Test
    void aJobThatWaitsHasNoNodesYet() {
        LoadedTrace loaded = Sources.read(jobs(
                "JobID|Submit|Start|End|Timelimit|AllocNodes|AllocCPUS|ReqMem|State",
                "1|" + TIMES + "|02:00:00|1|8|32G|COMPLETED",
                "2|" + NOT_YET + "|02:00:00|0|8|32G|PENDING",
                "3|" + NOT_YET + "|02:00:00|0|0|32G|PENDING"));
        assertThat(loaded.trace().size()).isEqualTo(3);
        assertThat(members(loaded.trace(), 1)).isEqualTo(1);
        assertThat(Sources.warnings(loaded.report()))
                .containsExactly("warning: 1 job waits and has no CPU in AllocCPUS: counted with none; sacct's ReqCPUS"
                        + " says what a job asks for");
        LoadedTrace other = Sources.read(jobs(
                "JobID|Submit|Start|End|Timelimit|AllocNodes|ReqNodes|ReqCPUS|ReqMem|State",
                "2|" + NOT_YET + "|02:00:00|0|4|8|32G|PENDING"));
        assertThat(members(other.trace(), 0)).isEqualTo(4);
    }

    /** What {@code sacct} prints if it is not asked for more. */
    @Test
    void withoutTimesOnlyWhatRunsCounts() {
        LoadReport report = Sources.read(jobs(
                        "JobID           JobName  AllocCPUS      State ExitCode ",
                        "------------ ---------- ---------- ---------- -------- ",
                        "1001               wrap          4  COMPLETED      0:0 ",
                        "1001.batch        batch          4  COMPLETED      0:0 ",
                        "1002               wrap          8    RUNNING      0:0 ",
                        "1003               wrap          8 CANCELLED+      0:0 ",
                        "1004               wrap          8 OUT_OF_ME+    0:125 ",
                        "1005               wrap          8    PENDING      0:0 ",
                        "1006               wrap          8 SOMETHING+      0:0 "))
                .report();
        assertThat(report.items()).isEqualTo(2);
        assertThat(report.lines())
                .contains(
                        "not counted: 4 rows: the job is over (State)",
                        "not counted: 1 row: has not run: it waits (State)",
                        "only jobs that run now are read, because no column says when jobs began and ended; to read"
                                + " all jobs, list their times: sacct -P"
                                + " --format=JobID,Submit,Start,End,ReqCPUS,ReqMem,NNodes,State")
                .anyMatch(line -> line.startsWith("warning: State has values that are not known")
                        && line.contains("1 SOMETHING+;"));
    }

    /** Wrong: a state was said without its accents. */
    @Test
    void aStateIsSaidAsItStands() {
        LoadReport report = Sources.read(jobs(
                        "JobID|AllocCPUS|State", "1|4|RUNNING", "2|4|läuft", "3|4|Überfällig (2)", "4|4|COMPLETED"))
                .report();
        assertThat(report.items()).isEqualTo(3);
        assertThat(Sources.warnings(report))
                .filteredOn(line -> line.contains("not known as running"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("running: 1 Überfällig (2);");
    }
}
