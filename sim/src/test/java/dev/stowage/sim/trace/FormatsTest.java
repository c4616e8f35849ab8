package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.workload.RequestTraits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every format on a few rows made for this test. A line of an expectation: arrival s, duration s, demands, batch, id.
 */
class FormatsTest {
    @TempDir
    Path directory;

    private static String[] rows(Trace trace) {
        String[] rows = new String[trace.size()];
        for (int i = 0; i < rows.length; i++) {
            long duration = trace.durationNanos(i);
            StringBuilder row = new StringBuilder(Seconds.text(trace.arrivalNanos(i)));
            row.append(' ').append(duration == Trace.UNKNOWN ? "?" : Seconds.text(duration));
            for (int r = 0; r < trace.resources().size(); r++) {
                row.append(' ').append(trace.demand(i, r));
            }
            row.append(" b").append(trace.batch(i)).append(' ').append(trace.id(i));
            rows[i] = row.toString();
        }
        return rows;
    }

    private LoadedTrace read(String name, String... lines) {
        return Sources.read(Sources.text(directory, name, lines));
    }

    @Test
    void canonical() {
        LoadedTrace loaded = read(
                "t.csv",
                "id,arrival_s,duration_s,cpu_milli,mem_mib,net_mbps,type,batch_id,user_name",
                "a,1.5,60,500,512,10,small,4,ann",
                "b,0,,1000.2,1024,0,\"big, blue\",,bob");
        assertThat(loaded.report().format()).isEqualTo("canonical");
        assertThat(loaded.trace().resources()).containsExactly("cpu_milli", "mem_mib", "net_mbps");
        assertThat(rows(loaded.trace())).containsExactly("0 ? 1001 1024 0 b-1 b", "1.5 60 500 512 10 b4 a");
        assertThat(loaded.trace().types()).containsExactly("big, blue", "small");
        assertThat(loaded.report().ignoredColumns()).containsExactly("user_name");
        assertThat(loaded.report().rounding()).hasSize(1);
        assertThat(loaded.report().rounding().get(0).column()).isEqualTo("cpu_milli");
        // 1000.2 -> 1001: 0.8 / 1000.2
        assertThat(loaded.report().rounding().get(0).largestRelativeError()).isCloseTo(0.8 / 1000.2, within(1e-12));
    }

    /** Jobs are numbered as they appear; without another resource a task demands its load, which is its duration. */
    @Test
    void canonicalTasksOfJobs() throws IOException {
        Path file = Files.writeString(
                directory.resolve("jobs.csv"),
                "arrival_s,duration_s,job_id,type\n5,2.0005,video,encode\n3,,mail,\n5,1,video,resize\n6,1,,resize\n");
        Trace trace = Sources.read(file).trace();
        assertThat(trace.resources()).containsExactly("load_ms");
        assertThat(rows(trace))
                .containsExactly("3 ? 1 b1 null", "5 2.0005 2001 b0 null", "5 1 1000 b0 null", "6 1 1000 b-1 null");
        Path declared = Files.writeString(
                directory.resolve("declared.csv"),
                "arrival_s,duration_s,job_id,power_mw,budget_j,load_ms\n5,2,a,1500,7,2000\n");
        assertThat(Sources.read(declared).trace().resources()).containsExactly("power_mw", "budget_j", "load_ms");
        Path both = Files.writeString(
                directory.resolve("both.csv"), "arrival_s,duration_s,job_id,batch_id,slots\n5,2,a,1,1\n");
        assertThatThrownBy(() -> Sources.read(both)).hasMessageContaining("a job is a batch; leave one of them out");
    }

    @Test
    void canonicalWithByteOrderMarkAndCrLf() throws IOException {
        Path file = Files.writeString(directory.resolve("t.csv"), "\uFEFFarrival_s,duration_s,slots\r\n3,4,1\r\n");
        assertThat(rows(Sources.read(file).trace())).containsExactly("3 4 1 b-1 null");
    }

    /** At the start of every file, packed or not, of any format. */
    @Test
    void byteOrderMarks() throws IOException {
        Path packed = directory.resolve("t.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("\uFEFF\"arrival_s\",duration_s,slots\n3,4,1\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(rows(Sources.read(packed).trace())).containsExactly("3 4 1 b-1 null");
        Path swf = Files.writeString(
                directory.resolve("t.swf"), "\uFEFF; Version: 2\n1 5 0 30 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1\n");
        assertThat(rows(Sources.read(swf).trace())).hasSize(1);
    }

    @Test
    void azure2017() {
        LoadedTrace four = read("t.csv", "arrival_s,duration_s,vcpus,mem_gib", "300,900,2,3.5", "0,,1,0.75");
        assertThat(four.report().format()).isEqualTo("azure2017");
        assertThat(rows(four.trace())).containsExactly("0 ? 1000 768 b-1 null", "300 900 2000 3584 b-1 null");

        LoadedTrace seven = read(
                "u.csv", "arrival_s,duration_s,vcpus,mem_gib,batch_id,dur_min_s,dur_max_s", "0,600,8,14.0,3,450,750");
        assertThat(rows(seven.trace())).containsExactly("0 600 8000 14336 b3 null");
        assertThat(seven.trace().types()).containsExactly("8 vCPU / 14 GiB");
    }

    @Test
    void openbRequests() {
        LoadedTrace loaded = read(
                "t.csv",
                "id,arrival_s,duration_s,cpu_milli,mem_mib,gpu_milli,num_gpu,qos,phase,orig_wait_s",
                "7,10,20,1500,2048,460,1,LS,Running,0",
                "8,11,21,64000,65536,1000,8,LS,Running,3",
                "9,12,,500,512,0,0,BE,Pending,");
        assertThat(loaded.report().format()).isEqualTo("openb-requests");
        assertThat(rows(loaded.trace()))
                .containsExactly("10 20 1500 2048 460 b-1 7", "11 21 64000 65536 8000 b-1 8", "12 ? 500 512 0 b-1 9");
    }

    /** Arrivals are the sums of intervals; a job of two nodes is two members, each with its part. */
    @Test
    void jobsWithIntervals() {
        Path file = Sources.text(
                directory,
                "t.csv",
                "u_id,user,gpu_num,cpu_num,node_num,interval,run_time,wall_time,new_status",
                "0,1,1,0,1,7,100,0,Pass",
                "1,2,16,0,2,30,14405.5,0,Failed",
                "2,2,3,0,2,5,60,0,Pass",
                "3,2,0,128,2,10,60,0,Pass");
        LoadedTrace loaded = TraceReader.read(file, ReadOptions.defaults().withMostBad(0.5));
        assertThat(loaded.report().format()).isEqualTo("interval-jobs");
        assertThat(rows(loaded.trace()))
                .containsExactly("0 100 0 1000 b-1 0", "30 14405.5 0 8000 b-1 1", "45 60 64000 0 b-1 3");
        assertThat(loaded.trace().typeTraits(loaded.trace().type(1))).isEqualTo(new RequestTraits(0, 2, false));
        assertThat(loaded.report().bad().get(0).reason()).contains("is not divisible by 2 nodes");
        assertThat(rows(TraceReader.read(file, ReadOptions.defaults().withSetting("resources", "cpu_milli"))
                        .trace()))
                .containsExactly("0 100 0 b-1 0", "30 14405.5 0 b-1 1", "35 60 0 b-1 2", "45 60 64000 b-1 3");
    }

    @Test
    void openbPods() {
        LoadedTrace loaded = read(
                "t.csv",
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time",
                "p1,1000,2048,2,1000,,LS,Running,100,500,150",
                "p2,1000,2048,1,300,V100|T4,BE,Pending,110,140,",
                "p3,1000,2048,0,0,,BE,Running,120,,130",
                "p4,1000,2048,0,0,,BE,Running,120,90,130");
        assertThat(loaded.report().format()).isEqualTo("openb-pods");
        assertThat(rows(loaded.trace()))
                .containsExactly(
                        "100 350 1000 2048 2000 b-1 p1", "110 30 1000 2048 300 b-1 p2", "120 ? 1000 2048 0 b-1 p3");
        Trace trace = loaded.trace();
        assertThat(trace.typeConstraints(trace.type(0)).isNone()).isTrue();
        assertThat(trace.typeConstraints(trace.type(1)).where()).containsExactly("gpu in (T4, V100)");
        assertThat(trace.types().get(trace.type(1))).endsWith(" where gpu in (T4, V100)");
        assertThat(loaded.report().rowsBad()).isEqualTo(1);
        assertThat(loaded.report().bad().get(0).reason()).contains("deletion_time is before the start");
        assertThat(loaded.report().bad().get(0).first().get(0).line()).isEqualTo(5);
    }

    @Test
    void surf() {
        LoadedTrace loaded = read("t.csv", "id,arrival_s,duration_s", "5,2,30", "6,3,0");
        assertThat(loaded.trace().resources()).containsExactly("slots");
        assertThat(rows(loaded.trace())).containsExactly("2 30 1 b-1 5", "3 0 1 b-1 6");
    }

    @Test
    void googleSample() {
        String header = "job_id,task_index,priority,scheduling_class,cpu,mem,disk,different_machine";
        Path file = Sources.text(directory, "t.csv", header, "17,0,9,3,0.125,0.0625,0.0004244,0.0");
        assertThat(rows(Sources.read(file).trace())).containsExactly("0 ? 125000 62500 b17 17/0");

        ReadOptions single = ReadOptions.defaults().withSetting("single-resource", "max");
        assertThat(rows(TraceReader.read(file, single).trace())).containsExactly("0 ? 125000 b17 17/0");

        ReadOptions disk = ReadOptions.defaults().withSetting("disk", "true");
        LoadedTrace withDisk = TraceReader.read(file, disk);
        // 0.0004244 x 10^6 = 424.4, rounded up
        assertThat(rows(withDisk.trace())).containsExactly("0 ? 125000 62500 425 b17 17/0");
        assertThat(withDisk.report().rounding())
                .extracting(LoadReport.Rounding::column)
                .containsExactly("disk");
    }

    /** One event: time in microseconds, job, task, event type, CPU, memory. */
    private static String event(String time, int job, int task, int type, String cpu, String memory) {
        return time + ",," + job + "," + task + ",33," + type + ",user=,2,4," + cpu + "," + memory + ",0.001,0";
    }

    @Test
    void googleTaskEvents() throws IOException {
        String[] first = {
            event("0", 1, 0, 0, "0.5", "0.1"), // submitted before the trace
            event("0", 1, 0, 1, "0.5", "0.1"),
            event("600000000", 2, 0, 0, "0.03125", "0.06299"), // the good one
            event("600000001", 2, 1, 0, "0.25", "0.1"), // evicted
            event("601500000", 2, 0, 1, "0.03125", "0.06299"),
            event("602000000", 2, 1, 1, "0.25", "0.1"),
            event("603000000", 2, 1, 2, "0.25", "0.1"),
            event("604000000", 3, 0, 0, "0.1", "0.2"), // submitted again
        };
        String[] second = {
            event("605000000", 1, 0, 4, "0.5", "0.1"),
            event("606000000", 3, 0, 0, "0.1", "0.2"),
            event("607000000", 4, 0, 0, "0.1", "0.2"), // never finishes
            event("608000000", 4, 0, 1, "0.1", "0.2"),
            event("611500000", 2, 0, 4, "0.03125", "0.06299"),
            event("612000000", 5, 0, 0, "", ""), // no request recorded
            event("612000001", 5, 0, 1, "", ""),
            event("612000002", 5, 0, 4, "", ""),
            event("612500000", 6, 0, 0, "0.1", "0.1"), // grows while pending
            event("612600000", 6, 0, 7, "0.2", "0.1"),
            event("613000000", 6, 0, 1, "0.2", "0.1"),
            event("613000000", 6, 0, 4, "0.2", "0.1"),
            event("9223372036854775807", 4, 0, 4, "0.1", "0.2"),
            event("613000000", 7, 0, 9, "0.2", "0.1"),
        };
        Path shards = Files.createDirectory(directory.resolve("task_events"));
        Sources.text(shards, "part-00001-of-00002.csv", second);
        Files.write(shards.resolve("part-00000-of-00002.csv.gz"), Sources.gz(String.join("\n", first) + "\n"));

        LoadedTrace loaded = Sources.read(shards);
        LoadReport report = loaded.report();
        assertThat(report.format()).isEqualTo("google2011");
        // task 2/0: submitted 600 s, ran 601.5 to 611.5; demands 31250 and 62990 millionths
        assertThat(rows(loaded.trace())).containsExactly("600 10 31250 62990 b2 null", "612.5 0 200000 100000 b6 null");
        assertThat(report.rowsRead()).isEqualTo(22);
        assertThat(report.rowsUsed()).isEqualTo(7);
        assertThat(report.rowsBad()).isEqualTo(1);
        assertThat(report.items()).isEqualTo(2);
        assertThat(report.setAside())
                .containsExactlyInAnyOrder(
                        new LoadReport.SetAside("event after the end of the trace", 1, 1),
                        new LoadReport.SetAside("events of tasks submitted before the trace began", 3, 1),
                        new LoadReport.SetAside("events of tasks that were evicted, failed, killed or lost", 3, 1),
                        new LoadReport.SetAside(
                                "events of tasks that were submitted, scheduled or finished again", 2, 1),
                        new LoadReport.SetAside("events of tasks that did not finish before the trace ended", 2, 1),
                        new LoadReport.SetAside("events of tasks without CPU or memory request", 3, 1));

        ReadOptions single = ReadOptions.defaults().withSetting("single-resource", "max");
        Trace sizes = TraceReader.read(shards, single).trace();
        assertThat(sizes.resources()).containsExactly("size_ppm");
        assertThat(rows(sizes)).containsExactly("600 10 62990 b2 null", "612.5 0 200000 b6 null");
    }

    @Test
    void azureVmTables() {
        LoadedTrace old = read(
                "vmtable.csv",
                "one bad line does not hide the format",
                "vA,sA,dA,300,900,9.1,2.0,8.5,Interactive,2,3.5",
                "vB,sA,dB,0,2591400,9.1,2.0,8.5,Unknown,1,1.75",
                "vC,sA,dA,600,300,9.1,2.0,8.5,Unknown,1,1.75");
        assertThat(old.report().format()).isEqualTo("azure2017-vmtable");
        assertThat(rows(old.trace())).containsExactly("0 ? 1000 1792 b1 null", "300 600 2000 3584 b0 null");
        assertThat(old.report().rowsBad()).isEqualTo(2);

        String[] lines = {
            "vmid,subscriptionid,deploymentid,vmcreated,vmdeleted,maxcpu,avgcpu,p95maxcpu,vmcategory,vmcorecountbucket,vmmemorybucket",
            "vA,sA,dA,300,900,9.1,2.0,8.5,Delay-insensitive,4,32",
            "vB,sA,dB,0,500,9.1,2.0,8.5,Unknown,>24,>64",
        };
        LoadedTrace later = read("vm2.csv", lines);
        assertThat(later.report().format()).isEqualTo("azure2019-vmtable");
        // the publishers' values of the open buckets: 30 cores, 70 GiB
        assertThat(rows(later.trace())).containsExactly("0 500 30000 71680 b1 null", "300 600 4000 32768 b0 null");
        ReadOptions large = ReadOptions.defaults()
                .withSetting("cores-over-24", "48")
                .withSetting("gib-over-64", "128")
                .withSetting("end-s", "500");
        assertThat(rows(TraceReader.read(directory.resolve("vm2.csv"), large).trace()))
                .containsExactly("0 ? 48000 131072 b1 null", "300 ? 4000 32768 b0 null");
    }

    @Test
    void alibabaContainers() {
        LoadedTrace loaded = read(
                "container_meta.csv",
                "c_1,m_9,0,app_5,started,400,800,1.5625",
                "c_1,m_9,100,app_5,started,400,800,1.5625",
                "c_2,m_8,50,app_5,allocated,50,100,0.39",
                "c_1,m_9,250,app_5,stopped,400,800,1.5625",
                "c_3,m_8,50,app_6,stopped,50,100,0.39");
        assertThat(loaded.report().format()).isEqualTo("alibaba2018-containers");
        assertThat(rows(loaded.trace())).containsExactly("0 250 4000 15625 b0 c_1", "50 ? 500 3900 b0 c_2");
        assertThat(loaded.report().rowsSetAside()).isEqualTo(2);
        assertThat(loaded.report().rowsUsed()).isEqualTo(3);
    }

    @Test
    void alibabaBatch() {
        Path file = Sources.text(
                directory,
                "batch_task.csv",
                "M1,2,j_1,1,Terminated,100,160,100,0.5",
                "R2_1,1,j_1,1,Terminated,160,160,50,0.25",
                "M1,4,j_2,1,Failed,100,160,100,0.5",
                "M1,4,j_3,1,Terminated,100,160,,0.5");
        LoadedTrace loaded = Sources.read(file);
        assertThat(loaded.report().format()).isEqualTo("alibaba2018-batch");
        assertThat(rows(loaded.trace()))
                .containsExactly("100 60 1000 5000 b0 null", "100 60 1000 5000 b0 null", "160 0 500 2500 b0 null");
        assertThat(loaded.report().rowsUsed()).isEqualTo(2);
        assertThat(loaded.report().items()).isEqualTo(3);
        assertThat(loaded.report().setAside()).hasSize(2);

        ReadOptions together = ReadOptions.defaults().withSetting("instances", "together");
        assertThat(rows(TraceReader.read(file, together).trace()))
                .containsExactly("100 60 2000 10000 b0 null", "160 0 500 2500 b0 null");
    }

    @Test
    void standardWorkloadFormat() {
        Path file = Sources.text(
                directory,
                "log.swf",
                "; Version: 2.2",
                ";  UnixStartTime: 0",
                "  1   10  5  100  4 -1 2048  8 -1 1500 1 1 1 1 1 1 -1 -1",
                "  2   20  5   -1  4 -1   -1  4 -1   -1 5 1 1 1 1 1 -1 -1",
                "  3   30  5   60  2 -1 1000 -1 -1 1000 0 1 1 1 1 1 -1 -1",
                "  4   40  5   60  2 -1   -1  2 -1   -1 3 1 1 1 1 1 -1 -1",
                "  6   45  5   60  0 -1   -1 -1 -1   -1 1 1 1 1 1 1 -1 -1",
                "  5   50  5   60  2 -1");
        LoadedTrace loaded = TraceReader.read(file, ReadOptions.defaults().withMostBad(0.5));
        assertThat(loaded.report().format()).isEqualTo("swf");
        assertThat(rows(loaded.trace())).containsExactly("10 100 1000 b-1 1", "30 60 1000 b-1 3");
        assertThat(loaded.report().rowsSetAside()).isEqualTo(2);
        // A job of eight processors is eight equal members; 0 allocated and -1 requested is no demand.
        assertThat(loaded.trace().typeTraits(loaded.trace().type(0))).isEqualTo(new RequestTraits(0, 8, false));
        assertThat(loaded.report().rowsBad()).isEqualTo(2);
        assertThat(loaded.report().bad().get(0).reason()).contains("is not a number of processors");
        assertThat(loaded.report().bad().get(0).first().get(0).line()).isEqualTo(7);
        assertThat(loaded.report().bad().get(1).first().get(0).line()).isEqualTo(8);

        ReadOptions memory =
                ReadOptions.defaults().withSetting("memory", "requested").withMostBad(0.5);
        // 1500 KiB = 1.46 MiB -> 2; 1000 KiB -> 1
        assertThat(rows(TraceReader.read(file, memory).trace()))
                .containsExactly("10 100 1000 2 b-1 1", "30 60 1000 1 b-1 3");
    }

    /** 2048 KiB is 2 MiB, and not a bit more is demanded. */
    @Test
    void standardWorkloadFormatDemandsWholeMebibytesAsTheyAre() {
        Path file = Sources.text(
                directory,
                "log.swf",
                "  1   10  5  100  4 -1 2048  4 -1 2048 1 1 1 1 1 1 -1 -1",
                "  2   20  5  100  4 -1 2048  4 -1 2049 1 1 1 1 1 1 -1 -1");
        ReadOptions memory = ReadOptions.defaults().withSetting("memory", "requested");
        assertThat(rows(TraceReader.read(file, memory).trace()))
                .containsExactly("10 100 1000 2 b-1 1", "20 100 1000 3 b-1 2");
    }

    private Path packingDatabase() throws SQLException {
        Path file = directory.resolve("packing.sqlite");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE vm (vmId INTEGER, tenantId INTEGER, vmTypeId INTEGER, priority INTEGER,"
                    + " starttime REAL, endtime REAL)");
            sql.execute("CREATE TABLE vmType (id INTEGER, vmTypeId INTEGER, machineId INTEGER, core REAL, memory REAL,"
                    + " hdd REAL, ssd REAL, nic REAL)");
            sql.execute("INSERT INTO vmType VALUES (0, 1, 5, 0.5, 0.25, NULL, 0.125, 0.0625),"
                    + " (1, 1, 3, 0.125, 0.1, NULL, 0.125, 0.0625), (2, 2, 5, 0.0416667, 0.03, NULL, 0.1, 0.02),"
                    + " (3, 9, 3, 1.0, 1.0, NULL, 1.0, 1.0), (4, 2, 7, 1.0, 1.0, NULL, 1.0, 1.0)");
            sql.execute("INSERT INTO vm VALUES (100, 1, 1, 0, 0.5, 1.0), (101, 1, 2, 1, 0.25, NULL),"
                    + " (102, 2, 1, 0, -3.5, 0.75), (103, 2, 9, 0, 0.5, 0.75)");
        }
        return file;
    }

    @Test
    void azurePacking() throws SQLException {
        Path file = packingDatabase();
        LoadedTrace loaded = Sources.read(file);
        assertThat(loaded.report().format()).isEqualTo("azure2020-packing");
        // machines 3 and 5 offer two types each, 7 one: the lower of 3 and 5. Half a day is 43200 s.
        assertThat(rows(loaded.trace()))
                .containsExactly("43200 43200 125000 100000 b1 100", "43200 21600 1000000 1000000 b2 103");
        assertThat(loaded.trace().types()).containsExactly("vmType 1", "vmType 9");
        assertThat(loaded.report().setAside())
                .containsExactlyInAnyOrder(
                        new LoadReport.SetAside("running when the trace began", 1, 1),
                        new LoadReport.SetAside("its VM type is not offered on the machine", 1, 1));

        ReadOptions chosen = ReadOptions.defaults()
                .withSetting("machine", "5")
                .withSetting("resources", "core, ssd, hdd")
                .withSetting("running-at-start", "keep");
        Trace five = TraceReader.read(file, chosen).trace();
        assertThat(five.resources()).containsExactly("cpu_ppm", "ssd_ppm", "hdd_ppm");
        assertThat(rows(five))
                .containsExactly(
                        "0 64800 500000 125000 0 b2 102",
                        "21600 ? 41667 100000 0 b1 101",
                        "43200 43200 500000 125000 0 b1 100");
        ReadOptions low = chosen.withSetting("priority", "low");
        assertThat(rows(TraceReader.read(file, low).trace())).containsExactly("21600 ? 41667 100000 0 b1 101");
    }

    @Test
    void settingsAreChecked() throws SQLException {
        Path file = packingDatabase();
        assertThatThrownBy(() -> TraceReader.read(file, ReadOptions.defaults().withSetting("machin", "5")))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("machin")
                .hasMessageContaining("machine, priority, resources, running-at-start");
        assertThatThrownBy(() -> TraceReader.read(file, ReadOptions.defaults().withSetting("machine", "x")))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("'x'");
        assertThatThrownBy(() -> TraceReader.read(file, ReadOptions.defaults().withSetting("resources", "cpu")))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("core, memory, hdd, ssd, nic");
    }

    @Test
    void theRegistryIsComplete() throws IOException {
        List<String> keys = TraceFormats.all().stream().map(TableFormat::key).toList();
        assertThat(keys).doesNotHaveDuplicates();
        Path docs = Path.of("").toAbsolutePath();
        while (docs != null && !Files.exists(docs.resolve("docs/traces.md"))) {
            docs = docs.getParent();
        }
        assertThat(docs).as("docs/traces.md").isNotNull();
        String page = Files.readString(docs.resolve("docs/traces.md"));
        for (TraceFormat format : TraceFormats.all()) {
            assertDocumented(format, page);
        }
        for (ServerFormat format : ServerFormats.all()) {
            assertDocumented(format, page);
        }
    }

    /** Published formats have a row; those that users write have a section with every column and setting. */
    private static void assertDocumented(TableFormat format, String page) {
        if (!format.key().equals("canonical") && !format.key().equals("own")) {
            assertThat(page).contains("| `" + format.key() + "` | " + format.title() + " | " + format.source() + " |");
            return;
        }
        assertThat(page)
                .contains("### `" + format.key() + "`: " + format.title())
                .containsIgnoringWhitespaces(format.recognisedBy());
        for (TableFormat.Column column : format.columns()) {
            String optional = column.required() ? "" : " (optional)";
            assertThat(page).contains("| `" + column.name() + "`" + optional + " | " + column.meaning() + " |");
        }
        for (TableFormat.FormatSetting setting : format.settings()) {
            assertThat(page)
                    .contains("| `" + setting.name() + "` | `" + setting.defaultValue() + "` | " + setting.meaning());
        }
    }
}
