package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of lists of servers. */
final class OwnHostsTest {
    /** {@code sek} is short for seconds, and CAD is for drawings. */
    @ParameterizedTest
    @CsvSource({
        "SEK,true",
        "Amount (SEK),true",
        "Amount (CAD),true",
        "Preis (sek),true",
        "kosten_cad,true",
        "amount_chf,true",
        "Uptime (sek),false",
        "Uptime (Sek),false",
        "UPTIME (SEK),false",
        "Laufzeit (SEK),false",
        "lease_sek,false",
        "Cad license,false",
        "seat cad,false",
        "Boot time (CAD),false"
    })
    void aPriceIsToldByItsCurrency(String column, boolean price) {
        assertThat(OwnHosts.in(List.of("host", "cores", "memory_gb", column)).containsValue(column))
                .isEqualTo(price);
    }

    /** Its unit is after the value or at the end of the name; of two numbers the later counts. */
    @ParameterizedTest
    @CsvSource({
        "Lead time (weeks),8,56",
        "Lead time days,56,56",
        "LeadTimeWeeks,8,56",
        "Delivery weeks,8,56",
        "Lieferzeit,8 Wochen,56",
        "Lieferzeit Wochen,ca. 8,56",
        "Lieferzeit Wochen,56 d,56",
        "Lead time,6 - 8 weeks,56",
        "Lieferzeit,2 Monate,61",
        "Lieferzeit,10 Arbeitstage,14",
        "Lieferzeit,'1,5 Wochen',11",
        "Lieferzeit,ab Lager,0",
        "Lead time,8 weeks ARO,56",
        "Lieferzeit,2-3 Wo.,21",
        "Lieferzeit,10 Arbeitstage ab Auftrag,14",
        "Lead time,> 8 weeks,NaN",
        "Lead time,8 weekends,NaN",
        "Lead time,8,NaN",
        "Lieferzeit,verfügbar,NaN",
        "Lieferzeit,KW 12,NaN",
        "Lieferzeit,auf Anfrage,NaN",
        "Lieferzeit,,NaN",
        "Delivery,8 weeks,NaN",
        "Valid until,8 weeks,NaN"
    })
    void aLeadTimeIsOfAnOffer(String column, @Nullable String value, double days, @TempDir Path directory)
            throws IOException {
        Path list = Files.writeString(
                directory.resolve("offers.csv"),
                "Model;Cores;RAM GB;Price;" + column + "\nX;64;1024;100;" + (value == null ? "" : value) + "\n");
        assertThat(ServerListReader.read(list, "").servers().blocks())
                .extracting(ServerList.Block::leadTimeDays)
                .containsExactly(days);
    }

    /** Without its own memory a host has none, however much its VMs have. */
    @ParameterizedTest
    @CsvSource({
        "'Host,# CPU,Cores per CPU,# Cores,# VMs,VMs per Core,# vCPUs,vCPUs per Core,vRAM,VM Used memory',# Cores,",
        "'Host,# CPU,Cores per CPU,# VMs,VMs per Core,# vCPUs,vCPUs per Core,vRAM,VM Memory Swapped',,",
        "'Host,Cores,VM memory GB',Cores,",
        "'Host,Cores,Memory allocated GB',Cores,",
        "'Host,Cores,Memory consumed GB,Memory GB',Cores,Memory GB",
        "'Host,Cores,RAM installed GB,vRAM GB',Cores,RAM installed GB",
        "'Host,Kerne,RAM zugewiesen GB',Kerne,",
        "'Hypervisor Hostname,Running VMs,vCPUs Used,vCPUs,Memory MB Used,Memory MB',vCPUs,Memory MB",
        "'Instance type,vCPU,vRAM GB',vCPU,vRAM GB"
    })
    void whatTheVmsHaveIsNotOfTheHost(String header, @Nullable String cpu, @Nullable String memory) {
        Map<String, String> found = OwnHosts.in(List.of(header.split(",", -1)));
        assertThat(found.get("cpu")).isEqualTo(cpu);
        assertThat(found.get("mem")).isEqualTo(memory);
        assertThat(found.containsKey("sockets")).isEqualTo(cpu == null);
    }

    @Test
    void memoryThatIsMissingIsAWarning(@TempDir Path directory) throws IOException {
        Path list = Files.writeString(directory.resolve("hosts.csv"), "Host,# Cores,# VMs,vRAM\na,32,6,300000\n");
        assertThat(ServerListReader.read(list, "").report().lines())
                .contains("warning: no column is recognized as the memory: only cpu counts; to name it:"
                        + " --server-columns mem=COLUMN, or mem= if there is none");
        assertThat(ServerListReader.read(list, "mem=").report().lines()).noneMatch(line -> line.contains("warning"));
        assertThat(ServerListReader.read(list, "mem=vRAM:MiB").servers().blocks())
                .extracting(ServerList.Block::capacity)
                .containsExactly(List.of(32_000L, 300_000L));
    }

    /** As vCenter exports them; the last of the R650 has 2 % less, and the other model and cores are others. */
    @Test
    void someMiBOfMemoryMakeNoKind(@TempDir Path directory) throws IOException {
        Path list = Files.writeString(
                directory.resolve("hosts.csv"),
                "Host,Model,Cores,Memory MiB\na,R650,32,262143\nb,R650,32,262107\nc,R650,32,262107\nd,R750,32,262142\n"
                        + "e,R650,64,262142\nf,R650,32,256900\ng,,32,524288\nh,,32,524287\n");
        LoadedServers read = ServerListReader.read(list, "");
        assertThat(read.servers().blocks())
                .extracting(each -> each.count() + " x " + each.capacity())
                .containsExactlyInAnyOrder(
                        "1 x [64000, 262142]",
                        "1 x [32000, 524288]",
                        "1 x [32000, 524287]",
                        "1 x [32000, 262142]",
                        "3 x [32000, 262107]",
                        "1 x [32000, 256900]");
        assertThat(read.report().lines())
                .contains(
                        "servers that are alike but for at most 1 % of their memory are one kind, with the least of it:"
                                + " 3 x R650 (262,107 to 262,143 MiB)");
        Files.writeString(list, "Host,Model,Cores,Memory MiB\na,R650,32,262143\nb,R650,32,262143\n");
        assertThat(ServerListReader.read(list, "").report().lines()).noneMatch(line -> line.contains("are alike"));
    }

    /** In every language: sockets times cores of each. */
    @ParameterizedTest
    @CsvSource({
        "Processors,Cores per processor",
        "CPUs,Cores/CPU",
        "Prozessoren,Kerne je Prozessor",
        "Prozessoren,Kerne pro Sockel",
        "Processeurs,Coeurs par processeur",
        "Processori,Core per processore"
    })
    void processorsBesideTheirCoresAreSockets(String processors, String cores) {
        assertThat(OwnHosts.in(List.of("Host", processors, cores, "RAM GB")))
                .containsEntry("sockets", processors)
                .containsEntry(OwnHosts.PER_SOCKET, cores)
                .doesNotContainKey("cpu");
    }

    /** What one word says of a time is a table of requests, under whatever other names. */
    @ParameterizedTest
    @CsvSource({
        "'Host,Kerne,RAM GB,Wartung', true",
        "'Host,Laufzeit,Kerne,RAM GB', false",
        "'t0,secs,cores,ram GB', false"
    })
    void aTableWithATimeIsNoListOfServers(String header, boolean servers) {
        assertThat(OwnHosts.only(List.of(header.split(",")))).isEqualTo(servers);
    }

    /** Slurm has a row for each partition of a node, or of a range of them. */
    @ParameterizedTest
    @CsvSource({
        "'n1,short,64,256;n1,long,64,256;n2,long,64,256', 2, n1",
        "'\"n[001-004]\",short,64,256;\"n[003-006]\",long,64,256;n001,debug,64,256', 6, n003",
        "'n1,short,64,256;n1,long,32,256', 2,",
        "'\"n003,n004\",short,64,256;\"n[005-006],m[1-2]\",short,32,128;\"g[01-02,05]\",gpu,48,512', 9,"
    })
    void aNodeOfSeveralPartitionsIsOne(String rows, long servers, @Nullable String again, @TempDir Path directory)
            throws IOException {
        Path list = Files.writeString(
                directory.resolve("nodes.csv"), "NODELIST,PARTITION,CPUS,RAM GB\n" + rows.replace(';', '\n') + "\n");
        LoadReport report = ServerListReader.read(list, "").report();
        assertThat(report.items()).isEqualTo(servers);
        assertThat(report.lines().stream().filter(line -> line.contains("count once")))
                .allMatch(line -> line.endsWith("the first " + again))
                .hasSize(again == null ? 0 : 1);
    }

    /** Two clusters may each have a host that is called so; of offers and models there are as many as rows. */
    @ParameterizedTest
    @CsvSource({
        "'Host,Cluster,Cores,RAM GB', 'esx1,A,32,256;esx1,B,32,256', 2",
        "'Host,Cluster,Cores,RAM GB', 'esx1,A,32,256;esx1,A,32,256', 1",
        "'Model,Cluster,Cores,RAM GB', 'R650,A,32,256;R650,A,32,256', 2",
        "'Model,Cluster,Cores,RAM GB', '\"R650,X\",A,32,256', 1",
        "'Host,Price,Cores,RAM GB', 'small,100,32,256;small,100,32,256', 2",
        "'Host,Count,Cores,RAM GB', 'n1,2,32,256;n1,2,32,256', 4"
    })
    void othersAreAsManyAsThereAreRows(String header, String rows, long servers, @TempDir Path directory)
            throws IOException {
        Path list = Files.writeString(directory.resolve("hosts.csv"), header + "\n" + rows.replace(';', '\n') + "\n");
        assertThat(ServerListReader.read(list, "").report().items()).isEqualTo(servers);
    }

    @Test
    void aRangeThatIsNoneIsABadRow(@TempDir Path directory) throws IOException {
        Path list = Files.writeString(directory.resolve("nodes.csv"), "NodeName,CPUs,RAM GB\nn[5-3],4,64\nm,4,64\n");
        assertThatThrownBy(() -> ServerListReader.read(list, ""))
                .hasMessageContaining("NodeName is out of range")
                .hasMessageContaining("n[5-3]");
    }

    /** Swiss, with a thin space, and in lakhs. */
    @ParameterizedTest
    @CsvSource({"65’536, 65536", "65\u2009536, 65536", "'1,31,072', 131072", "'12,34,56,789', 123456789"})
    void marksBetweenThousands(String memory, long mib, @TempDir Path directory) throws IOException {
        Path list = Files.writeString(
                directory.resolve("hosts.csv"), "Host;Cores;Memory (MB)\na;64;" + memory + "\nb;64;262144\n");
        assertThat(ServerListReader.read(list, "").servers().blocks())
                .extracting(block -> block.capacity().get(1))
                .contains(mib);
    }

    /** With a date above and sentences in the last column. */
    @Test
    void nodesAsSinfoListsThemAtLength(@TempDir Path directory) throws IOException {
        Path list = Files.writeString(directory.resolve("nodes.txt"), """
                Mon Nov 03 10:00:00 2025
                NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON
                n001           1      cpu*        idle 64     2:32:1 257000        0      1   (null) none
                n001           1      long        idle 64     2:32:1 257000        0      1   (null) none
                n002           1      cpu*     drained 64     2:32:1 257000        0      1   (null) bad dimm
                """);
        LoadReport report = ServerListReader.read(list, "").report();
        assertThat(report.items()).isEqualTo(1);
        assertThat(report.lines()).contains("STATE of the servers that are not up: 1 drained");
    }

    @Test
    void theWholeConfigurationOfSlurm(@TempDir Path directory) throws IOException {
        Path list = Files.writeString(directory.resolve("slurm.conf"), """
                # slurm.conf
                ClusterName=c
                SlurmctldHost=head
                NodeName=n[001-002] CPUs=64 RealMemory=257000 State=UNKNOWN
                PartitionName=short Nodes=n[001-002] Default=YES MaxTime=INFINITE State=UP
                """);
        assertThat(ServerListReader.read(list, "").servers().blocks())
                .extracting(block -> block.count() + " x " + block.capacity())
                .containsExactly("2 x [64000, 257000]");
    }

    /** Wrong: a column of counts took the names away, also where all counts are 1. */
    @ParameterizedTest
    @CsvSource({"1, 'db-1,web-1'", "2, ''"})
    void namesAreKeptBesideCountsOfOne(int count, String names, @TempDir Path directory) throws IOException {
        Path list = Files.writeString(
                directory.resolve("hosts.csv"),
                "name,cpu,memory,count\nweb-1,32,128 GiB," + count + "\ndb-1,64,512 GiB,1\n");
        assertThat(ServerListReader.read(list, "").servers().blocks().stream()
                        .flatMap(block -> block.names().stream())
                        .collect(Collectors.joining(",")))
                .isEqualTo(names);
    }

    /** Wrong: a sum of all rows became a server, where servers are in several of them. */
    @ParameterizedTest
    @ValueSource(strings = {",,96,384", ",,64,256"})
    void aSumOfRowsThatAreThereAgain(String sum, @TempDir Path directory) throws IOException {
        Path list = Files.writeString(
                directory.resolve("hosts.csv"),
                "Host,Cluster,Cores,Memory GB\nh1,A,16,64\nh2,B,16,64\nh3,B,16,64\nh4,A,16,64\nh1,A,16,64\nh2,B,16,64\n"
                        + sum + "\n");
        LoadReport report = ServerListReader.read(list, "").report();
        assertThat(report.items()).isEqualTo(4);
        assertThat(report.lines()).contains("not counted: 1 row: a sum of the rows above (no Host)");
    }

    /** Wrong: the list price was taken, and what else decides a purchase was ignored in silence. */
    @Test
    void whatMayDecideAndIsNotUsedIsAWarning(@TempDir Path directory) throws IOException {
        Path offers = Files.writeString(
                directory.resolve("offers.csv"),
                "name,cores,memory_gb,list price,net price,In stock,Mengenrabatt,Cost center\nR650,32,256,9000,7000,1,5 %,X1\n");
        LoadedServers read = ServerListReader.read(offers, "");
        assertThat(read.servers().blocks().get(0).price()).isEqualTo(7000);
        assertThat(read.report().lines())
                .contains("warning: not used, though it may decide what is bought: list price, In stock, Mengenrabatt");

        Path hosts = Files.writeString(
                directory.resolve("hosts.csv"),
                "name,cores,memory_gb,End of support,Notes\nh1,32,256,2027-01-01,spare\nh2,32,256,2030-01-01,\n");
        assertThat(ServerListReader.read(hosts, "").report().lines())
                .contains("warning: not used, though it may decide which servers stay: End of support");
    }

    /** Wrong: threads, or the cores of one socket, counted as the cores. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host,Sockets,Cores per CPU,Threads,RAM GB\nh1,2,16,64,512\n",
                "Host;Sockel;Kerne pro Sockel;Threads;RAM\nh1;2;16;64;512 GB\n",
                "{\"nodes\":[{\"name\":\"n1\",\"cpus\":32,\"real_memory\":257000,\"cores\":16,\"sockets\":2,\"threads\":1}]}",
                "{\"host\":[{\"id\":\"h1\",\"name\":\"h1\",\"memory\":\"274877906944\",\"cpu\":{\"topology\":"
                        + "{\"cores\":\"16\",\"sockets\":\"2\",\"threads\":\"2\"}}}]}"
            })
    void coresOfEachSocketAreMultiplied(String text, @TempDir Path directory) throws IOException {
        Path list = Files.writeString(directory.resolve("hosts" + (text.startsWith("{") ? ".json" : ".csv")), text);
        ServerList servers = ServerListReader.read(list, "").servers();
        assertThat(servers.blocks().get(0).capacity().get(servers.resources().indexOf("cpu_milli")))
                .isEqualTo(32_000);
    }

    /** Wrong: what is not a number was no GPU, without a word. */
    @Test
    void aModelIsNoAmountOfGpus(@TempDir Path directory) throws IOException {
        Path list = Files.writeString(
                directory.resolve("hosts.csv"),
                "Host,Cores,Memory GB,GPU\nh1,16,64,2x A100\nh2,16,64,gpu:a100:2(S:0-1)\nh3,16,64,\nh4,16,64,none\n"
                        + "h5,16,64,(null)\nh6,16,64,2 x NVIDIA L40S\nh7,16,64,NVIDIA A100 80GB\n");
        LoadedServers read = ServerListReader.read(list, "");
        assertThat(read.servers().blocks().stream()
                        .map(block ->
                                block.capacity().get(read.servers().resources().indexOf("gpu_milli"))))
                .containsExactly(2000L, 0L);
        assertThat(read.servers().blocks().stream().map(ServerList.Block::count))
                .containsExactly(3L, 3L);
        assertThat(read.report().lines())
                .contains(
                        "bad: 1 row: GPU is not an amount of GPUs; allowed: such as 2, 2 x A100 or Slurm's gpu:a100:2");
    }

    /** Wrong: rows that are there again, and sums, counted to the clusters. */
    @Test
    void clustersHaveWhatCounts(@TempDir Path directory) throws IOException {
        Path list = Files.writeString(
                directory.resolve("hosts.csv"),
                "Host,Cluster,Cores,Memory GB\nh1,A,16,64\nh2,B,16,64\nh3,B,16,64\nh4,B,16,64\nh1,A,16,64\n,,64,256\n");
        assertThat(ServerListReader.read(list, "").report().lines()).anyMatch(line -> line.endsWith("): A 1, B 3"));
    }

    /** Wrong: servers that had no name yet were taken for one. */
    @ParameterizedTest
    @CsvSource({"TBD, 4", "-, 4", "n/a, 4", "None, 4", "unknown, 4", "localhost, 4", "h2, 2", "主机, 2"})
    void whatStandsForANameIsNone(String name, int servers, @TempDir Path directory) throws IOException {
        Path list = Files.writeString(
                directory.resolve("hosts.csv"), "Host,Cores,Memory GB\nh1,16,64\n" + (name + ",16,64\n").repeat(3));
        assertThat(ServerListReader.read(list, "").report().items()).isEqualTo(servers);
    }
}
