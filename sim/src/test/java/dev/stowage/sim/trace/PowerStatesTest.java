package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PowerStatesTest {
    private static final ReadOptions OFF_TOO =
            ReadOptions.defaults().withFormat(TraceReader.OWN).withSetting(TraceReader.POWERED_OFF, "true");

    @TempDir
    private Path dir;

    private Path list(String name, String off) {
        return Sources.text(
                dir,
                name,
                "VM,Powerstate,Template,CPUs,Memory",
                "web,poweredOn,False,4,16384",
                "report," + off + ",False,16,65536",
                "golden," + off + ",True,2,4096");
    }

    @Test
    void countingThoseThatAreOffReadsAsIfTheyWereOn() {
        LoadedTrace off = TraceReader.read(list("off.csv", "poweredOff"), OFF_TOO);
        LoadedTrace on = Sources.read(list("on.csv", "poweredOn"));

        assertThat(Sources.dump(off.trace()))
                .isEqualTo(Sources.dump(on.trace()))
                .contains("report");
        assertThat(off.report().lines())
                .contains(
                        "rows not powered on (Powerstate), read as asked: 1 poweredOff",
                        "not counted: 1 row: a template (Template)");
    }

    @Test
    void agentsOfAClusterAreLeftOutWhereTheirNamesRepeat() {
        String head = "VM ID,VM,Powerstate,CPUs,Memory,Datacenter";
        String[] rows = {
            "vm-0,vCLS (1),poweredOn,1,128,A",
            "vm-1,web,poweredOn,4,16384,A",
            "vm-2,vCLS (1),poweredOn,1,128,B",
            "vm-3,db,poweredOn,4,16384,B"
        };
        LoadReport apart = Sources.read(Sources.text(dir, "apart.csv", head, rows[0], rows[1], rows[2], rows[3]))
                .report();
        // Two of the others have one name: then the numbers tell them apart.
        LoadReport alike = Sources.read(Sources.text(
                        dir, "alike.csv", head, rows[0], rows[1], rows[2], rows[3], "vm-4,web,poweredOn,4,16384,B"))
                .report();

        assertThat(apart.items()).isEqualTo(2);
        assertThat(apart.lines()).contains("not counted: 2 rows: an agent of the cluster, vCLS (VM)");
        assertThat(alike.items()).isEqualTo(3);
        assertThat(alike.lines()).contains("not counted: 2 rows: an agent of the cluster, vCLS (VM)");
    }

    @Test
    void leftOutWithTheOptionThatCountsThem() {
        assertThat(Sources.read(list("off.csv", "suspended")).report().lines())
                .contains("not counted: 1 row: not powered on (Powerstate); to count them: --powered-off");
    }

    @Test
    void whatIsDeletedIsNotSwitchedOnAgain() {
        Path aws = Sources.text(
                dir,
                "aws.csv",
                "name,vcpus,memory_gb,state",
                "a,4,16,running",
                "b,4,16,stopped",
                "c,4,16,terminated",
                "d,4,16,shutting-down");
        Path google =
                Sources.text(dir, "google.csv", "name,vcpus,memory_gb,status", "a,4,16,RUNNING", "b,4,16,TERMINATED");

        LoadReport ofAws = TraceReader.read(aws, OFF_TOO).report();
        assertThat(ofAws.items()).isEqualTo(2);
        assertThat(ofAws.lines()).contains("not counted: 2 rows: deleted (state)");
        assertThat(TraceReader.read(google, OFF_TOO).report().items()).isEqualTo(2);
    }

    @Test
    void whereNothingSaysSoIsSaid() {
        Path plain = Sources.text(dir, "plain.csv", "name,vcpus,memory_gb", "a,4,16");

        assertThat(TraceReader.read(plain, OFF_TOO).report().lines())
                .contains("--powered-off: no column is recognized as one of power states");
        assertThat(TraceReader.read(list("on.csv", "poweredOn"), OFF_TOO)
                        .report()
                        .lines())
                .contains("rows not powered on (Powerstate), read as asked: none");
    }

    /** CloudStack, SCVMM, libvirt, and people. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PowerOff",
                "Poweroff",
                "power off",
                "Missing",
                "StoredVM",
                "pmsuspended",
                "Hibernated",
                "Beendet",
                "Inaktiv",
                "Suspendiert",
                "Suspendu",
                "decommissioned",
                "Retired",
                "Saving"
            })
    void wordsForOff(String off) {
        LoadReport report = Sources.read(states("Running", off)).report();

        assertThat(report.lines()).contains("not counted: 1 row: not powered on (State); to count them: --powered-off");
        assertThat(Sources.warnings(report)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Destroyed", "Expunging"})
    void deletedInCloudStack(String deleted) {
        assertThat(Sources.read(states("Running", deleted)).report().lines())
                .contains("not counted: 1 row: deleted (State)");
    }

    @Test
    void aStateThatIsNotKnownCountsAndIsSaid() {
        LoadReport report = Sources.read(
                        states("Running", "Starting", "Dormant", "Stopped", "HostNotResponding", "Dormant"))
                .report();

        assertThat(report.items()).isEqualTo(5);
        assertThat(Sources.warnings(report))
                .containsExactly(
                        "warning: State has values that are not known as running or as off; these rows count as running:"
                                + " 2 Dormant, 1 HostNotResponding; to read only the rows with one value:"
                                + " --columns \"only=State:VALUE\"");
    }

    /** Of two columns, that of which all values are about power. */
    @Test
    void aColumnOfPowerBeforeOneOfOtherThings() {
        Path both = Sources.text(
                dir,
                "both.csv",
                "name,vcpus,memory_gb,Status,State",
                "a,4,16,productive,running",
                "b,4,16,error,running",
                "c,4,16,productive,stopped");

        assertThat(Sources.read(both).report().lines())
                .contains("not counted: 1 row: not powered on (State); to count them: --powered-off");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "In Betrieb",
                "Aktiv",
                "En service",
                "Activo",
                "Responding",
                "Production",
                "Healthy",
                "Betriebsbereit",
                "in produzione",
                "Responding, OK",
                "powered_on",
                "MIXED+PLANNED",
                "Yes",
                "true"
            })
    void wordsForAServerThatIsUp(String up) {
        LoadedServers loaded = ServerListReader.read(hosts("Up", up), "");

        assertThat(loaded.report().items()).isEqualTo(2);
        assertThat(Sources.warnings(loaded.report())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Wartung",
                "Außer Betrieb",
                "Hors service",
                "NotResponding",
                "ErrorInMaintenance",
                "idle+drain",
                "Up (maintenance)",
                "Decommissioned",
                "down*"
            })
    void wordsForAServerThatIsNot(String down) {
        LoadReport report = ServerListReader.read(hosts("Up", down), "").report();

        assertThat(report.lines())
                .contains(
                        "not counted: 1 row: down, drained or in maintenance (State); to count them: --server-columns"
                                + " \"state=\"",
                        "State of the servers that are not up: 1 " + down);
        assertThat(Sources.warnings(report)).isEmpty();
    }

    @Test
    void aServerOfAnUnknownStateDoesNotCountAndIsSaid() {
        Path list = hosts("Up", "RMA", "Spare", "RMA");

        LoadReport report = ServerListReader.read(list, "").report();
        assertThat(report.items()).isEqualTo(1);
        assertThat(report.lines())
                .contains("not counted: 3 rows: not known as up (State); to count them: --server-columns \"state=\"");
        assertThat(Sources.warnings(report))
                .containsExactly(
                        "warning: State has values that are not known as up; these servers are not counted: 2 RMA,"
                                + " 1 Spare; --server-columns \"state=\" counts all");
        assertThat(ServerListReader.read(list, "state=").report().items()).isEqualTo(4);
    }

    private Path states(String... states) {
        return table("states.csv", "Name,State,vCPU,RAM GB", states);
    }

    private Path hosts(String... states) {
        return table("hosts.csv", "Host,State,Cores,RAM GB", states);
    }

    private Path table(String name, String header, String... states) {
        return Sources.text(
                dir,
                name,
                Stream.concat(
                                Stream.of(header),
                                IntStream.range(0, states.length)
                                        .mapToObj(i -> "m" + i + ",\"" + states[i] + "\",4,64"))
                        .toArray(String[]::new));
    }

    /** Hyper-V says of each VM on which computer it is. */
    @Test
    void aVmIsNotCalledAsItsHost() {
        Path list = Sources.text(
                dir,
                "hyperv.csv",
                "VMName,State,ProcessorCount,MemoryAssigned,ComputerName",
                "a,Running,4,4294967296,HV01");
        assertThat(Sources.read(list).trace().id(0)).isEqualTo("a");
    }
}
