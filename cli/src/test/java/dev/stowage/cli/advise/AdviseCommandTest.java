package dev.stowage.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage advise} on files. */
final class AdviseCommandTest {
    private static final String SERVERS = """
        name,cpu_milli,mem_mib,label:zone,closed
        a,8000,16384,x,
        b,8000,16384,x,
        c,8000,16384,y,
        d,8000,16384,y,maintenance
        """;
    private static final String JOBS = """
        name,server,cpu_milli,mem_mib,where,avoid,spread,fixed,budget
        web-1,a,2000,1024,,,web:1,,web:1
        web-2,b,2000,1024,,,web:1,,web:1
        db,c,4000,4096,zone=y,,,has a disk,
        cache,c,1000,1024,,a,,,
        big,,7000,1024,,,,,
        """;

    @TempDir
    private Path directory;

    private Path servers = Path.of("");
    private Path jobs = Path.of("");

    @BeforeEach
    void write() throws IOException {
        servers = Files.writeString(directory.resolve("servers.csv"), SERVERS);
        jobs = Files.writeString(directory.resolve("jobs.csv"), JOBS);
    }

    private Program advise(String... more) {
        String[] all = new String[more.length + 3];
        all[0] = "advise";
        all[1] = servers.toString();
        all[2] = jobs.toString();
        System.arraycopy(more, 0, all, 3, more.length);
        return Program.run(all);
    }

    @Test
    void aListOfAnotherSystemIsRefusedWithWhatIsNeeded() throws IOException {
        Files.writeString(servers, "Host;Kerne;RAM GB\nesx-1;48;768,0\n");
        assertThat(advise().err().replaceAll("\\s+", " "))
                .contains("is a list as another system writes it. A list of VMs that says on which host each runs comes"
                        + " first: stowage advise " + jobs + " --servers " + servers + ". Otherwise: CSV with name");
    }

    /** Each VM stays in the cluster of its host; the column of hosts is found by what stands in it. */
    @Test
    void listsOfVmsAndHosts() throws IOException {
        Files.writeString(
                servers, "Host,Cores,RAM GB,Cluster\nesx1,16,128,A\nesx2,16,128,A\nesx3,16,128,B\nesx4,16,128,B\n");
        Files.writeString(
                jobs,
                "VM,vCPU,RAM GB,Cluster,Runs on\na,4,16,A,esx1\nb,4,16,A,ESX2\nc,8,64,A,esx2\nd,12,96,B,esx3\ne,12,96,B,esx4\n"
                        + "f,1,1,B,esx5\n");
        String[] words = {"advise", jobs.toString(), "--servers", servers.toString()};
        Program found = Program.wide(words);
        assertThat(found.code()).as(found.err()).isZero();
        assertThat(found.out())
                .contains("4 hosts, 4 in use; 5 VMs run, 0 wait.")
                .contains("To switch off\n1 host empty after the plan:\n  esx1\n")
                .containsPattern("1 +a +esx1 +esx2 +1 +esx1")
                .contains("- warning: 1 VM is left out, on a host that is not in " + servers
                        + " or not counted: f on esx5")
                .contains("read as: host = Runs on, cpu = vCPU");
        words[1] = Files.writeString(directory.resolve("more.csv"), "VM,vCPU,RAM GB,Host\na,40,16,esx1\nb,24,16,esx2\n")
                .toString();
        assertThat(Program.wide(words).err())
                .contains("2 of 4 hosts hold more CPU than they have, most of all esx1, 40 vCPU on 16 cores. Say how"
                        + " often CPU may be promised: --overcommit \"cpu 3:1\"");
        assertThat(Program.wide(words[0], words[1], words[2], words[3], "--overcommit", "cpu 4:1")
                        .out())
                .contains("To switch off\n1 host empty after the plan:\n  esx2\n");
        assertThat(Program.wide(words[0], words[1], words[2], words[3], "--overcommit", "cpu 2:1")
                        .err())
                .contains("1 of 4 hosts holds more CPU than it has with --overcommit \"cpu 2:1\": esx1, 40 vCPU"
                        + " on 32 vCPU");
        Files.writeString(Path.of(words[1]), "VM,vCPU,RAM GB,Host\na,40,192,esx1\nb,24,16,esx2\n");
        assertThat(Program.wide(words[0], words[1], words[2], words[3], "--overcommit", "cpu 4:1")
                        .err())
                .as("what a host holds beyond its memory was only called full")
                .contains("1 of 4 hosts holds more memory than it has with --overcommit \"cpu 4:1\": esx1, 192 GiB on"
                        + " 128 GiB. Say there how often memory may be promised, or more of it");
        Files.writeString(Path.of(words[1]), "VM,vCPU,RAM GB,Host,Start,End\na,4,16,esx1,0,60\nb,4,16,esx1,10,50\n");
        assertThat(Program.wide(words).err()).contains("is a log of what came and went, not a list of what runs now");
        Files.writeString(Path.of(words[1]), "VM,vCPU,RAM GB\na,4,16\n");
        assertThat(Program.wide(words).err())
                .contains("has the name of a host of " + servers + ", such as esx1: advise must know on which host");
    }

    @Test
    void optionsOfListsGoWithThese() {
        for (String[] more : new String[][] {{"--overcommit", "cpu 4:1"}, {"--servers", "hosts.csv"}}) {
            assertThat(advise(more).err()).contains("--servers, --overcommit, ", " go with a list of VMs alone");
        }
        assertThat(Program.run("advise", "live", "--servers", "hosts.csv").err())
                .contains("--servers, --overcommit, ", " go with a list of VMs alone");
    }

    private Program placed(String hosts, String vms, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "advise",
                Files.writeString(jobs, vms).toString(),
                "--servers",
                Files.writeString(servers, hosts).toString()));
        words.addAll(List.of(more));
        return Program.wide(words.toArray(String[]::new));
    }

    /** Wrong: the first column with a host's name was taken, whatever was said. */
    @Test
    void theColumnOfHostsIsTheOneThatIsSaid() throws IOException {
        String hosts = "Host,Cores,RAM GB\nesx1,16,128\nesx2,16,128\n";
        String vms = "VM,vCPU,RAM GB,Preferred,Host\na,4,16,esx1,esx2\nb,4,16,,esx2\n";
        String several = "several columns of " + jobs + " have names of hosts: Preferred, ";
        String onTwo = "\n1 host empty already:\n  esx1\n";
        assertThat(placed(hosts, vms).out())
                .contains(
                        onTwo, several + "Host; Host is taken as where each VM runs (another: --columns host=COLUMN)");
        for (String said : List.of("type=Host", "host=Host", "id=VM, host = Host")) {
            assertThat(placed(hosts, vms, "--columns", said).out())
                    .as(said)
                    .contains(onTwo)
                    .doesNotContain("several columns");
        }
        assertThat(placed(hosts, vms, "--columns", "host=Preferred").out())
                .contains("\n1 host empty already:\n  esx2\n", "left out, on a host that is not in");
        assertThat(placed(hosts, vms.replace("Host", "Now")).err())
                .contains(several + "Now. Say which has the host on which each VM runs now: --columns"
                        + " \"host=Preferred\"");
    }

    /** Wrong: one host without a cluster, or a said site, let all VMs move to any host. */
    @Test
    void aHostWithoutAClusterLeavesTheOthersTheirs() throws IOException {
        String hosts = "Host,Cores,RAM GB,Cluster\na1,16,128,A\na2,16,128,A\nb1,16,128,B\nx1,16,128,\nx2,16,128,\n";
        String vms = "VM,vCPU,RAM GB,Host\nva,4,16,a1\nvb,4,16,b1\nvx,4,16,x1\nvy,4,16,x2\n";
        Program found = placed(hosts, vms);
        assertThat(found.out())
                .contains("- 2 hosts are in no cluster (x1, x2): VMs on them stay on hosts without a cluster")
                .containsPattern("1 +v[xy] +x[12] +x[12] ")
                .contains("1 move empties 1 host.")
                .doesNotContain("is ignored");
        for (String each : List.of(
                "va on b1: server is in another cluster, B",
                "va on x1: server is in no cluster",
                "vx on a2: server is in a cluster, A")) {
            assertThat(placed(hosts, vms, "--why-not", each.replaceAll(":.*", ""))
                            .out())
                    .startsWith(each.replace("server", "host"));
        }
        String[] sites = {"--server-columns", "site=Cluster", "--why-not", "va on b1"};
        assertThat(placed(hosts.replaceAll("x[12].*\n", ""), vms, sites).out()).contains("is in another cluster, B");
        assertThat(placed(hosts.replaceAll("x2.*\n", ""), vms).out())
                .contains("- x1 is in no cluster: VMs on it stay there");
    }

    /** Wrong: what is kept free was taken from the cores. */
    @Test
    void vcpuAreComparedWithTheCores() throws IOException {
        String hosts = "Host,Cores,RAM GB\nesx1,16,128\nesx2,16,128\n";
        String vms = "VM,vCPU,RAM GB,Host\na,15,16,esx1\nb,1,16,esx2\n";
        assertThat(placed(hosts, vms, "--reserve", "cpu 20 %").out()).contains("2 hosts, 2 in use");
        assertThat(placed(hosts, vms.replace("15", "16.5")).err())
                .contains(
                        "1 of 2 hosts holds more CPU than it has: esx1, 16.5 vCPU on 16 cores. Say how often CPU may be"
                                + " promised: --overcommit \"cpu 2:1\"");
        assertThat(placed(
                                hosts.replace("GB\n", "GB,GPU\n").replace("128", "128,0"),
                                "VM,vCPU,RAM GB,GPU,Host\na,1,8,1,esx1\n")
                        .err())
                .contains("1 of 2 hosts holds more GPUs than it has: esx1, 1 GPU on 0 GPU.")
                .doesNotContain("promised");
    }

    /**
     * The two web jobs must be kept apart, and c has room for one of them (1 of 8 cores is left after 2 more: 4+1+2).
     */
    @Test
    void twoServersAreTheFewest() {
        Program program = advise("--add", "3 x 6 cores, 1 GiB");
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.out().replaceAll("\\s+", " "))
                .contains("4 servers, 3 in use; 4 jobs run, 1 waits.")
                .contains("By the plan below, what runs fits on 2 servers. No plan uses fewer: ")
                .contains("big: 3 of 4 servers lack CPU (nearest: 1 vCPU short on a), 1 is closed: maintenance")
                .contains("Not moved: - 1 job: has a disk (db)")
                // 6 cores are free on a and b.
                .contains(
                        "Of 3 jobs, 2 fit now, on 2 servers with room; the other one needs 1 more server like a, the kind")
                .contains(" if all servers stay on, and ")
                .contains("What waits is not counted here");
    }

    @Test
    void whyNot() {
        assertThat(advise("--why-not", "web-1 on b").out()).contains("server holds 1 of group web");
        assertThat(advise("--why-not", "cache on a").out()).contains("server is one that it avoids");
        assertThat(advise("--why-not", "db on a").out()).contains("server does not have zone=y");
        assertThat(advise("--why-not", "big on d").out()).isEqualTo("big on d: server is closed: maintenance\n");
        assertThat(advise("--why-not", "cache on b").out()).contains("no rule forbids it");
        Program fixed = advise("--why-not", "db on d");
        assertThat(fixed.out()).isEqualTo("db on d: server is closed: maintenance\n");
    }

    /** What may not be moved, though no rule of servers is against it, is said to be so. */
    @Test
    void whyNotOfWhatStays() throws IOException {
        Files.writeString(servers, SERVERS.replace("maintenance", ""));
        assertThat(advise("--why-not", "db on d").out())
                .isEqualTo("db on d: no rule forbids it, but it may not be moved: has a disk\n");
        assertThat(advise("--why-not", "db on c").out()).isEqualTo("db on c: it runs there, and no rule forbids it\n");
    }

    @Test
    void aFullServerIsNamedWithWhatItIsFullOf() throws IOException {
        Files.writeString(servers, "name,cpu_milli\na,8000\nb,8000\n");
        Files.writeString(jobs, "name,server,cpu_milli\none,a,3000\ntwo,b,5000\n");
        assertThat(advise().out().replaceAll("\\s+", " "))
                .contains("1 server is full then: b (CPU). The loss of the server below would leave some of its jobs");
    }

    /** All 10 would fit on one server, which could not be lost. It was said that no moves lead there. */
    @Test
    void aPackingWithoutSpareRoomIsNotSaidToBeOutOfReach() throws IOException {
        Files.writeString(servers, "name,cpu_milli\na,10000\nb,10000\nc,10000\n");
        Files.writeString(jobs, "name,server,cpu_milli\none,a,4000\ntwo,b,4000\nthree,c,2000\n");
        assertThat(advise("--spare", "1").out().replaceAll("\\s+", " "))
                .contains("By the plan below, what runs fits on 2 servers. Even without the spare room, no plan uses"
                        + " fewer than 1: ")
                .contains(" would use 1 without spare room; no plan to so few was found that keeps it free.");
    }

    /** Wrong: it was said that no moves to one server were found, and that a better plan saves one. */
    @Test
    void whatIsNotEmptiedForWhatWaitsIsNotSaidToBeOutOfReach() throws IOException {
        Files.writeString(servers, "name,cpu_milli\na,8000\nb,8000\n");
        Files.writeString(jobs, "name,server,cpu_milli\none,a,4000\ntwo,b,2000\nw,,5000\n");
        assertThat(advise().out().replaceAll("\\s+", " "))
                .contains("No plan uses fewer than 1: linear")
                .contains("With more moves it fits on 1, but the server that these empty is needed for what waits.")
                .contains("No moves: the server that they would empty is needed for what waits.")
                .doesNotContain("would save", "was found");
    }

    /** "All 0 jobs fit on the others" is no news. */
    @Test
    void aZoneWithoutJobsIsSaidToBeOne() throws IOException {
        Files.writeString(servers, "name,cpu_milli,label:zone\na,8000,x\nb,8000,y\n");
        Files.writeString(jobs, "name,server,cpu_milli\none,a,4000\n");
        assertThat(advise().out()).contains("zone=y: no jobs that would need another place");
    }

    /** Wrong: servers that were emptied without a detour were said to need one. */
    @Test
    void onlyMovesThatMakeRoomAreSaidToMakeRoom() throws IOException {
        Files.writeString(servers, "name,cpu_milli\na,8000\nb,8000\n");
        Files.writeString(jobs, "name,server,cpu_milli\none,a,3000\ntwo,b,2000\n");
        assertThat(advise().out().replaceAll("\\s+", " "))
                .contains("1 move empties 1 server.")
                .doesNotContain("to make room");
        // a and b are full of 8; the 5 of c go to a, when the 3 of a have gone to b.
        Files.writeString(servers, "name,cpu_milli\na,8000\nb,8000\nc,8000\n");
        Files.writeString(jobs, "name,server,cpu_milli\na1,a,3000\na2,a,3000\nb1,b,5000\nc1,c,5000\n");
        assertThat(advise().out().replaceAll("\\s+", " "))
                .contains("2 moves empty 1 server.")
                .contains("For this, jobs on other servers are moved first, to make room.");
    }

    /** Hole: a server without the label was said to hold enough of the group. */
    @Test
    void aServerWithoutTheLabelOfASpreadIsSaidToHaveNone() throws IOException {
        Files.writeString(servers, "name,cpu_milli,label:zone\ns1,8000,a\ns2,8000,\ns3,8000,\n");
        Files.writeString(jobs, "name,server,cpu_milli,spread\ndb-1,s1,2000,db:1:zone\ndb-2,,2000,db:1:zone\n");
        assertThat(advise().out().replaceAll("\\s+", " "))
                .contains("db-2: 2 of 3 servers have no label zone, over which group db is spread, 1 holds, or its zone"
                        + " does, 1 of group db");
        assertThat(advise("--why-not", "db-2 on s2").out())
                .contains("server has no label zone, over which group db is spread");
    }

    @Test
    void badFiles() throws IOException {
        refused(jobs, JOBS.replace("web-1,a", "web-1,aa"), "line 2: there is no server 'aa'");
        refused(jobs, JOBS.replace("web:1,,web:1\nweb-2", "web:0,,web:1\nweb-2"), "line 2: ");
        refused(jobs, JOBS.replace(",web:1\nweb-2", ",web\nweb-2"), "budget 'web' must be NAME:MOST");
        refused(jobs, JOBS.replace(",web:1\nweb-2", ",web:2\nweb-2"), "budget 'web:1' contradicts 2 above");
        refused(jobs, JOBS.replace("avoid", "avoids"), "unknown column 'avoids'");
        refused(jobs, JOBS.replace("name,server", "name,sever"), "; did you mean sever?\n");
        // A list of requests, as 'plan' would say.
        refused(
                jobs,
                "name,srv,cpu_milli,mem_mib\nweb-1,a,1000,1024\n",
                "the columns are name, srv, cpu_milli, mem_mib\n");
        refused(jobs, JOBS.replace("web-2", "web-1"), "is in line 2 too");
        refused(servers, SERVERS.replace("closed", "cosed"), "unknown column 'cosed'");
        refused(servers, SERVERS.replace("b,8000", "b,x"), "line 3: cpu_milli 'x' is not a number");
    }

    private void refused(Path file, String text, String message) throws IOException {
        String before = Files.readString(file);
        Files.writeString(file, text);
        Program program = advise();
        assertThat(program.err()).contains(message);
        assertThat(program.code()).isEqualTo(2);
        Files.writeString(file, before);
    }
}
