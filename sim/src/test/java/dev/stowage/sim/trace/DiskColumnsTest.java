package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskColumnsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Provisioned MiB",
                "Provisioned MB",
                "In Use MiB",
                "In Use MB",
                "Unshared MiB",
                "Unshared MB",
                "Total disk capacity MiB",
                "Provisioned Space (GB)",
                "Used Space (GB)",
                "Storage GiB",
                "Datastore GB",
                "Capacity GB",
                "Bereitgestellter Speicherplatz (GB)",
                "Bereitgestellter Speicher (GB)",
                "Belegter Speicherplatz (GB)",
                "Festplatte GB",
                "Espace provisionné (Go)",
                "Stockage (Go)",
                "Memoria de disco (GB)",
                "Espacio aprovisionado (GB)",
                "Pamięć masowa (GB)",
                "Schijfruimte GB"
            })
    void neverMemory(String column) {
        assertThat(OwnColumns.of("", List.of("VM", "CPUs", column)).columns())
                .containsKey("cpu")
                .doesNotContainKey("mem");
        assertThat(OwnHosts.in(List.of("Host", "Cores", column)))
                .containsKey("cpu")
                .doesNotContainKey("mem");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Provisioned Memory (GB)",
                "Memory Capacity GB",
                "Bereitgestellter Arbeitsspeicher (GB)",
                "RAM GB",
                "Memory space (GB)",
                "Espace mémoire (Go)",
                "Espacio de memoria (GB)",
                "GB"
            })
    void memoryBesideThem(String column) {
        assertThat(OwnColumns.of("", List.of("VM", "CPUs", "Provisioned MiB", column, "Disk GB"))
                        .columns()
                        .get("mem"))
                .hasFieldOrPropertyWithValue("name", column);
    }
}
