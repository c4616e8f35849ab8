package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands say of a list of VMs that run now: four of 8 vCPU and 64 GiB. */
final class InventoryAnswerTest {
    @TempDir
    Path directory;

    private String list = "";

    @BeforeEach
    void write() throws IOException {
        list = Files.writeString(directory.resolve("vms.csv"), "Name,vCPU,Memory GB\na,8,64\nb,8,64\nc,8,64\nd,8,64\n")
                .toString();
    }

    /** RVTools as CSV is a directory with a file for each sheet. */
    @Test
    void theFileThatIsMeantIsNamed() throws IOException {
        assertThat(Program.wide("size", directory.toString()).err())
                .contains("is a directory; give a file in it, such as vms.csv");
        Files.writeString(Path.of(list), "VM,Powerstate,CPUs,Memory\na,poweredOn,8,65536\n");
        assertThat(Program.wide("size", list).err())
                .contains("or --servers RVTools_tabvHost.csv, the file that RVTools writes of vHost");
    }

    /** Where each row is a type, their names alone say it, and the page has all. */
    @Test
    void manyOfOneEachAreNames() throws IOException {
        Path page = directory.resolve("page.html");
        String[] words = {
            "size",
            vms("8,64 8,64 8,64 8,64 8,64"),
            "--servers",
            hosts("h0,40,320 h1,8,64"),
            "--columns",
            "type=name,id=name",
            "--report",
            page.toString()
        };
        assertThat(Program.wide(words).out())
                .contains("4 requests find no place on the others, if")
                .contains(", and 1 more.");
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .contains("<details><summary>All that stop</summary>\n<ul>\n<li>1 fails: vm");
    }

    /**
     * All of it fits the six hosts, which an exhaustive search shows and the answer's does not find: it must not say
     * that they are not enough.
     */
    @Test
    void whatIsNotProvenIsNotSaid() throws IOException {
        String hosts = hosts("h0,8,64 h1,12,48 h2,8,64 h3,12,48 h4,8,64 h5,8,64");
        String found = Program.wide(
                        "size",
                        vms(
                                "1,19 1,17 1,34 6,11 1,26 2,2 1,24 2,10 4,25 2,24 4,7 2,28 5,30 3,1 8,3 6,30 1,14 2,25 2,11 2,11"),
                        "--servers",
                        hosts)
                .out();
        assertThat(found)
                .contains("Needed: 7 servers (6 are there", "No policy needs fewer than 6 of these kinds")
                .contains(
                        "No way was found to run all of it on the 6 that are there; it is not proven that there is none.")
                .doesNotContain("not enough");
        hosts = hosts("h0,12,48 h1,12,48 h2,12,48 h3,12,48 h4,12,48 h5,12,48");
        found = Program.wide(
                        "size",
                        vms(
                                "3,28 1,9 2,13 1,6 5,6 3,15 3,8 1,18 1,16 4,9 5,17 4,18 1,13 6,1 6,8 2,3 2,25 2,2 8,32 2,13 5,6"
                                        + " 5,22"),
                        "--servers",
                        hosts,
                        "--explain")
                .out();
        assertThat(found).contains("Why not 6: ", "2 requests find no place, if the largest are placed first: ");
        hosts = hosts("h0,12,48 h1,8,64");
        assertThat(Program.wide("size", vms("8,40 8,40 8,40"), "--servers", hosts)
                        .out())
                .contains("The 2 that are there are not enough.");
    }

    private String hosts(String rows) throws IOException {
        return Files.writeString(directory.resolve("h.csv"), "name,cores,ram_gb\n" + rows.replace(' ', '\n') + "\n")
                .toString();
    }

    private String vms(String sizes) throws IOException {
        StringBuilder rows = new StringBuilder("name,vcpu,ram_gb\n");
        for (String size : sizes.split(" ", -1)) {
            rows.append("vm").append(rows.length()).append(',').append(size).append('\n');
        }
        return Files.writeString(directory.resolve("v.csv"), rows).toString();
    }

    /** The kinds that come are called by what they hold, in data, too, also where something else counts. */
    @Test
    void dataNamesRealHosts() throws IOException {
        assertThat(Program.wide(
                                "size",
                                vms("8,32 8,32 4,16"),
                                "--servers",
                                hosts("h1,8,64 h2,16,64"),
                                "--spare",
                                "1",
                                "--overcommit",
                                "cpu 2:1",
                                "--growth",
                                "100 %",
                                "--until",
                                "1y",
                                "--format",
                                "json")
                        .out())
                .contains("\"kind\" : \"16 cores, 64 GiB\"")
                .doesNotContain("32 vCPU");
    }

    /** Of four hosts two are needed, or one of them may fail: what counts is what is there. */
    @Test
    void moreAreThereThanNeeded() throws IOException {
        Path page = directory.resolve("p.html");
        String[] words = {
            "size", list, "--servers", "4 x 16 cores, 128 GiB", "--spare", "0", "--report", page.toString()
        };
        assertThat(Program.wide(words).out())
                .contains(
                        "Needed: 2 servers ",
                        "On the 4 that are there, if one server fails, all of it runs on the others.");
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .contains("<p class=\"said\">This is for the 4 that are there. Whichever fail")
                .containsPattern("2</th><td[^>]*>0</td>.*\\n.*3</th><td[^>]*>2</td>.*2 x 8 vCPU / 64 GiB");
        words[3] = "9 x 16 cores, 128 GiB";
        Program.wide(words);
        assertThat(Files.readString(page))
                .as("until something stops")
                .containsPattern("6</th><td[^>]*>0</td>")
                .containsPattern("8</th><td[^>]*>2</td>")
                .doesNotContainPattern("9</th><td");
        words[3] = "4 x 16 cores, 128 GiB";
        words[5] = "1";
        assertThat(Program.wide(words).out())
                .contains(
                        "Needed: 3 servers ",
                        "On the 4 that are there, if 2 servers fail at the same time, all of it runs on the others.");
        words[5] = "2";
        assertThat(Program.wide(words).out())
                .contains(
                        "Needed: 4 servers ",
                        "If 3 servers fail at the same time, at worst 2 requests find no place on the others, if the"
                                + " largest are placed first: 2 x 8 vCPU / 64 GiB.");
    }

    /** A page is about the servers that are there, also where more are needed or bought. */
    @Test
    void failuresAreThoseOfTheServersThatAreThere() throws IOException {
        Path page = directory.resolve("p.html");
        String[] words = {
            "size", list, "--servers", "2 x 16 cores, 128 GiB", "--spare", "1", "--report", page.toString()
        };
        Program.wide(words);
        String two = "0</th><td[^>]*>0</td>.*\\n.*1</th><td[^>]*>2</td>.*2 x 8 vCPU / 64 GiB";
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .contains("Shares of the 3 servers needed, of which 2 are there now.")
                .contains("This is for the 2 that are there now, of the 3 needed. Whichever fail")
                .containsPattern(two);
        for (String[] more : new String[][] {{"--growth", "10 %"}, {"--buy", "64 cores, 512 GiB"}}) {
            String[] all = Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
            Program.wide(all);
            assertThat(Files.readString(page).replace('\u00a0', ' '))
                    .as(more[0])
                    .contains("This is for the 2 that are there now. Whichever fail")
                    .containsPattern(two);
            all[3] = "16 cores, 128 GiB";
            Program.wide(all);
            assertThat(Files.readString(page)).as("none is there").doesNotContain("What stops when servers fail");
        }
        Files.writeString(Path.of(list), "Name,vCPU,Memory GB\na,8,64\nbig,8,256\n");
        Program.wide(Stream.concat(Stream.of(words), Stream.of("--buy", "64 cores, 512 GiB"))
                .toArray(String[]::new));
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .containsPattern("0</th><td[^>]*>1</td>.*1 x 8 vCPU / 256 GiB")
                .contains("1 of 2 requests fits none of them, even an empty one: big");
    }

    /** Two kinds that have a model each are called so; if both are of one model, by what they hold. */
    @Test
    void kindsAreCalledByTheirModels() throws IOException {
        Path hosts = directory.resolve("hosts.csv");
        String two = "Host,Model,Cores,Memory GB\nh1,PowerEdge R650,8,64\nh2,PowerEdge R650,8,64\n"
                + "h3,PowerEdge R750,16,128\nh4,PowerEdge R750,16,128\n";
        Files.writeString(hosts, two);
        String[] words = {"size", list, "--servers", hosts.toString(), "--spare", "1"};
        assertThat(Program.wide(words).out())
                .contains(
                        "(4 are there: 2 x PowerEdge R750 (16 vCPU, 128 GiB) + 2 x PowerEdge R650 (8 vCPU, 64 GiB)",
                        "On these 4 (2 x PowerEdge R750 + 2 x PowerEdge R650) the requests use");
        String[] over = {"size", list, "--servers", hosts.toString(), "--overcommit", "cpu 2:1", "--growth", "50 %"};
        assertThat(Program.wide(over).out())
                .contains(
                        "x PowerEdge R750 (",
                        "Kinds: PowerEdge R750 (16 cores, 128 GiB; counts as 32 vCPU, 128 GiB), PowerEdge R650 (8 cores,"
                                + " 64 GiB; counts as 16 vCPU, 64 GiB).");
        Files.writeString(hosts, two.replace("R750", "R650"));
        assertThat(Program.wide(words).out())
                .contains("(4 are there: 2 x 16 vCPU, 128 GiB + 2 x 8 vCPU, 64 GiB")
                .doesNotContain("PowerEdge");
        Files.writeString(hosts, two.replace("h2,PowerEdge R650", "h2,PowerEdge R660"));
        assertThat(Program.wide(words).out())
                .contains("(4 are there: 2 x 16 vCPU, 128 GiB + 2 x 8 vCPU, 64 GiB")
                .doesNotContain("PowerEdge");
    }

    /** What needs a label runs where it is: servers that are there keep theirs, those that are bought have none. */
    @Test
    void labelsWhenServersAreBought() throws IOException {
        Path hosts = Files.writeString(
                directory.resolve("hosts.csv"),
                "count,cpu_milli,mem_mib,name,label:zone\n1,16000,131072,h1,a\n1,16000,131072,h2,b\n");
        String[] words = {"size", list, "--servers", hosts.toString(), "--buy", "16 cores, 128 GiB"};
        String zoned = "Name,vCPU,Memory GB,where\na,8,64,zone in (a)\nb,8,64,zone in (a)\n";
        Files.writeString(Path.of(list), zoned);
        assertThat(Program.wide(words).out())
                .contains("What is there is enough. What is bought has no labels and no names: what must run on a");
        Files.writeString(Path.of(list), zoned + "c,8,64,zone in (a)\n");
        Program not = Program.wide(words);
        assertThat(not.out())
                .contains(": nothing that was tried is enough (")
                .doesNotContain("What is there is enough");
        assertThat(not.code()).isEqualTo(3);
    }

    /** With fewer than are needed, what finds no place on those that are there, and if as many fail as are asked. */
    @Test
    void whatStopsToday() {
        String[] words = {"size", list, "--servers", "3 x 8 cores, 64 GiB", "--spare", "0"};
        assertThat(Program.wide(words).out())
                .contains(
                        "With the 3 that are there now, if the largest are placed first: 1 request finds no place (1 x"
                                + " 8 vCPU / 64 GiB); if one fails, at worst 2 requests find no place (2 x 8 vCPU / 64 GiB).");
        words[5] = "2";
        assertThat(Program.wide(words).out())
                .contains("; if 2 fail at the same time, at worst 3 requests find no place (");
        words[3] = "5 x 8 cores, 64 GiB";
        assertThat(Program.wide(words).out())
                .contains("With the 5 that are there now, if the largest are placed first: all of it runs; if 2 fail");
        words[3] = "1 x 8 cores, 64 GiB";
        assertThat(Program.wide(words).out())
                .contains(
                        "With the one that is there now, if the largest are placed first: 3 requests find no place (3 x"
                                + " 8 vCPU / 64 GiB); if it fails, nothing runs.");
        words[5] = "3";
        words[3] = "3 x 8 cores, 64 GiB";
        assertThat(Program.wide(words).out())
                .contains("1 request finds no place (1 x 8 vCPU / 64 GiB); if all fail, nothing runs.");
        words[5] = "2";
        words[3] = "6 x 8 cores, 64 GiB";
        assertThat(Program.wide(words).out()).contains("Needed: 6 ").doesNotContain(" there now");
        String[] policy = {"size", list, "--servers", "3 x 8 cores, 64 GiB", "--policy", "best-fit"};
        assertThat(Program.wide(policy).out())
                .contains("With the 3 that are there now: 1 request finds no place (1 x 8 vCPU / 64 GiB); if one fails,"
                        + " 2 requests find no place (");
    }

    /** A number has its noun. */
    @Test
    void howManyFindNoPlace() {
        assertThat(Program.wide("size", list, "--servers", "2 x 16 cores, 128 GiB")
                        .out())
                .contains("If one server fails, at worst 2 requests find no place on the others, if the largest are");
        assertThat(Program.wide("size", list, "--servers", "4 x 8 cores, 64 GiB")
                        .out())
                .contains("If one server fails, at worst 1 request finds no place on the others, if the largest are"
                        + " placed first: 1 x 8 vCPU / 64 GiB.");
    }

    /** Of four hosts two are lost. */
    @Test
    void theServersThatRemainAreNotTheOnesThatAreThere() {
        String[] words = {"recommend", list, "--servers", "4 x 16 cores, 128 GiB", "--spare", "2"};
        assertThat(Program.wide(words).out()).contains("All of it can run at once on the 2 servers that remain.");
        words[0] = "bound";
        assertThat(Program.wide(words).out()).contains("All of it can run at once on the 2 servers that remain.");
        words[5] = "0";
        assertThat(Program.wide(words).out()).contains("All of it can run at once on these 4 servers");
    }

    /** The engine keeps 4,096 different constraints at once: more servers do not help the requests with others. */
    @Test
    void moreRulesThanAPolicyKeepsAreRefused() throws IOException {
        StringBuilder rows = new StringBuilder("Name,vCPU,Memory GB,spread\n");
        for (int i = 0; i < 4097; i++) {
            rows.append("v").append(i).append(",1,1,g").append(i).append(":1\n");
        }
        Files.writeString(Path.of(list), rows);
        Program refused = Program.wide("size", list, "--servers", "64 cores, 64 GiB", "--policy", "best-fit");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("the requests have 4,097 different constraints (where, avoid, spread), and a policy keeps"
                        + " 4,096 at once: it rejects requests with others. Ask for a part of the list");
        assertThat(Program.wide("size", list, "--servers", "64 cores, 64 GiB").out())
                .contains(", wherever it runs today, if everything may be moved. ");
        Program noPlan = Program.wide("size", list, "--servers", "64 cores, 64 GiB", "--target", "waited <= 1 %");
        assertThat(noPlan.code()).isEqualTo(2);
        assertThat(noPlan.err())
                .contains("it rejects requests with others, and no plan of all at once is sought for this list, target"
                        + " and servers. Ask for a part of the list");
    }

    /** Of 4,097 wordings two mean the same. */
    @Test
    void aRuleInAnotherOrderIsTheSameRule() throws IOException {
        StringBuilder rows = new StringBuilder("Name,vCPU,Memory GB,spread\n");
        for (int i = 0; i < 4095; i++) {
            rows.append("v").append(i).append(",1,1,g").append(i).append(":1\n");
        }
        rows.append("a,1,1,x:1;y:1\nb,1,1,y:1;x:1\n");
        Files.writeString(Path.of(list), rows);
        Program placed = Program.wide("size", list, "--servers", "64 cores, 64 GiB", "--policy", "best-fit");
        assertThat(placed.code()).as(placed.err()).isZero();
        assertThat(placed.err()).doesNotContain("different constraints");
    }

    /** It is not a stream: what does not run has no place. */
    @Test
    void nothingIsSaidOfRejection() {
        String out = directory.resolve("out").toString();
        for (String[] more : new String[][] {{"--wide"}, {"--overwrite"}}) {
            Program run = Program.wide("run", list, "--servers", "4 x 16 cores, 128 GiB", "--out", out, more[0]);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).contains("without a place").doesNotContain("rejected");
        }
    }

    /** Of kinds alone, also of one host, it is not known how many cores there are. */
    @Test
    void kindsHaveNoSumOfCores() throws IOException {
        String host = Files.writeString(directory.resolve("host.csv"), "name,cores,memory_gb\nh1,16,128\n")
                .toString();
        assertThat(Program.wide("size", list, "--servers", host).out()).doesNotContain("vCPU together");
        assertThat(Program.wide("size", list, "--servers", "8 cores, 64 GiB + 16 cores, 128 GiB")
                        .out())
                .doesNotContain("vCPU together");
        assertThat(Program.wide("size", list, "--servers", "1 x 8 cores, 64 GiB + 2 x 9 cores, 128 GiB")
                        .out())
                .contains("all of it has 32 vCPU together, and these servers have 26 cores.");
    }
}
