package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.Program;
import dev.stowage.cli.text.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an inventory of three VMs, each of half a server, grows. */
final class SizeGrowthTest {
    @TempDir
    Path directory;

    @Test
    void whatToBuyIsAskedByYear() throws IOException {
        Program months = growth("--until", "18m", "--buy", "16 cores, 128 GiB");
        assertThat(months.code()).as(months.err()).isZero();
        assertThat(months.out())
                .containsPattern("(?m)^1 y +x 1.200 ")
                .containsPattern("(?m)^1 y 6 mo +x 1.315 ")
                .doesNotContainPattern("(?m)^2 y ");
        Program years = growth("--until", "24 months", "--buy", "16 cores, 128 GiB");
        assertThat(years.code()).as(years.err()).isZero();
        assertThat(years.out()).containsPattern("(?m)^2 y +x 1.440 ").doesNotContainPattern("(?m)^3 y ");
    }

    /** Years, and the end within the third: 3 x 1.2^2.75 = 4.95, so 5 VMs, for which three servers are needed. */
    @Test
    void aTableOfYearsHasItsEnd() throws IOException {
        assertThat(growth("--until", "13m").err())
                .contains("--until \"13m\" must end with a quarter of a year, as 15m or 18m do");
        assertThat(growth("--until", "33m").out())
                .containsPattern("(?m)^2 y +x 1.440 ")
                .doesNotContainPattern("(?m)^2 y 6 mo ")
                .containsPattern("(?m)^2 y 9 mo +x 1.651 +3 ")
                .contains(", until 2 years 9 months (load x 1.651): ", "1 within 1 year 9 months), ")
                .containsPattern("(?m)^2 y .* 1 y 9 mo: 1$");
    }

    /** One server of 24 cores, 256 GiB holds three. */
    @Test
    void whatTheServersOfTheAnswerCost() throws IOException {
        Path hosts = Files.writeString(directory.resolve("hosts.csv"), "host,cores,memory_gb,price\nh1,24,256,9000\n");
        String list = list();
        Program one = Program.wide("size", list, "--servers", hosts.toString());
        assertThat(one.out()).contains("By the prices of their list it costs 9,000.");
        assertThat(one.err()).contains("server list hosts.csv: read as: ").doesNotContain(directory + "/hosts.csv");
        String[] words = {"size", list, "--servers", "16 cores, 128 GiB", "--price", "9", "--spare", "0"};
        assertThat(Program.wide(words).out()).contains("is what whole servers cost.");
        words[7] = "1";
        assertThat(Program.wide(words).out()).contains("is what whole servers cost, with those to spare.");
    }

    /** One server of 24 cores holds three VMs of 8 vCPU and 64 GiB; two cannot be compared in two currencies. */
    @Test
    void pricesAreInOneCurrency() throws IOException {
        String[] buy = {
            "size", list(), "--buy", "24 cores, 256 GiB + 48 cores, 512 GiB", "--price", "9000 EUR,12000 USD"
        };
        Program two = Program.wide(buy);
        assertThat(two.code()).isEqualTo(2);
        assertThat(two.err()).contains("--price prices in EUR and USD cannot be compared: give all in one currency");
        Path offers = directory.resolve("offers.csv");
        Files.writeString(offers, "name,cores,memory_gb,price\nx,24,256,9000 EUR\ny,48,512,12000 USD\n");
        assertThat(Program.wide("size", list(), "--servers", "24 cores, 256 GiB", "--buy", offers.toString())
                        .err())
                .contains("--buy " + offers + ": column price: prices in EUR and USD cannot be compared");
        assertThat(Program.wide("size", list(), "--servers", offers.toString()).err())
                .contains("--servers " + offers + ": column price: prices in EUR and USD cannot be compared");
        buy[5] = "9000 EUR,12000 €";
        assertThat(Program.wide(buy).out())
                .contains("for 9,000 EUR in all")
                .containsPattern("(?m)^what else could be bought +buy +cost \\(EUR\\) +least$");
        buy[2] = "--servers";
        assertThat(Program.wide(buy).out()).contains("cost (EUR)");
        buy[5] = "9000 EUR,12000 USD";
        assertThat(Program.wide(buy).err()).contains("prices in EUR and USD");
        Path hosts = directory.resolve("hosts.csv");
        String[] file = {"size", list(), "--buy", hosts.toString()};
        Files.writeString(hosts, "Modell;Kerne;RAM (GB);Preis\nA;24;256;€ 9.000,00\nB;48;512;12000 USD\n");
        assertThat(Program.wide(file).err()).contains("column Preis: prices in EUR and USD cannot be compared");
        Files.writeString(hosts, "Modell;Kerne;RAM (GB);Preis (EUR)\nA;24;256;9.000,00\nB;48;512;12000\n");
        assertThat(Program.wide(file).out()).contains("for 9,000 EUR in all");
        assertThat(Program.wide("size", list(), "--servers", hosts.toString()).out())
                .contains("By the prices of their list it costs 12,000 EUR.");
        Files.writeString(hosts, "Modell;Kerne;RAM (GB);Preis;Währung\nA;24;256;9000;€\nB;48;512;12000;USD\n");
        assertThat(Program.wide(file).err()).contains("column Preis: prices in EUR and USD cannot be compared");
        Files.writeString(hosts, "Model;Cores;RAM (GB);Price Currency;Cost\nA;24;256;EUR;9000\nB;48;512;EUR;12000\n");
        assertThat(Program.wide(file).out()).contains("for 9,000 EUR in all");
        Files.writeString(hosts, "Modell;Kerne;RAM (GB);Preis\nA;24;256;9.000\nB;48;512;12.000\n");
        assertThat(Program.wide(file).err())
                .contains(
                        "Preis may be thousands or decimals; allowed: 9000 for thousands (or 9.000,0 in one row, by which"
                                + " the others are read), 9.0000 for decimals (likewise)");
        Files.writeString(hosts, "Modell;Kerne;RAM (GB);Preis\nA;24;256;9.000,0\nB;48;512;12.000\n");
        assertThat(Program.wide(file).out()).contains("for 9,000 in all");
        Files.writeString(hosts, "Modell;Kerne;RAM (GB);Preis\nA;24;256;9 k€\nB;48;512;12000\n");
        assertThat(Program.wide(file).err()).contains("Preis is not a price");
    }

    /** Each purchase is made when it is first needed: 3 VMs on two hosts, and from 1.75 years on on three. */
    @Test
    void costsAreSteps() throws IOException {
        Path page = directory.resolve("p.html");
        String[] words = {
            "size",
            list(),
            "--buy",
            "16 cores, 128 GiB",
            "--price",
            "10",
            "--growth",
            "20 %",
            "--report",
            page.toString()
        };
        assertThat(Program.wide(words).code()).isZero();
        assertThat(Files.readString(page))
                .contains(
                        "\"x\":[0,0.99997,1,1.74997,1.75,2.99997,3,3],\"y\":[2E+1,2E+1,2E+1,2E+1,3E+1,3E+1,3E+1,3E+1]")
                .contains("\"x\":[0,0.99997,1,1.99997,2,2.99997,3,3],\"y\":[2E+1,2E+1,2E+1,2E+1,3E+1,3E+1,3E+1,3E+1]");
    }

    /** Its currency is the one of the list, whichever word of a currency a column of prices is named by. */
    @Test
    void aColumnNamedByItsCurrencyHasPrices() throws IOException {
        Path hosts = Files.writeString(
                directory.resolve("hosts.csv"), "host,cores,memory_gb,buying (SEK)\na,24,256,9000\nb,24,256,9000\n");
        assertThat(Program.wide("size", list(), "--servers", hosts.toString()).out())
                .contains("By the prices of their list it costs 9,000 SEK.");
    }

    /** 1.02^12 = 1.268, and 1.268^2 = 1.608. */
    @Test
    void aRateOfAMonthIsCompounded() throws IOException {
        for (String rate : List.of("2 % / month", "2 % pro Monat", "2% monthly", "2 % p.m.", "2 percent a month")) {
            assertThat(Program.wide("size", list(), "--servers", "1 x 16 cores, 128 GiB", "--growth", rate)
                            .out())
                    .as(rate)
                    .containsPattern("(?m)^2 y +x 1.608 ")
                    .contains("a month is 26.8 % a year.");
        }
        String[] bought = {"size", list(), "--buy", "16 cores, 128 GiB", "--growth", "5 % / quarter"};
        assertThat(Program.wide(bought).out())
                .containsPattern("(?m)^1 y +x 1.216 ")
                .contains("5 % a quarter is 21.6 % a year.");
        bought[5] = "30 % a month";
        assertThat(Program.wide(bought).err()).contains("at most 1000 % a year");
    }

    private String twoSites() throws IOException {
        return Files.writeString(
                        directory.resolve("sites.csv"), "name,Datacenter,cores,memory_gb\na,A,32,128\nb,B,16,256\n")
                .toString();
    }

    private static final String NOW = "With the 2 that are there now: if all of A fails, 1 request finds no place (1 x"
            + " 30 vCPU / 8 GiB); if all of B fails, all of it runs on the others.";

    /** A VM of 30 cores fits the servers of one site only: one of these at the other, and with two such VMs two. */
    @Test
    void aKindMayComeToAnotherSite() throws IOException {
        String list = Files.writeString(directory.resolve("two.csv"), "VM,vCPU,RAM GB\nx,30,8\ny,1,1\n")
                .toString();
        String[] words = {"size", list, "--servers", twoSites(), "--spare-site=Datacenter"};
        assertThat(Program.wide(words).out())
                .contains(
                        "No policy needs fewer of these kinds, if all that is there stays, proven",
                        "keeps them and adds 1 x 32 vCPU, 128 GiB at B, the fewest of their kinds that were found. ",
                        NOW);
        assertThat(Program.wide(Stream.concat(Arrays.stream(words), Stream.of("--buy", "32 cores, 128 GiB"))
                                .toArray(String[]::new))
                        .out())
                .contains(NOW);
        String[] growing = Stream.concat(Arrays.stream(words), Stream.of("--growth", "20 %", "--until", "1y"))
                .toArray(String[]::new);
        assertThat(Program.wide(growing).out())
                .contains("Proven: no fewer are enough of these kinds, if all that is there is kept.")
                .containsPattern("(?m)^today +x 1.000 +3 +0 \\+ 1 +1 +")
                .contains("\"To buy\" is for A + B, servers of one kind: 32 vCPU, 128 GiB.\n");
    }

    /** The same where the list of servers comes again: of those of one site, no number bears the loss of the other. */
    @Test
    void whereNoNumberIsEnough() throws IOException {
        String list = Files.writeString(
                        directory.resolve("jobs.csv"),
                        "arrival_s,duration_s,cpu_milli,mem_mib\n0,100,30000,8192\n0,100,1000,1024\n")
                .toString();
        String[] words = {
            "size",
            list,
            "--servers",
            twoSites(),
            "--spare-site=Datacenter",
            "--target",
            "waited <= 0 %",
            "--policy",
            "best-fit:when-full=queue",
            "--growth",
            "20 %"
        };
        Program program = Program.wide(words);
        assertThat(program.code()).isEqualTo(3);
        assertThat(program.err()).contains("the target is not met by any policy for all of that time");
        assertThat(program.out())
                .contains("(load x 1.728): with best-fit:when-full=queue, no number that was tried is enough.\n")
                .containsPattern("(?m)^1 y +x 1.200 +- +0 +no number ")
                .doesNotContain("are enough", "Proven", "2,147,483,647");
        for (String format : List.of("json", "csv")) {
            String data = Program.wide(Stream.concat(Arrays.stream(words), Stream.of("--format", format))
                            .toArray(String[]::new))
                    .out();
            assertThat(data).contains(format.equals("json") ? "\"bound\" : [ null ]" : ",0,1.0,0,,,0,,A=0;B=0\n");
            assertThat(data).doesNotContain("2147483647");
        }
        Program now = Program.wide(Arrays.copyOf(words, words.length - 2));
        assertThat(now.code()).isEqualTo(3);
        assertThat(now.err()).contains("not met with ");
        assertThat(now.out()).containsPattern("(?m)^best-fit:when-full=queue +- +no number +-$");
    }

    /** An inventory is the same in each replication; of several kinds, too. */
    @Test
    void eachReplicationHasItsNumbers() throws IOException {
        for (String servers : List.of("1 x 16 cores, 128 GiB", "1 x 16 cores, 128 GiB + 1 x 8 cores, 64 GiB")) {
            String[] words = {
                "size", list(), "--servers", servers, "--growth", "20 %", "--format", "csv", "--replications", "2"
            };
            Program twice = Program.wide(words);
            assertThat(twice.code()).as(twice.err()).isZero();
            assertThat(twice.out()
                            .lines()
                            .filter(row -> row.matches("[^,]*,\\d+,[^,]*,1,.*"))
                            .map(row -> row.replaceFirst("^([^,]*,\\d+,[^,]*),1,", "$1,0,")))
                    .hasSize(13)
                    .containsExactlyElementsOf(twice.out()
                            .lines()
                            .filter(row -> row.matches("[^,]*,\\d+,[^,]*,0,.*"))
                            .toList());
        }
    }

    /** Fewer would do than are there, so what is proven holds only if all that is there is kept. */
    @Test
    void thePictureSaysOfWhatTheLeastIsProven() throws IOException {
        Path page = directory.resolve("p.html");
        Program mixed = Program.wide(
                "size",
                list(),
                "--servers",
                "1 x 16 cores, 128 GiB + 8 x 8 cores, 64 GiB",
                "--growth",
                "20 %",
                "--report",
                page.toString());
        assertThat(mixed.code()).as(mixed.err()).isZero();
        assertThat(Files.readString(page).replace('\u00a0', ' '))
                .contains("there then, proven: no fewer are enough of these kinds, if all that is there is kept")
                .doesNotContain("no policy needs fewer");
    }

    /** Each policy has its sentence. */
    @Test
    void eachPolicyIsNamed() throws IOException {
        assertThat(growth("--policy", "best-fit", "--policy", "first-fit").out())
                .contains(": with best-fit")
                .contains(". With first-fit")
                .doesNotContain("enough. \n");
    }

    /** Of db 1.6^2 = 2.56. */
    @Test
    void theLoadOfTypesThatGrowOtherwiseIsShown() throws IOException {
        String list = Files.writeString(
                        directory.resolve("types.csv"), "Name,Type,vCPU,Memory GB\na,db,8,64\nb,web,8,64\nc,web,8,64\n")
                .toString();
        String[] words = {"size", list, "--servers", "1 x 16 cores, 128 GiB", "--growth", "20 %, db 60 %"};
        assertThat(Program.wide(words).out()).contains("today  x 1.000  ").contains("2 y    x 1.440 (db x 2.560)  ");
    }

    /** A department is no type, unless its column is said to have the types. */
    @Test
    void aNameThatIsNoTypeIsFoundInItsColumn() throws IOException {
        String list = Files.writeString(
                        directory.resolve("departments.csv"),
                        "Name,Folder,Team,vCPU,Memory GB\na,Finance,x,8,64\nb,HR,Finance,8,64\n")
                .toString();
        String[] words = {"size", list, "--servers", "1 x 16 cores, 128 GiB", "--growth", "finance 40 %"};
        assertThat(Program.wide(words).err())
                .contains("--growth there is no type 'finance', but columns Folder, Team have it: use --columns"
                        + " \"type=Folder\"");
        String[] said = {
            "size", list, "--servers", "1 x 16 cores, 128 GiB", "--growth", "HR 40 %", "--columns", "type=Team,id=Name"
        };
        assertThat(Program.wide(said).err())
                .contains("but column Folder has it: use --columns \"id=Name,type=Folder\"");
        said[7] = "id=Name,type=Folder";
        assertThat(Program.wide(said).code()).isZero();
        words[5] = "Sales 40 %";
        assertThat(Program.wide(words).err()).contains("there is no type 'Sales' (a column can give the type");
    }

    /** Kinds at two sites: --buy is for each of them. */
    @Test
    void buyIsNamedWhereItCanBeUsed() throws IOException {
        String hosts = Files.writeString(
                        directory.resolve("sites.csv"),
                        "host,cores,memory_gb,gpus,dc\nh1,16,128,1,A\nh2,24,256,0,A\nh3,16,128,1,B\nh4,24,256,0,B\n")
                .toString();
        String page = directory.resolve("mixed.html").toString();
        String[] sites = {"size", list(), "--servers", hosts, "--spare-site=dc", "--growth", "20 %"};
        assertThat(Program.wide(sites).out())
                .contains("16 vCPU, 128 GiB, 1 GPU at A", "for other kinds, the same with --buy");
        String plain = Files.writeString(
                        directory.resolve("plain.csv"), "host,cores,memory_gb,dc\nh1,16,128,A\nh2,16,128,B\n")
                .toString();
        sites[3] = plain;
        sites[5] = "--buy";
        sites[6] = "16 cores, 128 GiB + 48 cores, 512 GiB";
        Program bought = Program.wide(sites);
        assertThat(bought.out())
                .as(bought.err())
                .contains("also with any one site lost")
                .contains(" at each site");
        sites[4] = "--server-columns=site=dc";
        assertThat(Program.wide(sites).err()).contains("these servers are at A, B: add --spare-site");
        String[] one = {"size", list(), "--servers", hosts, "--growth", "20 %"};
        assertThat(Program.wide(one).out()).contains("the same with --buy");
        Program mixed = Program.wide("size", list(), "--servers", hosts, "--report", page);
        assertThat(mixed.code()).as(mixed.err()).isZero();
        assertThat(Files.readString(Path.of(page))).contains("Resources in use").doesNotContain("for this alone");
        String gpus = Files.writeString(
                        directory.resolve("gpus.csv"),
                        "Name,vCPU,Memory GB,GPUs\na,8,64,1\nb,8,64,\nc,8,64,1\nd,8,64,1\n")
                .toString();
        assertThat(Program.wide("size", gpus, "--servers", hosts).out().replaceAll("\\s+", " "))
                .contains("it has too few GPUs for ");
    }

    /** Each word after a number was taken for a currency: 9 kEUR was 9. */
    @Test
    void aPriceMayHaveACurrencyAndNothingElse() {
        for (String price : List.of(
                "9", "9 EUR", "EUR 9", "9€", "$ 9", "9 euros", "9 Euro", "9 dollars", "dollar 9", "9 Franken")) {
            assertThat(SizeSettings.priceOf(List.of(price), 1)).as(price).containsExactly(9);
        }
        for (String price : List.of("9 kEUR", "9 TEUR", "9 mill", "9 eur", "9 k", "nine", "")) {
            assertThatThrownBy(() -> SizeSettings.priceOf(List.of(price), 1))
                    .as(price)
                    .isInstanceOf(BadInputException.class)
                    .hasMessage(
                            "--price \"" + price + "\" must be a number, such as 9000, alone or with a currency: a sign"
                                    + " (€), three capital letters (EUR), euros or dollars");
        }
    }

    /** Also with -q, which prints none of it: the page is for somebody who was not there. */
    @Test
    void thePageSaysHowItWasRead() throws IOException {
        Path hosts = Files.writeString(
                directory.resolve("hosts.csv"), "host,cores,memory_gb,cluster,rack\nh1,16,256,A,r1\nh2,16,256,B,r2\n");
        Path page = directory.resolve("p.html");
        Program read = Program.wide(
                "size",
                list(),
                "--servers",
                hosts.toString(),
                "--overcommit",
                "cpu 4:1, memory 1.1:1",
                "-q",
                "--report",
                page.toString());
        assertThat(read.code()).as(read.err()).isZero();
        String text = Files.readString(page).replace('\u00a0', ' ').replace("&#39;", "'");
        assertThat(text)
                .containsPattern(
                        "<p class=\"answer\">.*</p>\\n<p class=\"note\">Server list .*hosts.csv: cluster is ignored,"
                                + " .*rightly\\.</p>");
        assertThat(text.substring(text.indexOf("<dl"), text.indexOf("</dl>")))
                .contains(
                        "<dd>2 rows read, 2 used (2 items), 0 not counted, 0 bad</dd><dd>Read as: cpu = cores in cores",
                        "<dd>Warning: cluster is ignored, any request may run on any server ('stowage size <span",
                        " answers for each): A 1, B 1</dd><dd>Columns not used: rack</dd><dd>cpu overcommitted 4:1,"
                                + " memory overcommitted 1.1:1; so a server of the first kind holds 64 vCPU on 16 cores, 281.6"
                                + " of 256 GiB memory</dd>")
                .containsPattern(
                        "<dt>Reading</dt><dd>vms.csv: .* bad</dd><dd>An inventory, because .* an end</dd><dd>Read as: cpu = ")
                .doesNotContain("as an option");
    }

    /** What servers lack is a mistake of their list; the trace may be right. */
    @Test
    void aListOfServersWithoutMemoryIsNamed() throws IOException {
        Path hosts = Files.writeString(directory.resolve("hosts.csv"), "host,cores\nh1,16\n");
        assertThat(Program.wide("size", list(), "--servers", hosts.toString()).err())
                .contains("  --servers " + hosts
                        + ": requests demand memory, which no server has; the servers have CPU. ");
        assertThat(Program.wide("size", list(), "--servers", "2 x 16 cores").err())
                .contains("  --servers: requests demand memory, which no server has; ");
        assertThat(Program.wide("size", list(), "--servers", "2 x 16 cores, 256 GiB", "--overcommit", "cpu 1:1")
                        .err())
                .contains("servers: cpu overcommitted 1:1\n");
    }

    @Test
    void blanksAreAllowedAroundThePercentSignAndItsWord() throws IOException {
        String[] words = {
            "size", list(), "--servers", "1 x 16 cores, 128 GiB", "--growth", "20 percent , 8 vCPU / 64 GiB 30 %"
        };
        Program word = Program.wide(words);
        words[5] = "20 %, 8 vCPU / 64 GiB 30 %";
        assertThat(word.code()).as(word.err()).isZero();
        assertThat(word.out()).isEqualTo(Program.wide(words).out());
    }

    private String list() throws IOException {
        return Files.writeString(directory.resolve("vms.csv"), "Name,vCPU,Memory GB\na,8,64\nb,8,64\nc,8,64\n")
                .toString();
    }

    @Test
    void datesThatAreNotProvenAreSaidOnce() {
        assertThat(BuyOverview.perhapsLater(List.of())).isEmpty();
        assertThat(BuyOverview.perhapsLater(List.of(0.0, 0.25)))
                .isEqualTo(
                        " It is not proven that these purchases are all needed so early: today, within 3 months. Some"
                                + " may wait.");
    }

    /** What a bound leaves out is said where it is below the answer; of one kind there is no mix. */
    @Test
    void aBoundSaysWhatItDoesNotCount() throws IOException {
        Path list = directory.resolve("ten.csv");
        StringBuilder rows = new StringBuilder("Name,vCPU,RAM GB\n");
        IntStream.range(0, 10).forEach(i -> rows.append("v").append(i).append(",10,8\n"));
        Files.writeString(list, rows);
        String uncounted =
                "The bound may be too low: it does not count all the room that must be free for a lost server.";
        String[] two = {
            "size", list.toString(), "--buy", "32 cores, 256 GiB + 16 cores, 512 GiB", "--price", "9,8", "--spare", "1"
        };
        assertThat(Program.wide(two).out())
                .contains("Proven: no way costs less than ", uncounted, "\nthe cheapest mix ");
        Path hosts = directory.resolve("north.csv");
        Files.writeString(hosts, "Host,Cores,RAM GB,Site\na,32,256,N\nb,32,256,S\n");
        String[] sites = {
            "size",
            list.toString(),
            "--servers",
            hosts.toString(),
            "--buy",
            "32 cores, 256 GiB",
            "--price",
            "9",
            "--spare-site=Site"
        };
        assertThat(Program.wide(sites).out())
                .contains("at each site", "\nno present server kept ")
                .doesNotContain("the cheapest mix", uncounted);
    }

    private Program growth(String... options) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("size", list(), "--servers", "1 x 16 cores, 128 GiB", "--growth", "20 %"));
        words.addAll(List.of(options));
        return Program.wide(words.toArray(String[]::new));
    }

    /** How a catalogue was read is said once, though without --servers it is also the list of servers. */
    @Test
    void theCatalogueIsReadOnce() throws IOException {
        Path list = Files.writeString(directory.resolve("vms.csv"), "Name,vCPU,Memory GB\na,8,64\nb,8,64\n");
        Path offers = Files.writeString(directory.resolve("c.csv"), "name,cores,memory_gb,price\nR,16,128,9000\n");
        Program program = Program.wide("size", list.toString(), "--buy", offers.toString());
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.err().split("server list c.csv: read as", -1)).hasSize(2);
    }
}
