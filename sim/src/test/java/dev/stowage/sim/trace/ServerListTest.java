package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Labels;
import dev.stowage.sim.result.Remark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerListTest {
    @TempDir
    Path directory;

    private LoadedServers read(String... lines) {
        return ServerListReader.read(
                Sources.text(directory, "servers.csv", lines),
                ReadOptions.defaults().withMostBad(1));
    }

    @Test
    void canonical() {
        LoadedServers loaded = read(
                "site,count,cpu_milli,mem_mib", "east,3,48000,131072", "east,2,48000,131072", "west,1,96000,262144.9");
        assertThat(loaded.report().format()).isEqualTo("canonical");
        assertThat(loaded.servers().resources()).containsExactly("cpu_milli", "mem_mib");
        // neighbours that are equal are one block; capacities are rounded down
        assertThat(loaded.servers().blocks())
                .containsExactly(
                        block("east", 5, List.of(48_000L, 131_072L)), block("west", 1, List.of(96_000L, 262_144L)));
        assertThat(loaded.servers().blocks().stream()
                        .mapToLong(ServerList.Block::count)
                        .sum())
                .isEqualTo(6);
        assertThat(loaded.report().rounding()).hasSize(1);
    }

    @Test
    void siteAndCountAreOptional() {
        assertThat(read("cpu_milli", "1000", "2000").servers().blocks())
                .containsExactly(block("default", 1, List.of(1000L)), block("default", 1, List.of(2000L)));
    }

    @Test
    void openbNodes() {
        LoadedServers loaded =
                read("sn,cpu_milli,memory_mib,gpu,model", "n1,64000,262144,2,P100", "n2,64000,262144,2,T4");
        assertThat(loaded.report().format()).isEqualTo("openb-nodes");
        assertThat(loaded.servers().blocks())
                .containsExactly(
                        block("default", 1, List.of(64_000L, 262_144L, 2000L), List.of("n1"), Labels.parse("gpu=P100")),
                        block("default", 1, List.of(64_000L, 262_144L, 2000L), List.of("n2"), Labels.parse("gpu=T4")));
    }

    @Test
    void namesAndLabels() {
        LoadedServers loaded = read(
                "name,cpu_milli,label:gpu,label:zone,count",
                "n1,1000,V100,a,1",
                "n2,1000,V100,a,1",
                ",1000,V100,a,3",
                "n3,1000,,b,1",
                "n4,1000,T4,b,2",
                "n 5,1000,T4,b,1");
        Labels first = Labels.parse("gpu=V100,zone=a");
        assertThat(loaded.servers().blocks())
                .containsExactly(
                        block("default", 2, List.of(1000L), List.of("n1", "n2"), first),
                        block("default", 3, List.of(1000L), List.of(), first),
                        block("default", 1, List.of(1000L), List.of("n3"), Labels.parse("zone=b")));
        assertThat(loaded.report().rowsBad()).isEqualTo(2);
        assertThat(loaded.report().lines().toString()).contains("means 2 servers", "is not a word");
    }

    @Test
    void paiMachines() {
        LoadedServers loaded = read("gpu_type,cpu_cores,mem_gib,gpus", "V100,96,512,8");
        assertThat(loaded.report().format()).isEqualTo("pai2020-machines");
        assertThat(loaded.servers().blocks()).containsExactly(block("default", 1, List.of(96_000L, 524_288L, 8000L)));
        // Capacities are rounded down: 1500.5 milli, 1024.512 MiB and 1.5 milli.
        assertThat(read("cpu_cores,mem_gib,gpus", "1.5005,1.0005,0.0015")
                        .servers()
                        .blocks())
                .containsExactly(block("default", 1, List.of(1500L, 1024L, 1L)));
    }

    @Test
    void googleMachines() {
        LoadedServers loaded = read("machine_id,cpu,mem", "1,0.5,0.2493", "2,1.0,0.33333339");
        assertThat(loaded.report().format()).isEqualTo("google2011-machines");
        assertThat(loaded.servers().blocks())
                .containsExactly(
                        block("default", 1, List.of(500_000L, 249_300L)),
                        block("default", 1, List.of(1_000_000L, 333_333L)));
    }

    @Test
    void badRowsAndFiles() {
        LoadReport report = read(
                        "count,cpu_milli",
                        "0,1000",
                        "2,x",
                        "3,1000",
                        "3,1000",
                        "3,1000",
                        "3,1000",
                        "3,1000",
                        "3,1000",
                        "3,1000",
                        "3,1000")
                .report();
        assertThat(report.rowsBad()).isEqualTo(2);
        assertThat(report.items()).isEqualTo(24);
        assertThat(report.bad().get(0).reason()).isEqualTo("count is out of range; allowed: 1 to 1000000000");
        Path file = directory.resolve("servers.csv");
        assertThatThrownBy(
                        () -> ServerListReader.read(file, ReadOptions.defaults().withStrict(true)))
                .isInstanceOf(TraceException.class)
                .hasMessage(file + ":2: column 'count': '0' is out of range; allowed: 1 to 1000000000");
        assertThatThrownBy(() -> read("name,colour", "a,1"))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("is not recognized as a list of servers");
    }

    private ServerList own(String columns, String text) throws IOException {
        Path file = Files.writeString(directory.resolve("own.csv"), text);
        return ServerListReader.read(file, columns).servers();
    }

    private static List<List<Long>> capacities(ServerList list) {
        return list.blocks().stream().map(ServerList.Block::capacity).toList();
    }

    @Test
    void aUnitAgainstTheNameOfItsColumnIsAWarning() throws IOException {
        Path file = Files.writeString(directory.resolve("own.csv"), "host,cores,memory_gib\nh1,8,64 MB\nh2,8,16\n");
        assertThat(ServerListReader.read(file, "").report().notes())
                .extracting(Remark::toString)
                .contains("warning: column memory_gib: 1 value (64 MB) is read in MiB, not in the unit that its name"
                        + " says");
    }

    @Test
    void virtualMachinesAreNoServers() {
        assertThat(read("VM;vCPU;RAM GB", "a;4;16", "b;4;16").report().notes())
                .extracting(Remark::toString)
                .contains("warning: column VM: these look like virtual machines, not servers: are two files swapped?");
    }

    @Test
    void maintenanceIsYesOrNo() {
        LoadedServers loaded = read(
                "host;cores;ram_gb;Wartung;disk_gb",
                "a;8;64;nein;",
                "b;8;64;ja;5",
                "c;8;64;geplant;5",
                "d;8;64;-;5",
                "e;8;64;Wartung;5",
                "f;8;64;;5",
                "g;8;0;falsch;5");
        assertThat(loaded.servers().blocks().stream()
                        .mapToLong(ServerList.Block::count)
                        .sum())
                .isEqualTo(5);
        assertThat(loaded.report().notes())
                .extracting(Remark::toString)
                .filteredOn(note -> note.startsWith("warning"))
                .containsExactly(
                        "warning: 1 row has neither yes nor no in column Wartung, and counts as up: 'geplant' (c)",
                        "warning: 1 row has no CPU or no memory: g, 8 vCPU / 0 MiB. Is it missing in the list?");
    }

    @Test
    void serversWithoutASiteAreRefused() throws IOException {
        String head = "Host,Cores,RAM GB,vSAN Fault Domain Name\n";
        String says = " nothing in column vSAN Fault Domain Name, which says at which site a server is: ";
        assertThatThrownBy(() -> sites(head + "a,8,64,A\nb,8,64,B\nc,8,64,\n"))
                .hasMessageContaining("1 server has" + says + "c. Fill it in, or take that server off the list");
        assertThatThrownBy(() -> sites(head + "a,8,64,A\nb,8,64,\nc,8,64,\nd,8,64,\ne,8,64,\n"))
                .hasMessageContaining(
                        "4 servers have" + says + "b, c, d and 1 more. Fill it in, or take these servers off");
        assertThatThrownBy(() -> sites(head + "a,8,64,\nb,8,64,\n"))
                .hasMessageContaining(
                        "no server has anything in column vSAN Fault Domain Name, which says at which site");
        assertThat(sites(head + "a,8,64,A\nb,8,64,B\n")).containsExactly("A", "B");
    }

    private List<String> sites(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("sites.csv"), text);
        return ServerListReader.read(file, "site=vSAN Fault Domain Name").servers().blocks().stream()
                .map(ServerList.Block::site)
                .toList();
    }

    @Test
    void columnsAreSaid() throws IOException {
        String text = "A;B;C;D\nh1;16;131072;east\nh2;8;65536;west\n";
        ServerList said = own("name=A,cpu=B,mem=C:MiB,site=D", text);
        assertThat(capacities(said)).containsExactly(List.of(16_000L, 131_072L), List.of(8_000L, 65_536L));
        assertThat(said.blocks()).extracting(ServerList.Block::site).containsExactly("east", "west");
        assertThat(capacities(own("per=C,sockets=B,mem=D", "Cores;B;C;D\n99;2;16;256\n")))
                .containsExactly(List.of(32_000L, 262_144L));
        // What is said not to be there is not guessed.
        assertThat(own("count=", "Host;Cores;RAM GB;Count\nh1;16;128;7\n").blocks())
                .extracting(ServerList.Block::count)
                .containsExactly(1L);
        assertThatThrownBy(() -> own("nam=A", text)).hasMessageContaining("did you mean 'name'?");
        assertThatThrownBy(() -> own("name=E", text)).hasMessageContaining("there is no column 'E'");
        assertThatThrownBy(() -> own("mem=C:cores", text)).hasMessageContaining("'cores' is not a unit of mem");
        assertThatThrownBy(() -> own("name=A", text)).hasMessageContaining("no row is usable");
    }

    /** 127,906 GB beside 16 cores has decimals, 131,072 MB has thousands: the other would be implausible. */
    @Test
    void memoryTellsDecimalsFromThousands() throws IOException {
        assertThat(capacities(own("", "Host;Cores;RAM GB\nh1;16;127,906\n")))
                .containsExactly(List.of(16_000L, 130_975L));
        assertThat(capacities(own("", "Host;Cores;RAM GB\nh1;16;127.906\n")))
                .containsExactly(List.of(16_000L, 130_975L));
        assertThat(capacities(own("", "Host;Cores;RAM MB\nh1;16;131,072\n")))
                .containsExactly(List.of(16_000L, 131_072L));
        assertThat(capacities(own("", "Host;Cores;RAM TB\nh1;64;1,536\n")))
                .containsExactly(List.of(64_000L, 1_610_612L));
        // Both readings may be meant: 128 or 0.128 GiB for each core.
        assertThatThrownBy(() -> own("", "Host;Cores;RAM GB\nh1;16;2,048\n"))
                .hasMessageContaining("may be thousands or decimals");
    }

    @Test
    void processorsMayBeSockets() throws IOException {
        for (String name : List.of("Processors", "Prozessoren", "CPUs")) {
            Path few = Files.writeString(directory.resolve("few.csv"), "Host;" + name + ";RAM GB\nh1;2;512\n");
            assertThat(ServerListReader.read(few, "").report().lines())
                    .anyMatch(line ->
                            line.contains("a server has 2 vCPU and 512 GiB: does column " + name + " count sockets?"));
            Path many = Files.writeString(directory.resolve("many.csv"), "Host;" + name + ";RAM GB\nh1;64;512\n");
            assertThat(ServerListReader.read(many, "").report().lines()).noneMatch(line -> line.contains("warning"));
        }
    }

    private static ServerList.Block block(String site, long count, List<Long> capacity) {
        return block(site, count, capacity, List.of(), Labels.NONE);
    }

    private static ServerList.Block block(
            String site, long count, List<Long> capacity, List<String> names, Labels labels) {
        return new ServerList.Block(site, count, capacity, names, labels, "", 0);
    }
}
