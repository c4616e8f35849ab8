package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One question for each cluster of a list. */
final class SizeByClusterTest {
    @TempDir
    private Path directory;

    private final List<String> words = new ArrayList<>();

    @BeforeEach
    void twoClusters() throws IOException {
        Path vms = directory.resolve("vms.csv");
        Files.writeString(
                vms, "Name,vCPU,RAM GB,Cluster\na,8,32,\"one, big\"\nb,8,32,\"one, big\"\nc,4,16,two:2\nd,40,16,\n");
        Path hosts = directory.resolve("hosts.csv");
        Files.writeString(
                hosts, "Host,Cores,RAM GB,Cluster\nx,16,128,\"one, big\"\ny,16,128,two:2\nz,16,128,\nw,16,128,idle\n");
        words.addAll(List.of("size", vms.toString(), "--servers", hosts.toString(), "--by-cluster"));
    }

    private Program with(String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return Program.wide(all.toArray(String[]::new));
    }

    /** A cluster with a comma in its name, one with a colon, VMs in none that fit no server, and an idle one. */
    @Test
    void eachClusterHasItsOwnAnswer() {
        Program found = with("-q");
        assertThat(found.code()).as("a VM fits no server").isEqualTo(3);
        assertThat(found.out())
                .containsPattern("one, big +1 +1 +1 +CPU")
                .containsPattern("two:2 +1 +1 +1 +CPU")
                .contains("Nothing runs in: idle (1 row)")
                .contains("\n== Cluster two:2 ==\n");
        assertThat(found.err()).contains("in (none)");
    }

    @Test
    void amountsOfOneClusterAreAskedForIt() {
        assertThat(with("--overcommit", "two cpu 4:1, cpu 2:1").err())
                .contains("is not a resource of the servers")
                .contains(
                        "without --by-cluster: --columns \"only=Cluster:NAME\" --server-columns \"only=Cluster:NAME\"");
    }

    @Test
    void forMachinesToo() throws IOException {
        JsonNode json =
                new ObjectMapper().readTree(with("-q", "--format", "json").out());
        assertThat(json.properties().stream().map(each -> each.getKey()).toList())
                .containsExactly("(none)", "one, big", "two:2");
        assertThat(json.get("two:2").get(0).get("byReplication").get(0).intValue())
                .isEqualTo(1);
        assertThat(with("-q", "--format", "csv").out())
                .startsWith("cluster,policy,sample")
                .contains("\n\"one, big\",plan,given,0,1,1,0,,\n");
    }

    @Test
    void eachHasAPage() throws IOException {
        Path page = directory.resolve("answer.html");
        with("-q", "--spare", "1", "--report", page.toString());
        assertThat(Files.readString(page))
                .contains(
                        "Each Cluster for itself",
                        "on its own servers, for all of it to run, also with any server lost.",
                        "two:2: On these 2 the requests use 4",
                        "If 2 servers fail at the same time, ",
                        "<dt>Target</dt><dd>all of it to run, also with any server lost</dd>",
                        "Read as: cpu = vCPU in cores (guessed)",
                        "The page of each: ",
                        "<a href=\"answer-one_big.html\">one, big</a>, <a href=\"answer-two_2.html\">two:2</a>");
        assertThat(Files.readString(directory.resolve("answer-two_2.html")))
                .containsPattern("<h1>How many servers for [^<]+, two[^<]2</h1>");
        assertThat(directory.resolve("answer-one_big.html")).exists();
    }

    /** Also of growth: how many VMs stop if none and one of the servers that are there fails. */
    @Test
    void thePageSaysWhatStopsInEach() throws IOException {
        Path page = directory.resolve("answer.html");
        of(
                "Name,vCPU,RAM GB,Cluster\na,8,64,A\nb,8,64,A\nc,8,128,A\nd,8,64,B\n",
                "Host,Cores,RAM GB,Cluster\nx,16,128,A\ny,16,128,A\nz,16,128,B\n",
                "-q",
                "--growth",
                "10 %",
                "--report",
                page.toString());
        assertThat(Files.readString(page))
                .contains("<h2>What stops when servers fail</h2>")
                .containsPattern("A</th><td[^>]*>0</td>\\s*<td[^>]*>2</td>")
                .containsPattern("B</th><td[^>]*>0</td>\\s*<td[^>]*>all</td>")
                .doesNotContain("2 fail");
    }

    /** What is proven of all is the sum; the page says what was asked, and which rows are not part of the answer. */
    @Test
    void thePageSaysHowSureItIs() throws IOException {
        Path page = directory.resolve("answer.html");
        Path offers = directory.resolve("offers.csv");
        Files.writeString(offers, "name,cores,memory_gb,price\nL,40,128,1000 EUR\n");
        String vms = "Name,vCPU,RAM GB,Cluster,Powerstate\na,16,64,A,poweredOn\nb,16,64,A,poweredOn\n"
                + "c,16,64,A,poweredOff\nd,16,64,B,poweredOn\ne,16,64,B,poweredOff\n";
        String hosts = "Host,Cores,RAM GB,Cluster,in Maintenance Mode\nx,16,128,A,False\ny,16,128,B,False\n"
                + "z,16,128,B,True\n";
        Program bought = of(
                vms,
                hosts,
                "-q",
                "--reserve",
                "memory 10 %",
                "--growth",
                "100 %",
                "--until",
                "1y",
                "--buy",
                offers.toString(),
                "--report",
                page.toString());
        String proven = "Proven of all together, on the conditions that each answer names: no way costs less than"
                + " 4,000 EUR.";
        assertThat(bought.out())
                .contains(proven)
                .containsPattern("least \\(EUR\\)")
                .containsPattern("together +2 .* 4,000 +4,000\n");
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .contains(
                        "<h1>Which servers to buy for each Cluster</h1>",
                        proven,
                        "<p class=\"note\">Of the input 3 rows are not counted: 2: not powered on (Powerstate); 1 of the"
                                + " servers: down, drained or in maintenance (in Maintenance Mode), in B. What some"
                                + " columns mean is guessed: ",
                        "Asked with growth &quot;100 %&quot; for 1 year; 10 % of the memory reserved.");
        assertThat(of(vms, hosts, "-q").out()).contains("each answer names: fewer than 3 servers are not enough.");
        assertThat(of(vms, hosts, "-q", "--growth", "100 %", "--until", "1y").out())
                .contains("each answer names: fewer than 4 more servers are not enough.")
                .containsPattern("to buy +least to buy");
    }

    private Program of(String vms, String hosts, String... more) throws IOException {
        Files.writeString(directory.resolve("vms.csv"), vms);
        Files.writeString(directory.resolve("hosts.csv"), hosts);
        return with(more);
    }

    /** A sum of which one part is not known is not known either; prices are not left out of it. */
    @Test
    void nothingIsLeftOutOfASum() throws IOException {
        String hosts = "Host,Cores,RAM GB,Cluster\nx,16,128,big\ny,16,128,small\n";
        Program unknown =
                of("Name,vCPU,RAM GB,Cluster\na,40,32,big\nb,8,32,small\n", hosts, "-q", "--trace-format", "own");
        assertThat(unknown.code()).isEqualTo(3);
        assertThat(unknown.out()).containsPattern("together +2 +- +");
        Path offers = directory.resolve("offers.csv");
        Files.writeString(offers, "name,cores,memory_gb,price\nL,40,64,1000.5\nS,16,64,800\n");
        Program bought = of(
                "Name,vCPU,RAM GB,Cluster\na,40,32,big\nb,16,32,small\nc,16,32,small\n",
                hosts,
                "-q",
                "--buy",
                offers.toString());
        assertThat(bought.out())
                .containsPattern("big .*1,000\\.50")
                .containsPattern("together +2  1 x [LS] \\+ 1 x [LS] +1,800\\.50");
        Program growing = with("-q", "--buy", offers.toString(), "--growth", "50 %", "--until", "2y");
        assertThat(growing.out())
                .containsPattern("to buy +first needed by +buy today +in year 1 +in year 2 +cost")
                .containsPattern("small .* today +1 ")
                .contains(" The first servers to buy are needed today, for big, small.")
                .containsPattern("(?m)^cost of these +2,001 +1,000\\.50 +2,001 *$");
        assertThat(with("-q", "--buy", "40 cores, 64 GiB", "--growth", "50 %", "--until", "2y")
                        .out())
                .containsPattern("together +2 ")
                .doesNotContain("cost of these");
        assertThat(with("-q", "--buy", offers.toString(), "--growth", "50 %", "--until", "2y", "--format", "csv")
                        .out()
                        .lines()
                        .filter(line -> line.contains(",0.0,") && !line.endsWith(","))
                        .filter(line -> line.matches("[^,]+,[^,]+,[^,]+,[^,]+,0,0,.*")))
                .isEmpty();
    }

    /** A cluster without an answer is said by its name, and is no success. */
    @Test
    void aClusterWithoutAnAnswerIsNoSuccess() throws IOException {
        String vms = "Name,vCPU,RAM GB,Powerstate,Cluster\na,8,32,poweredOn,good\nb,many,32,poweredOn,off\n";
        String hosts = "Host,Cores,RAM GB,Cluster\nx,16,128,good\ny,16,128,off\nz,16,128,idle\n";
        Program table = of(vms, hosts, "-q");
        assertThat(table.code()).isEqualTo(2);
        assertThat(table.err()).contains("warning: off: no answer: ", "no answer for off");
        assertThat(table.out()).contains("Nothing runs in: idle");
        Program json = with("-q", "--format", "json");
        assertThat(json.code()).isEqualTo(2);
        JsonNode tree = new ObjectMapper().readTree(json.out());
        assertThat(tree.get("off").get("problem").asText()).isNotEmpty();
        assertThat(json.err()).contains("warning: off: no answer: ", "warning: Nothing runs in: idle (1 row)");
        Program csv = with("-q", "--format", "csv");
        assertThat(csv.code()).isEqualTo(2);
        assertThat(csv.err()).contains("warning: off: no answer: ");
    }

    @Test
    void withNoClusterInBothListsThereIsNoAnswer() throws IOException {
        Program found = of("Name,vCPU,RAM GB,Cluster\na,8,32,prod\n", "Host,Cores,RAM GB,Cluster\nx,16,128,zzz\n");
        assertThat(found.code()).isEqualTo(2);
        assertThat(found.err()).contains("no Cluster is in both lists", "prod (1 row)", "zzz (1 row)");
        assertThat(found.out()).isEmpty();
    }

    /** What is said of some is said once, with their names; so is what is said of each. */
    @Test
    void eachNoteIsSaidOnce() {
        assertThat(with().err())
                .contains("one, big: vms.csv: 2 rows read", "(none), two:2: vms.csv: 1 row read")
                .containsOnlyOnce(": read as: cpu = vCPU")
                .contains("\neach: read as: cpu = vCPU");
    }

    /** Names of which pages would have the same file. */
    @Test
    void pagesDoNotReplaceEachOther() throws IOException {
        Path page = directory.resolve("answer.html");
        of(
                "Name,vCPU,RAM GB,Cluster\na,8,32,A/B\nb,8,32,A B\nc,8,32,a B\n",
                "Host,Cores,RAM GB,Cluster\nx,16,128,A/B\ny,16,128,A B\nz,16,128,a B\n",
                "-q",
                "--report",
                page.toString());
        assertThat(directory.resolve("answer-A_B.html")).exists();
        assertThat(directory.resolve("answer-A_B-2.html")).exists();
        assertThat(directory.resolve("answer-a_B-3.html")).exists();
    }

    /** A asks for more vCPU than its hosts have cores. */
    @Test
    void thePageBeginsWithTheWarningsOfEach() throws IOException {
        Path page = directory.resolve("answer.html");
        of(
                "Name,vCPU,RAM GB,Cluster\na,16,32,A\na2,16,32,A\na3,8,32,A\nb,8,32,B\n",
                "Host,Cores,RAM GB,Cluster\nx,16,128,A\nx2,16,128,A\ny,16,128,B\n",
                "-q",
                "--report",
                page.toString());
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .containsOnlyOnce("<p class=\"note\">")
                .contains("<p class=\"note\">A: all of it has 40 vCPU together, and these servers have 32 cores.");
    }

    /** What one cluster lacks does not concern it; what none has is a mistake, said once. */
    @Test
    void whatAClusterLacksDoesNotConcernIt() throws IOException {
        String vms = "Name,type,vCPU,RAM GB,Cluster\na,db,8,32,prod\nb,web,8,32,prod\nc,DEV,8,32,test\n";
        String hosts = "Host,Cores,RAM GB,Cluster,Datacenter\nx,16,128,prod,N\ny,16,128,prod,S\nz,16,128,test,N\n";
        Program names = of(vms, hosts, "-q", "--growth", "15 %, DEV 30 %", "--until", "1y");
        assertThat(names.code()).as(names.err()).isZero();
        assertThat(names.out())
                .containsOnlyOnce("The growth of DEV does not concern prod, where no row has that name.")
                .contains("DEV x 1.300")
                .containsPattern("together +3 +2 +3 +0")
                .doesNotContain("counts all sites");
        assertThat(of(vms, hosts, "-q", "--growth", "DEF 30 %").err())
                .containsOnlyOnce("there is no type 'DEF'; did you mean 'DEV'?");
        Program sites = of(vms, hosts, "-q", "--spare-site=Datacenter");
        assertThat(sites.code()).as(sites.err()).isZero();
        assertThat(sites.out())
                .contains(
                        "for all of it to run, also with any one site lost (prod), for all of it to run (test). No site"
                                + " is spared for test: all servers of it are at one.")
                .containsOnlyOnce("Each row counts all sites of its cluster; together counts those of all: N, S.")
                .contains("also with any one site lost. ");
        assertThat(of(vms, hosts.replace(",S", ",N"), "-q", "--spare-site=Datacenter")
                        .err())
                .containsOnlyOnce("all servers are at one site, N: without it nothing is left")
                .doesNotContain("--spare-site=COLUMN");
        Program apart =
                of(vms, hosts.replace("prod,S", "prod,N").replace("test,N", "test,S"), "-q", "--spare-site=Datacenter");
        assertThat(apart.code()).as(apart.err()).isZero();
        assertThat(apart.out())
                .containsOnlyOnce("for all of it to run. No site is spared for prod, test: all servers of each are at"
                        + " one. Whether one site takes over what runs at another: ask without --by-cluster");
        assertThat(of(vms, hosts, "-q", "--buy", "1 x nothing").err()).containsOnlyOnce("--buy");
        String empty = hosts.replace("test,N", "test,");
        assertThat(of(vms, empty, "-q", "--spare-site=Datacenter").out())
                .contains("(test). No site is spared for test: nothing says at which site the servers are.")
                .containsOnlyOnce("together counts those of all: N, S.")
                .containsPattern("test +1 +1 ")
                .contains("also with any one site lost. ");
        assertThat(of(vms, empty.replaceAll("prod,[NS]", "prod,"), "-q", "--spare-site=Datacenter")
                        .err())
                .containsOnlyOnce("no server has anything in column Datacenter");
        assertThat(of(vms, hosts.replace("prod,S", "prod,"), "-q", "--spare-site=Datacenter")
                        .err())
                .contains("1 server has nothing in column Datacenter");
    }

    /** Without an answer a cluster is named beside what the others need, and has the servers that are there. */
    @Test
    void aClusterWithoutAnAnswerIsSaidFirst() throws IOException {
        Program found = of(
                "Name,vCPU,RAM GB,Cluster\na,8,32,mixed\nb,16,32,one\n",
                "Host,Cores,RAM GB,Cluster\nx,16,128,mixed\ny,32,256,mixed\nz,16,128,one\n",
                "-q",
                "--growth",
                "20 %",
                "--until",
                "1y",
                "--explain");
        assertThat(found.code()).isEqualTo(2);
        assertThat(found.out().replaceAll("\\s+", " "))
                .contains(" needed within 3 months, for one. No answer was found for mixed. cluster");
        assertThat(found.out()).containsPattern("\nmixed +2 +- +- ").containsPattern("\ntogether +3 +- ");
    }

    /** Sites differ by cluster. */
    @Test
    void allRowsHaveTheSameColumns() throws IOException {
        String vms = "Name,vCPU,RAM GB,Cluster\na,8,32,prod\nb,8,32,prod\nc,8,32,test\nd,8,32,test\ne,8,32,one\n";
        String hosts = "Host,Cores,RAM GB,Cluster,Datacenter\nx,8,128,prod,N\ny,8,128,prod,S\nz,8,128,test,E\n"
                + "w,8,128,test,W\nv,8,128,one,N\n";
        Program found =
                of(vms, hosts, "-q", "--spare-site=Datacenter", "--growth", "0 %", "--until", "1y", "--format", "csv");
        List<String> lines = found.out().lines().toList();
        assertThat(lines.get(0)).endsWith(",buy,decides,buy by site");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("test,") && line.endsWith(",E=1;W=1"))
                .anyMatch(line -> line.startsWith("one,") && line.endsWith(","))
                .allMatch(line -> line.split(",", -1).length == lines.get(0).split(",", -1).length);
    }

    /** The cluster with less room buys first, and the sentence on top says when and which. */
    @Test
    void theFirstPurchaseIsSaidFirst() throws IOException {
        StringBuilder vms = new StringBuilder("Name,vCPU,RAM GB,Cluster\n");
        for (int i = 0; i < 10; i++) {
            for (String cluster : List.of("prod", "test", "idle")) {
                vms.append(cluster + i + ",1,4," + cluster + "\n");
            }
        }
        String hosts = "Host,Cores,RAM GB,Cluster\nx,11,64,prod\ny,12,64,test\nz,64,256,idle\n";
        Program needed = of(vms.toString(), hosts, "-q", "--growth", "20 %", "--until", "2y");
        assertThat(needed.out().replaceAll("\\s+", " "))
                .contains("for all of it to run. The first servers to buy are needed within 9 months, for prod.");
        assertThat(needed.out())
                .containsPattern("\nidle .* 0 +- ")
                .containsPattern("\nprod .* 1 +9 mo ")
                .containsPattern("\ntest .* 1 +1 y 3 mo ");
        Program bought = with("-q", "--growth", "20 %", "--until", "2y", "--buy", "12 cores, 64 GiB");
        assertThat(bought.out().replaceAll("\\s+", " "))
                .contains("for all of it to run. The first servers to buy are needed within 9 months, for prod.")
                .doesNotContain("not proven", "No answer")
                .contains("1 server in all, the fewest, as no prices are given, if everything may be moved, needed"
                        + " within 1 year 3 months.");
        assertThat(bought.out()).containsPattern("\nidle .* - +- +0 ").containsPattern("\nprod .* 9 mo +0 ");
    }

    /** Of servers of two sizes, all kept, as few are needed today as without growth. */
    @Test
    void neededTodayIsWhatIsNeeded() throws IOException {
        String vms = "Name,vCPU,RAM GB,Cluster\na,8,32,prod\nb,8,32,prod\n";
        String hosts = "Host,Cores,RAM GB,Cluster\nx,16,128,prod\ny,32,256,prod\n";
        assertThat(of(vms, hosts, "-q").out()).containsPattern("prod +2 +1 ");
        assertThat(with("-q", "--growth", "0 %", "--until", "1y").out())
                .containsPattern("first needed by +decided in 1 y by\\n(.*\\n)+prod +2 +1 +1 +0 +0 +- ");
    }

    /** What is there is kept, so what is there and what is bought is what is needed at the end. */
    @Test
    void neededAndToBuyAgree() throws IOException {
        String vms = "Name,vCPU,RAM GB,Cluster\na,32,32,prod\nb,32,32,prod\n";
        String hosts = "Host,Cores,RAM GB,Cluster\nx,16,128,prod\ny,32,256,prod\n";
        assertThat(of(vms, hosts, "-q", "--growth", "0 %", "--until", "1y").out())
                .containsPattern("prod +2 +3 +3 +1 ");
    }

    /** A name that differs in a letter's case is said, as it may be meant. */
    @Test
    void aClusterThatIsSpelledOtherwiseIsSaid() throws IOException {
        Program found = of(
                "Name,vCPU,RAM GB,Cluster\na,8,32,PROD-1\nb,8,32,Prod-1\n",
                "Host,Cores,RAM GB,Cluster\nx,16,128,PROD-1\n",
                "-q");
        assertThat(found.out().replaceAll("\\s+", " ")).contains("Prod-1 (1 row; did you mean PROD-1?)");
    }

    /** What is needed at the end of a load that shrinks is not what is there. */
    @Test
    void whatIsNeededAtTheEndIsNotWhatIsThere() throws IOException {
        Program found = of(
                "Name,vCPU,RAM GB,Cluster\na,8,32,prod\nb,8,32,prod\n",
                "Host,Cores,RAM GB,Cluster\nx,16,128,prod\ny,16,128,prod\nz,16,128,prod\n",
                "-q",
                "--growth",
                "-50 %",
                "--until",
                "1y");
        assertThat(found.out()).containsPattern("prod +3 +1 +1 +0 ");
    }

    /** With servers of several kinds, all kept, data have those that are there, as the table has. */
    @Test
    void dataOfGrowthSayWhatTheTableSays() throws IOException {
        words.remove("--by-cluster");
        String vms = "Name,vCPU,RAM GB\na,8,32\nb,8,32\n";
        String hosts = "Host,Cores,RAM GB\nx,16,128\ny,32,256\n";
        assertThat(of(vms, hosts, "-q", "--growth", "0 %", "--until", "1y").out())
                .containsPattern("1 y +x 1.000 +2 ");
        JsonNode json = new ObjectMapper()
                .readTree(with("-q", "--growth", "0 %", "--until", "1y", "--format", "json")
                        .out());
        assertThat(json.findValues("servers"))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.toString()).isEqualTo("[2]"));
    }

    /** Names of clusters and columns are taken as they are; lists may spell the column in different cases. */
    @Test
    void namesOfClustersAreTakenAsTheyAre() throws IOException {
        Program found = of(
                "Name,vCPU,RAM GB,CLUSTER\na,8,32,A  B\nb,8,32,\"one, b=2\"\n",
                "Host,Cores,RAM GB,cluster\nx,16,128,A  B\ny,16,128,\"one, b=2\"\n",
                "-q");
        assertThat(found.err()).isEmpty();
        assertThat(found.out()).containsPattern("A  B +1 +1 ").containsPattern("one, b=2 +1 +1 ");
    }

    /** Of rows that are not counted no cluster is made; a choice of rows by --columns holds as well. */
    @Test
    void whatIsNotCountedMakesNoCluster() throws IOException {
        String hosts = "Host,Cores,RAM GB,Cluster\nx,16,128,prod\ny,16,128,off\n";
        String vms = "Name,vCPU,RAM GB,Powerstate,Cluster\na,8,32,poweredOn,prod\nb,8,32,poweredOff,off\n"
                + "Total,16,64,,\n";
        Program found = of(vms, hosts, "-q");
        assertThat(found.code()).isZero();
        assertThat(found.out())
                .containsPattern("prod +1 +1 ")
                .contains("Nothing runs in: off (1 row)")
                .doesNotContain("(none)");
        Program chosen = with("-q", "--columns", "only=Powerstate:poweredOn");
        assertThat(chosen.err()).isEmpty();
        assertThat(chosen.out()).isEqualTo(found.out());
    }

    @Test
    void anotherFormatIsRefused() {
        Program found = with("--trace-format", "alibaba-openb");
        assertThat(found.code()).isEqualTo(2);
        assertThat(found.err()).contains("cannot be combined with --trace-format alibaba-openb");
    }

    /** Where policies are compared, what is said of one has its name. */
    @Test
    void ofSeveralPoliciesEachIsNamed() throws IOException {
        String[] two = {"-q", "--policy", "first-fit,best-fit", "--target", "rejected <= 0 %"};
        Program found = of(
                "Name,vCPU,RAM GB,Cluster\na,8,32,prod\nb,12,32,prod\n",
                "Host,Cores,RAM GB,Cluster\nx,16,128,prod\ny,16,128,prod\n",
                two);
        assertThat(found.out()).containsPattern("cluster +policy +servers now").containsPattern("prod +first-fit +2");
        words.remove("--by-cluster");
        words.addAll(List.of(two));
        assertThat(with("--grow").out()).contains("Under first-fit, at ");
        assertThat(with("--growth", "50 %", "--until", "1y", "--explain").out())
                .contains("first-fit: Today, why not ", "best-fit: Today, why not ");
    }
}
