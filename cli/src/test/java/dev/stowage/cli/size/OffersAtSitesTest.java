package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offers for some sites: two VMs fill the one host of either site, so each site lacks a host if the other is lost. */
final class OffersAtSitesTest {
    private static final String OFFERS = """
            Model,Cores,RAM,Price,Room
            S,32,256 GiB,9000,North
            S,32,256 GiB,9500,South
            L,64,512 GiB,1000,North
            """;

    @TempDir
    private Path directory;

    private Program buy(String offers, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "size",
                write("vms.csv", "Name,vCPU,RAM,Cluster\na,30,200 GiB,A\nb,30,200 GiB,B\n"),
                "--servers",
                write("hosts.csv", "Host,Cores,RAM,Cluster,Room\nh1,32,256 GiB,A,North\nh2,32,256 GiB,B,South\n"),
                "--buy",
                write("offers.csv", offers)));
        words.addAll(List.of(more));
        return Program.wide(words.toArray(String[]::new));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    /** L is the cheapest, and not to be had in South, where S has a price of its own. */
    @Test
    void eachIsBoughtWhereItIsOffered() throws IOException {
        assertThat(buy(OFFERS, "--spare-site=Room").out())
                .contains(
                        "North: 1 x L (64 vCPU, 512 GiB); South: 1 x S (32 vCPU, 256 GiB), for 10,500",
                        "Proven: no other way costs less")
                .containsPattern("only S .*1 x S at each site +18,500")
                .containsPattern("only L .* - +-");
    }

    @Test
    void serversThatDoNotSayWhereTheyAreTakeAll() throws IOException {
        String offers = "count,site,cpu,mem,price\n1,North,32,256 GiB,9000\n1,South,64,512 GiB,9500\n";
        Program found = Program.wide(
                "size",
                write("vms.csv", "Name,vCPU,RAM\na,30,200 GiB\nb,30,200 GiB\n"),
                "--servers",
                write("hosts.csv", "Host,Cores,RAM\nh1,32,256 GiB\n"),
                "--buy",
                write("offers.csv", offers));
        assertThat(found.code()).as(found.err()).isZero();
    }

    @Test
    void aSiteWithoutAnOfferIsAWarning() throws IOException {
        Program found = buy(OFFERS.replaceAll(".*South\n", ""), "--spare-site=Room");
        assertThat(found.out()).contains("server list offers.csv: warning: nothing is offered for South");
        assertThat(found.code()).isNotZero();
    }

    /** Of a cluster at one site only the offers for that count. */
    @Test
    void aClusterTakesThoseOfItsSite() throws IOException {
        assertThat(buy(OFFERS, "--spare-site=Room", "--by-cluster", "--spare", "1")
                        .out())
                .containsPattern("\nA +1 +1 x L +1,000")
                .containsPattern("\nB +1 +1 x S +9,500");
    }

    /** Where nothing says that the column is the site, that it is not looked at is a warning of the answer. */
    @Test
    void aColumnThatIsNotUsedIsAWarning() throws IOException {
        String offers = OFFERS.replace("Room", "Datacenter");
        assertThat(buy(offers).out())
                .contains("warning: Datacenter is ignored: each kind on offer may be bought for any of them.");
        assertThat(new ObjectMapper()
                        .readTree(buy(offers, "--format", "json").out())
                        .get("warnings")
                        .toString())
                .contains("Datacenter is ignored");
    }
}
