package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                        "2 x [32000, 524287]",
                        "1 x [32000, 262142]",
                        "3 x [32000, 262107]",
                        "1 x [32000, 256900]");
        assertThat(read.report().lines())
                .contains(
                        "servers that are alike but for at most 1 % of their memory are one kind, with the least of it:"
                                + " 3 x R650 (262,107 to 262,143 MiB), 2 (524,287 to 524,288 MiB)");
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
}
