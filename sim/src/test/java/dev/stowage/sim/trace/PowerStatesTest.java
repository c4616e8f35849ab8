package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
