package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
