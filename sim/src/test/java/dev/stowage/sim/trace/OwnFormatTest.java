package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of users: other names, separators, units and clocks. Every sample is made by hand. */
class OwnFormatTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private LoadedTrace read(String text, ReadOptions options) throws IOException {
        Path file = directory.resolve("own.csv");
        Files.writeString(file, text);
        return TraceReader.read(file, options);
    }

    private LoadedTrace read(String text) throws IOException {
        return read(text, ReadOptions.defaults());
    }

    private static ReadOptions columns(String columns) {
        return ReadOptions.defaults().withFormat(TraceReader.OWN).withSetting("columns", columns);
    }

    @Test
    void aUnitAgainstTheNameOfItsColumnIsAWarning() throws IOException {
        String against = "submitted_at,runtime_h,vcpu,memory_gib\n0,1,1,2\n1,1,1,64 MB\n2,1,1,65 MB\n";
        assertThat(warnings(read(against)))
                .containsExactly("warning: column memory_gib: 2 values (first 64 MB) are read in MiB, not in the unit"
                        + " that its name says");
        assertThat(read(against).trace().demand(1, 1)).isEqualTo(64);
        assertThat(warnings(read(against.replace(" MB", " Gi").replace("memory_gib", "memory_gb"))))
                .isEmpty();
        String named = "at,runtime_min,cpu,memory_mb\n0,1,1,2048\n";
        assertThat(warnings(read(named, columns("arrival=at,duration=runtime_min:s,cpu=cpu,mem=memory_mb:GiB"))))
                .containsExactlyInAnyOrder(
                        "warning: column memory_mb: 1 value (2048) is read in GiB, not in the unit that its name says",
                        "warning: column runtime_min: values are read in s, not in the unit that its name says",
                        "warning: 1 of 1 rows has more than 256 GiB of memory for each CPU, the first 1 vCPU / 2048 GiB:"
                                + " if column memory_mb is in MiB, say so with --columns \"mem=memory_mb:MiB\"");
    }

    /** Also where a row adds up the others, in the column of names or of numbers. */
    @Test
    void machinesAreCalledByTheirNames() throws IOException {
        for (String total : List.of("", ",Total,12,96\n", "Total,,12,96\n")) {
            assertThat(read("id,VM,vCPU,Memory GB\n1,web,4,32\n2,db,8,64\n" + total)
                            .report()
                            .lines())
                    .anyMatch(line -> line.contains("id = VM (guessed)"));
        }
    }

    /** A number of something that each has is no number of machines. */
    @Test
    void theNumberOfMachines() {
        assertThat(ColumnNames.counted(List.of("Name", "Anzahl pro VM", "vCPU")))
                .isEmpty();
        assertThat(ColumnNames.counted(List.of("Name", "Anzahl", "vCPU pro VM")))
                .contains("Anzahl");
    }

    /** 4 vCPU with 16 MiB have 4 each, below 64; with 2048 GiB 512 each, above 256: a unit off, up or down. */
    @Test
    void memoryInAnotherUnitIsAWarningInBothDirections() throws IOException {
        assertThat(warnings(read("Name,vCPU,Memory GiB\nweb,4,0.015625\ndb,8,0.03125\n")))
                .containsExactly(
                        "warning: 2 of 2 rows have less than 64 MiB of memory for each CPU, the first web, 4 vCPU"
                                + " / 16 MiB: if column Memory GiB is in TiB, say so with --columns \"mem=Memory GiB:TiB\"");
        assertThat(warnings(read("Name,vCPU,Memory GB\nweb,4,2048\ndb,8,4096\n")))
                .containsExactly(
                        "warning: 2 of 2 rows have more than 256 GiB of memory for each CPU, the first web, 4 vCPU"
                                + " / 2048 GiB: if column Memory GB is in MiB, say so with --columns \"mem=Memory GB:MiB\"");
        String few = "Name,vCPU,Memory MB\nweb,4,16\ndb,8,65536\nmail,4,16384\n";
        assertThat(warnings(read(few)))
                .containsExactly(
                        "warning: 1 of 3 rows has less than 64 MiB of memory for each CPU, the first web, 4 vCPU /"
                                + " 16 MiB: is the unit right there? One after the value takes precedence, as in 16 GiB");
        assertThat(warnings(read(few.replace(",16\n", ",1024\n")))).isEmpty();
        // Jobs may take hardly any memory; most of them do not.
        assertThat(warnings(read("submitted_at,runtime_h,cpu,memory_mb\n0,1,4,16\n0,1,4,512\n")))
                .isEmpty();
        assertThat(warnings(read("submitted_at,runtime_h,cpu,memory_mb\n0,1,4,16\n0,1,4,16\n")))
                .hasSize(1);
    }

    /** Seven VMs without a GPU and one without memory: none is lost, and what may be missing is said. */
    @Test
    void nothingIsZeroOfWhatNotEveryRequestHas() throws IOException {
        LoadedTrace loaded = read(
                "Name,vCPU,RAM GB,GPUs,lic_count\na,4,16,2,1\nb,4,16,,\nc,4,16,-,2\nd,4,,1,0\n",
                ReadOptions.defaults().withMostBad(1));
        assertThat(loaded.trace().resources()).containsExactly("cpu_milli", "mem_mib", "gpu_milli", "lic_count");
        assertThat(loaded.report().rowsBad()).isEqualTo(1);
        assertThat(loaded.report().lines()).anyMatch(line -> line.startsWith("bad: 1 row: RAM GB is missing"));
        assertThat(loaded.report().notes())
                .extracting(Remark::toString)
                .contains("nothing in GPUs is read as 0: 2 rows", "nothing in lic_count is read as 0: 1 row")
                .anyMatch(note -> note.contains("gpu = GPUs in GPUs (guessed)"));
        assertThat(loaded.trace().demand(1, 2)).isZero();
        assertThat(loaded.trace().demand(0, 2)).isEqualTo(2000);
        // Alone, it is all that a row has.
        assertThat(read("Name,GPUs\na,2\nb,1\nc,\nd,1\ne,1\n").report().rowsSetAside())
                .isEqualTo(1);
    }

    /** RVTools counts in MiB, where a mark stands between thousands. */
    @Test
    void theMemoryOfRvtoolsIsInMebibytes() throws IOException {
        LoadedTrace loaded = read("VM\tCPUs\tMemory\tPowerstate\na\t4\t16,384\tpoweredOn\nb\t2\t131,072\tpoweredOn\n");
        assertThat(loaded.trace().demand(0, 1)).isEqualTo(16_384);
        assertThat(loaded.trace().demand(1, 1)).isEqualTo(131_072);
        assertThatThrownBy(() -> read("Name\tCPUs\tMemory\nb\t2\t131,072\n"))
                .hasMessageContaining(
                        "allowed: 131072 for thousands (or 131,072.0 in one row, by which the others are"
                                + " read), 131,0720 for decimals (likewise); or, if they count MiB, --columns \"mem=Memory:MiB\"");
    }

    @Test
    void aListOfServersIsNoListOfRequests() {
        assertThatThrownBy(() -> read("Host;Kerne;RAM GB;Wartung\nesx-1;48;768,0;nein\n"))
                .hasMessageContaining(": is a list of servers. Give the list of what runs on them first");
    }

    @Test
    void noCpuOrNoMemoryIsAWarning() throws IOException {
        String rows = "Name,vCPU,RAM GB\na,4,16\nb,4,0\nc,0,16\n";
        assertThat(warnings(read(rows)))
                .containsExactly(
                        "warning: 2 rows have no CPU or no memory: b, 4 vCPU / 0 MiB; c, 0 vCPU / 16 GiB. Is it"
                                + " missing in the list?");
        assertThat(warnings(read(rows + "d,1,0\ne,1,0\n")))
                .anyMatch(warning ->
                        warning.contains("4 rows have") && warning.contains("d, 1 vCPU / 0 MiB; and more. "));
        assertThat(warnings(read("submitted_at,runtime_h,cpu,memory_mb\n0,1,4,0\n0,1,4,512\n")))
                .as("jobs")
                .isEmpty();
    }

    @Test
    void rulesOnWhoRunsBesideWhomAreKeptOrAWarning() throws IOException {
        String table = "Name,vCPU,RAM GB,spread,where,avoid\na,4,16,db:1; web:2:zone,\"gpu in (V100)\",h1\nb,4,16,,,\n";
        LoadedTrace loaded = read(table);
        assertThat(warnings(loaded)).isEmpty();
        assertThat(loaded.report().ignoredColumns()).isEmpty();
        assertThat(loaded.trace().typeConstraints(loaded.trace().type(0)))
                .isEqualTo(new ConstraintWords(List.of("gpu=V100"), List.of("h1"), List.of("db:1", "web:2:zone")));
        assertThat(loaded.trace().typeConstraints(loaded.trace().type(1)).isNone())
                .isTrue();
        assertThat(read(table, columns("spread=")).report().ignoredColumns()).containsExactly("spread");
        for (String name : List.of("Anti-Affinity", "Antiaffinität", "DRS rule", "spread", "where", "VM Affinity")) {
            String other = "Name;vCPU;RAM GB;" + name + "\na;4;16;grp1\nb;4;16;none\n";
            assertThat(warnings(read(other)))
                    .as(name)
                    .singleElement()
                    .asString()
                    .startsWith("warning: column " + name + " is not used: 'grp1' is not a rule that can be read");
            assertThat(warnings(read(other, columns("spread=")))).as(name).isEmpty();
            assertThat(warnings(read(other.replace("grp1", "no")))).as(name).isEmpty();
        }
        assertThat(read("Name;vCPU;RAM GB;Anti-Affinity\na;4;16;db:1\nb;4;16;db:1\n")
                        .trace()
                        .typeConstraints(0))
                .isEqualTo(new ConstraintWords(List.of(), List.of(), List.of("db:1")));
    }

    private static List<String> warnings(LoadedTrace loaded) {
        return loaded.report().notes().stream()
                .filter(Remark::warns)
                .map(Remark::toString)
                .toList();
    }

    @Test
    void namesAndUnitsAreGuessedAndSaid() throws IOException {
        LoadedTrace loaded = read("submitted_at,runtime_h,vcpu,ram_gb,queue\n3,0.5,1.5,2,big\n1,2,4,0.1,small\n");
        Trace trace = loaded.trace();
        assertThat(trace.resources()).containsExactly("cpu_milli", "mem_mib");
        assertThat(trace.arrivalNanos(0)).isEqualTo(SECOND);
        assertThat(trace.durationNanos(0)).isEqualTo(7200 * SECOND);
        assertThat(trace.demand(0, 0)).isEqualTo(4000);
        assertThat(trace.demand(0, 1)).as("0.1 GiB = 102.4 MiB, rounded up").isEqualTo(103);
        assertThat(trace.durationNanos(1)).isEqualTo(1800 * SECOND);
        assertThat(trace.demand(1, 0)).isEqualTo(1500);
        assertThat(loaded.report().notes())
                .extracting(Remark::toString)
                .containsExactly(
                        "read as: arrival = submitted_at in s (guessed), duration = runtime_h in h (guessed), cpu = vcpu"
                                + " in cores (guessed), mem = ram_gb in GiB (guessed), type = queue (guessed)",
                        "as an option: --columns \"arrival=submitted_at:s,duration=runtime_h:h,cpu=vcpu:cores,"
                                + "mem=ram_gb:GiB,type=queue\"",
                        "the first arrival, at 1 s of the trace's clock, is time 0 unless 'from' says otherwise (from:"
                                + " 0 s keeps the trace's clock)");
    }

    @Test
    void unitsAreFoundInNamesOfAnyCase() throws IOException {
        LoadedTrace loaded = read("ARRIVAL_S,Duration_S,CPU_milli,Mem_MiB,ramGiB\n0,60,500,1024,3\n");
        assertThat(loaded.trace().resources()).containsExactly("cpu_milli", "mem_mib");
        assertThat(loaded.trace().demand(0, 0)).isEqualTo(500);
        assertThat(loaded.trace().demand(0, 1)).isEqualTo(1024);
        assertThat(loaded.report().ignoredColumns()).containsExactly("ramGiB");
        assertThat(read("start,duration,ramGiB\n0,60,3\n").trace().demand(0, 0)).isEqualTo(3072);
    }

    /** Holes: {@code vCPU}, {@code millicores} and {@code cpu_mili} were left out, and the run had no processors. */
    @Test
    void processorsOfAnySpellingAreNotLeftOut() throws IOException {
        for (String cpu : List.of("vCPU", "vCPUs", "VCPU", "CPUs", "num_cpus")) {
            Trace trace = read("Start,End," + cpu + ",RAM (GiB)\n0,60,2,3\n").trace();
            assertThat(trace.resources()).as(cpu).containsExactly("cpu_milli", "mem_mib");
            assertThat(trace.demand(0, 0)).as(cpu).isEqualTo(2000);
        }
        for (String cpu : List.of("millicores", "cpu_mili", "vcpu_millicore")) {
            Trace trace = read("arival_s,duraton_minute," + cpu + ",mem_mb\n0,2,150,3\n")
                    .trace();
            assertThat(trace.resources()).as(cpu).containsExactly("cpu_milli", "mem_mib");
            assertThat(trace.demand(0, 0)).as(cpu).isEqualTo(150);
            assertThat(trace.durationNanos(0)).isEqualTo(120 * SECOND);
        }
    }

    @Test
    void datesInOtherFormsAreRefusedForWhatTheyAreAndTitlesAreLeftOut() throws IOException {
        for (String date : new String[] {"\"Ene 5, 2026 10:00\"", "10:00:05"}) {
            assertThatThrownBy(() -> read("start,end,cpu\n" + date + ",7,1\n"))
                    .as(date)
                    .hasMessageContaining("is neither a number nor a date in the expected form")
                    .hasMessageContaining("2026-05-01T12:00:00Z");
        }
        assertThat(read("# exported\nstart,end,cpu\n1,7,1\n").report().lines())
                .contains("left out: lines before the names of the columns: 1");
    }

    @Test
    void aWrongGuessCanBeTakenBack() throws IOException {
        String table = "submitted_at,started,finished_at,vcpu\n0,by cron,90,1\n10,by hand,40,2\n";
        assertThatThrownBy(() -> read(table))
                .hasMessageContaining("start = started, not read (guessed; start= means that there is none)")
                .hasMessageContaining("started = 'by cron'");
        LoadedTrace loaded = read(table, columns("start="));
        assertThat(loaded.trace().durationNanos(0)).isEqualTo(90 * SECOND);
        assertThat(loaded.trace().durationNanos(1)).isEqualTo(30 * SECOND);
        String said = loaded.report().notes().get(1).text();
        assertThat(said)
                .isEqualTo(
                        "as an option: --columns \"arrival=submitted_at:s,end=finished_at:s,cpu=vcpu:cores,start=\"");
        assertThat(read(table, columns(said.substring(said.indexOf('"') + 1, said.length() - 1)))
                        .trace()
                        .durationNanos(0))
                .isEqualTo(90 * SECOND);
        assertThatThrownBy(() -> read(table, columns("start=,start=started"))).hasMessageContaining("is given twice");
        assertThatThrownBy(() -> read(table, columns("arrival=,start=")))
                .hasMessageContaining("no column is recognized as the arrival");
    }

    /** A table with nearly Stowage's own names, but without the units of its amounts. */
    @Test
    void amountsWithoutUnitsAreNotLeftOut() throws IOException {
        for (String memory : List.of("memory", "memory_gib")) {
            LoadedTrace loaded = read("arrival_s,duration_s,cpu," + memory + "\n0,10,1,1\n5,10,2,2\n");
            assertThat(loaded.report().format()).isEqualTo(TraceReader.OWN);
            assertThat(loaded.trace().resources()).containsExactly("cpu_milli", "mem_mib");
            assertThat(loaded.trace().demand(1, 0)).isEqualTo(2000);
            assertThat(loaded.trace().demand(1, 1)).isEqualTo(2048);
        }
        assertThat(read("\uFEFF\"submitted_at\",\"duration\",\"cpu\"\n0,10,1\n")
                        .trace()
                        .demand(0, 0))
                .isEqualTo(1000);
        assertThat(read("\"submitted_at\";\"duration\";\"cpu\"\n\"0\";\"10\";\"1,5\"\n")
                        .trace()
                        .demand(0, 0))
                .isEqualTo(1500);
        assertThatThrownBy(() -> read("\"submitted_at,\"duration\",cpu\n0,10,1\n"))
                .isInstanceOf(TraceException.class);
        assertThat(read("arrival_s,duration_s,cpu_milli,where\n0,10,1,gpu\n")
                        .report()
                        .format())
                .isEqualTo("canonical");
        assertThat(read("arrival_s,duration_s,cpu_milli,cpu,where\n0,10,1,1,gpu\n")
                        .report()
                        .notes())
                .extracting(Remark::toString)
                .as("only Stowage's own format has constraints")
                .noneMatch(note -> note.contains("read as"));
    }

    /** Start and end instead of a duration, dates, semicolons, decimal commas, and a request that still runs. */
    @Test
    void datesAndEnds() throws IOException {
        LoadedTrace loaded = read("""
                Job;Submit Time;Start;End;CPUs;Memory (MB)
                a;2026-05-01 08:00:00;2026-05-01 08:05:00;2026-05-01T09:05:00.5;4;8192
                b;2026-05-01T10:10:00+02:00;2026-05-01 08:10:00Z;;2,5;4096
                """);
        Trace trace = loaded.trace();
        assertThat(trace.arrivalNanos(0)).isZero();
        assertThat(trace.durationNanos(0)).isEqualTo(3600 * SECOND + SECOND / 2);
        assertThat(trace.arrivalNanos(1)).isEqualTo(600 * SECOND);
        assertThat(trace.durationNanos(1)).isEqualTo(Trace.UNKNOWN);
        assertThat(trace.demand(1, 0)).isEqualTo(2500);
        assertThat(loaded.report().notes())
                .extracting(Remark::toString)
                .contains(
                        "rebased: the first arrival, 2026-05-01T08:00:00Z, is time 0",
                        "without an end, so still running: 1");
    }

    /** 1714550400 s after 1970 is 2024-05-01 08:00:00 UTC. */
    @Test
    void epochsAreRecognisedByTheirSize() throws IOException {
        for (String zeros : List.of("", "000", "000000", "000000000")) {
            LoadedTrace loaded = read("start\tend\tcores\tram\n1714550400" + zeros + "\t1714554000" + zeros
                    + "\t4\t16\n1714550460" + zeros + "\tnull\t2\t8\n");
            assertThat(loaded.trace().arrivalNanos(1)).isEqualTo(60 * SECOND);
            assertThat(loaded.trace().durationNanos(0)).isEqualTo(3600 * SECOND);
            assertThat(loaded.trace().durationNanos(1)).isEqualTo(Trace.UNKNOWN);
            assertThat(loaded.report().notes())
                    .extracting(Remark::toString)
                    .contains("rebased: the first arrival, 2024-05-01T08:00:00Z, is time 0");
        }
    }

    @Test
    void unitsAreSaid() throws IOException {
        Trace trace = read(
                        "when|howlong|n|m|lic\n0|30|500|1000|2\n",
                        columns("arrival=when:min,duration=howlong:min,cpu=n:milli,mem=m:MB,licences_count=lic"))
                .trace();
        assertThat(trace.durationNanos(0)).isEqualTo(1800 * SECOND);
        assertThat(trace.demand(0, 0)).isEqualTo(500);
        assertThat(trace.demand(0, 1)).as("MB is MiB, wherever it stands").isEqualTo(1000);
        assertThat(trace.resources()).contains("licences_count");
    }

    @Test
    void aMisspeltNameIsNear() throws IOException {
        assertThat(read("arival_s,durration,vcpus\n1,2,3\n").trace().durationNanos(0))
                .isEqualTo(2 * SECOND);
    }

    @Test
    void parquet() throws IOException, SQLException {
        Path file = directory.resolve("own.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT TIMESTAMP '2026-05-01 08:00:00' AS created_at, 60 AS runtime_min, 2 AS"
                    + " cpus UNION ALL SELECT TIMESTAMP '2026-05-01 08:01:00', 1, 4) TO '" + file
                    + "' (FORMAT parquet)");
        }
        Trace trace = TraceReader.read(file, ReadOptions.defaults()).trace();
        assertThat(trace.arrivalNanos(1)).isEqualTo(60 * SECOND);
        assertThat(trace.durationNanos(0)).isEqualTo(3600 * SECOND);
        assertThat(trace.demand(1, 0)).isEqualTo(4000);
    }

    /** A row of several servers is a gang; amounts are of each server, or of all together: 10 of 4 are 2.5 of each. */
    @Test
    void requestsOfSeveralServersAreGangs() throws IOException {
        String table =
                "arrival,runtime,cpu,num_nodes,prio,priority\n0,5,1,1,,9\n1,5,10,4,3,9\n2,5,1,,-2,9\n3,5,1,nan,0,9\n";
        LoadedTrace loaded = read(table);
        assertThat(loaded.report().rowsBad()).isZero();
        assertThat(traits(loaded.trace()))
                .containsExactly(
                        RequestTraits.NONE, new RequestTraits(0, 4, true), RequestTraits.NONE, RequestTraits.NONE);
        assertThat(loaded.trace().demand(1, 0)).isEqualTo(10_000);
        assertThat(loaded.trace().types().get(1)).isEqualTo("10 vCPU x 4 servers");
        assertThat(loaded.report().lines())
                .anyMatch(line -> line.contains("needing several servers at once: 1; their amounts are of each server"))
                .anyMatch(line -> line.contains("column priority is ignored"));

        Trace parted = read(table, columns("gang=num_nodes,priority=prio").withSetting("node-demand", "total"))
                .trace();
        assertThat(traits(parted))
                .containsExactly(
                        RequestTraits.NONE,
                        new RequestTraits(3, 4, false),
                        new RequestTraits(-2, 1, false),
                        RequestTraits.NONE);
        assertThat(parted.demand(1, 0)).isEqualTo(2500);
        assertThat(read("arrival,runtime,cpu,nodes\n0,5,1,1\n1,5,1,0\n2,5,1,1\n3,5,1,1\n4,5,1,1\n")
                        .report()
                        .lines())
                .anyMatch(line -> line.contains("is not a number of servers"));
        assertThatThrownBy(() -> read(table, columns("").withSetting("node-demand", "all")))
                .hasMessageContaining("allowed: auto, each, total");
    }

    @Test
    void longestWaits() throws IOException {
        LoadedTrace loaded =
                read("arrival,runtime,cpu,max_wait_min,nodes\n0,5,1,2,1\n1,5,1,,1\n2,5,1,0,4\n3,5,1,2.5,1\n");
        assertThat(loaded.report().rowsBad()).isZero();
        assertThat(traits(loaded.trace()))
                .containsExactly(
                        RequestTraits.NONE.withMaxWait(MaxWait.of(120 * SECOND)),
                        RequestTraits.NONE,
                        new RequestTraits(0, 4, true).withMaxWait(MaxWait.of(0)),
                        RequestTraits.NONE.withMaxWait(MaxWait.of(150 * SECOND)));
        assertThat(loaded.trace().types().get(2)).isEqualTo("1 vCPU x 4 servers waits 0 s");
        assertThat(loaded.report().lines()).anyMatch(line -> line.contains("max_wait = max_wait_min in min (guessed)"));
        assertThat(traits(read("arrival,runtime,cpu,w\n0,5,1,7\n", columns("max_wait=w"))
                        .trace()))
                .containsExactly(RequestTraits.NONE.withMaxWait(MaxWait.of(7 * SECOND)));
        assertThat(read("arrival,runtime,cpu,max_wait\n0,5,1,1\n1,5,1,-2\n" + "3,5,1,1\n".repeat(9))
                        .report()
                        .rowsBad())
                .isEqualTo(1);
    }

    private static List<RequestTraits> traits(Trace trace) {
        List<RequestTraits> traits = new ArrayList<>();
        for (int i = 0; i < trace.size(); i++) {
            traits.add(trace.typeTraits(trace.type(i)));
        }
        return traits;
    }

    @Test
    void whatIsMissingIsNeededThereAndGuessed() {
        assertThatThrownBy(() -> read("when,vcpu,x\n1,2,3\n"))
                .hasMessageContaining("the columns are read as cpu=vcpu; no column is recognized as the arrival, the"
                        + " duration, the name. ")
                .hasMessageContaining("Needed: arrival or start, duration or end (without any of these: what runs now")
                .hasMessageContaining("--columns id=COLUMN (what runs now), or arrival=COLUMN,duration=COLUMN");
        assertThatThrownBy(() -> read("when,d\n1,2\n", columns("arrival=wen,duration=d")))
                .hasMessageContaining("there is no column 'wen' (did you mean 'when'?)");
        assertThatThrownBy(() -> read("when,d\n1,2\n", columns("arival=when")))
                .hasMessageContaining("'arival' is not a known meaning (did you mean 'arrival'?)");
        assertThatThrownBy(() -> read("when,d\n1,2\n", columns("arrival=when:hour")))
                .hasMessageContaining("'hour' is not a unit of arrival; known: ns, us, ms, s, min, h, d");
        assertThatThrownBy(() -> read("when,d\n1,2\n", columns("arrival")))
                .hasMessageContaining("must be MEANING=COLUMN");
        assertThatThrownBy(() -> read(
                        "a,b\n1,2\n", ReadOptions.defaults().withFormat("own").withSetting("separator", "x")))
                .hasMessageContaining("semicolon");
    }

    /** One in five rows may be bad; an option changes this limit. */
    @Test
    void manyBadRowsAreRefused() throws IOException {
        String rows = "arrival_s,duration_s,slots\n1,1,1\n2,x,1\n3,1,1\n";
        assertThatThrownBy(() -> read(rows))
                .hasMessageContaining("33 % of the rows are bad, more than 20.0 %")
                .hasMessageContaining("--max-bad")
                .hasMessageContaining("duration_s is not a number");
        assertThat(read(rows, ReadOptions.defaults().withMostBad(0.5)).trace().size())
                .isEqualTo(2);
        assertThatThrownBy(() -> ReadOptions.defaults().withMostBad(2)).hasMessageContaining("from 0 to 1");
    }

    @Test
    void whatIsNoTextSaysSo() throws IOException {
        Path file = directory.resolve("utf16.csv");
        Files.write(file, new byte[] {'a', 0, 'b'});
        assertThatThrownBy(() -> TraceReader.read(file, ReadOptions.defaults())).hasMessageContaining("is not text");
    }

    @Test
    void theFirstRowsTell() throws IOException {
        StringBuilder rows = new StringBuilder("arrival,lifetime,cores\n");
        for (int i = 0; i < 50; i++) {
            rows.append(i).append(",1,2\n");
        }
        Path file = Files.writeString(directory.resolve("long.csv"), rows);
        LoadReport report = TraceReader.look(List.of(file), ReadOptions.defaults(), 10);
        assertThat(report.rowsRead()).isEqualTo(10);
        assertThat(report.format()).isEqualTo("own");
        assertThat(report.lines().get(0)).startsWith("long.csv: 10 rows read, 10 used");
        assertThat(report.lines()).anyMatch(line -> line.startsWith("as an option: --columns"));
    }
}
