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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When to order what is on offer: two VMs fill two hosts, and need a third in a quarter if they double in a year. */
final class OrderDatesTest {
    @TempDir
    private Path directory;

    private Program buy(String offers, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "size",
                write("vms.csv", "Name,vCPU,RAM\na,30,200 GiB\nb,30,200 GiB\n"),
                "--servers",
                write("hosts.csv", "Host,Cores,RAM\nh1,32,256 GiB\nh2,32,256 GiB\n"),
                "--buy",
                write("offers.csv", offers)));
        words.addAll(List.of(more));
        return Program.wide(words.toArray(String[]::new));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    /** A quarter has 91 days: 13 weeks less 8 are 5. */
    /** Two VMs that grow by a fifth in a year are three: 150 %, as the answer without --buy says. */
    @Test
    void thatMoreGrowsThanWasAskedIsSaid() throws IOException {
        assertThat(buy("Model,Cores,RAM,Price\nR650,32,256 GiB,9000\n", "--growth", "20 %", "--until", "1y")
                        .out())
                .contains(
                        "Requests are whole, so at the end there is more than was asked: 3 requests in place of 2, with"
                                + " 90 vCPU (150.0 % of today's), 600 GiB (150.0 % of today's). Asked is 120.0 % of today's CPU"
                                + " and 120.0 % of today's memory.");
    }

    @Test
    void thereIsTimeLeft() throws IOException {
        String offers = "Model,Cores,RAM,Price,Lead time (weeks)\nX,64,1024 GiB,100,8\n";
        assertThat(buy(offers, "--growth", "100 %", "--until", "1y").out())
                .contains("needed within 3 months: order within 5 weeks (8 weeks to deliver). Proven")
                .containsPattern("first needed by +order by\n")
                .containsPattern("1 y .* 3 mo +5 wk\n");
        JsonNode data = new ObjectMapper()
                .readTree(buy(offers, "--growth", "100 %", "--until", "1y", "--format", "json")
                        .out());
        assertThat(data.get("leadTimeDays")).hasToString("[56]");
        assertThat(data.get("orderByDays").toString()).isEqualTo("[[null,35]]");
    }

    @Test
    void itIsTooLate() throws IOException {
        assertThat(buy(
                                "Modell;Kerne;RAM GB;Preis;Lieferzeit\nX;64;1024;100;14-16 Wochen\n",
                                "--growth",
                                "100 %",
                                "--until",
                                "1y")
                        .out())
                .contains("needed within 3 months: order now; delivery is 3 weeks late. Proven")
                .containsPattern("3 mo +now, 3 wk late\n");
    }

    /** Today's in stock; what a quarter later needs must be ordered before that is too late. */
    @Test
    void theEarliestOrderIsOfALaterPurchase() throws IOException {
        assertThat(buy(
                                "Model,Cores,RAM,Price,Delivery time\nX,64,1024 GiB,100,in stock\nY,128,1024 GiB,150,210 d\n",
                                "--growth",
                                "300 %",
                                "--until",
                                "1y",
                                "--spare",
                                "1")
                        .out())
                .contains("the first needed today: order now. Proven")
                .contains("For those needed within 3 months: order now; delivery is 17 weeks late.");
    }

    /** A year has 365.25 days, and a month a twelfth of these, so that 31 are read from 1 month. */
    @ParameterizedTest
    @CsvSource({
        "in stock,order now; in stock",
        "1 month,order now; delivery takes 1 month",
        "2 Monate,order now; delivery takes 2 months",
        "12 months,order now; delivery takes 1 year",
        "30 d,order now; delivery takes 30 days",
        "5 weeks,order now; delivery takes 5 weeks",
        "1 d,order now; delivery takes 1 day"
    })
    void howLongItTakes(String lead, String said) throws IOException {
        assertThat(buy("Model,Cores,RAM,Price,Lead time\nX,64,1024 GiB,100," + lead + "\n", "--spare", "1")
                        .out())
                .contains(": " + said + ". Proven");
    }

    /** 50 x 1.12^2.25 are more than 64, and 50 x 1.12^2 are not; 2 years 3 months less 31 days is almost 2 more. */
    @Test
    void aSingleMonth() throws IOException {
        String[] words = {
            "size",
            write("vms.csv", "Name,vCPU,RAM\n" + "a,1,1 GiB\n".repeat(50)),
            "--servers",
            "64 x 1 core, 8 GiB",
            "--growth",
            "12 %",
            "--buy",
            write("offers.csv", "Model,Cores,RAM,Price,Lead time\nX,64,1024 GiB,100,1 month\n")
        };
        assertThat(Program.wide(words).out())
                .contains("needed within 2 years 3 months: order within 2 years 1 month (1 month to deliver)")
                .containsPattern(" 2 y 3 mo +2 y 1 mo\n");
    }

    /** Without growth there is no date that it could be late for, and without such a column nothing is said. */
    @Test
    void withoutGrowth() throws IOException {
        String head = "Model,Cores,RAM,Price,";
        assertThat(buy(head + "Lieferzeit Wochen\nX,64,1024 GiB,100,8\n", "--spare", "1")
                        .out())
                .contains("if everything may be moved, also after a loss: order now; delivery takes 8 weeks. Proven");
        for (String other :
                List.of("Valid until\nX,64,1024 GiB,100,31.01.2027\n", "Lead time\nX,64,1024 GiB,100,tbd\n")) {
            assertThat(buy(head + other, "--spare", "1", "--growth", "20 %").out())
                    .contains("first needed")
                    .doesNotContain("order", "deliver");
        }
    }

    @Test
    void aClusterIsToldToo() throws IOException {
        String all = Program.wide(
                        "size",
                        write("vms.csv", "Name,vCPU,RAM,Cluster\na,30,200 GiB,A\nb,30,200 GiB,B\n"),
                        "--servers",
                        write("hosts.csv", "Host,Cores,RAM,Cluster\nh1,32,256 GiB,A\nh2,64,512 GiB,B\n"),
                        "--by-cluster",
                        "--growth",
                        "100 %",
                        "--buy",
                        write("offers.csv", "Model,Cores,RAM,Price,Lead time\nX,64,1024 GiB,100,8 weeks\n"))
                .out();
        assertThat(all)
                .contains("The first servers to buy are needed within 3 months, for A: order within 5 weeks (8 weeks to"
                        + " deliver).")
                .containsPattern("cluster .* first needed by +order by ")
                .containsPattern("\nA .* 3 mo +5 wk ");
    }

    /** Wrong: a list of offers that was read before was refused for what a row said of its delivery. */
    @Test
    void whatCannotBeReadIsNotKnown() throws IOException {
        String offers = "Model,Cores,RAM,Price,Lead time\nX,64,1024 GiB,100,KW 12\nY,32,1024 GiB,90,8\n"
                + "Z,16,512 GiB,50,8 weeks ARO\n";
        String warning =
                "column Lead time: no time until delivery, such as 8 weeks or 56 days, is read from 'KW 12', '8'"
                        + " (days or weeks?): it is not known for these 2 rows; --server-columns lead= leaves the column out";
        Program found = buy(offers, "--growth", "20 %");
        assertThat(found.code()).as(found.err()).isZero();
        assertThat(found.out()).contains("needed within 3 months").contains("order by");
        assertThat(found.out()).contains(warning);
        assertThat(buy(offers.replace("8\n", "8 weeks\n"), "--growth", "20 %").out())
                .contains("is read from 'KW 12': it is not known for this row;");
        for (String servers : List.of(directory.resolve("hosts.csv").toString(), "2 x 32 cores, 256 GiB", "")) {
            List<String> words =
                    new ArrayList<>(List.of("size", directory.resolve("vms.csv").toString(), "--buy"));
            words.add(directory.resolve("offers.csv").toString());
            words.addAll(List.of("--growth", "20 %", "--server-columns", "lead="));
            words.addAll(servers.isEmpty() ? List.of() : List.of("--servers", servers));
            Program without = Program.wide(words.toArray(String[]::new));
            assertThat(without.code()).as(servers + without.err()).isZero();
            assertThat(without.out() + without.err()).doesNotContain("order by", "no time until delivery");
        }
    }
}
