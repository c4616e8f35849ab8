package dev.stowage.kube.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole numbers of quantities in every form that the API writes or a user may. */
final class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        // Decimal and binary suffixes of bytes, each a factor of 1000 or 1024.
        "memory, 0, 0",
        "memory, 128974848, 128974848",
        "memory, 1k, 1000",
        "memory, 1M, 1000000",
        "memory, 129M, 129000000",
        "memory, 1G, 1000000000",
        "memory, 1T, 1000000000000",
        "memory, 1P, 1000000000000000",
        "memory, 1E, 1000000000000000000",
        "memory, 1Ki, 1024",
        "memory, 123Mi, 128974848",
        "memory, 1Gi, 1073741824",
        "memory, 1Ti, 1099511627776",
        "memory, 1Pi, 1125899906842624",
        "memory, 1Ei, 1152921504606846976",
        "memory, 1.5Gi, 1610612736",
        "memory, +2Ki, 2048",
        // Exponents of ten.
        "memory, 129e6, 129000000",
        "memory, 129E6, 129000000",
        "memory, 1e3, 1000",
        "memory, 12e-1, 2",
        // Thousandths and less of bytes round up.
        "memory, 128974848000m, 128974848",
        "memory, 1m, 1",
        "memory, 1u, 1",
        "memory, 1n, 1",
        "memory, .5, 1",
        "memory, 5., 5",
        // Processors in thousandths, rounded up.
        "cpu, 1, 1000",
        "cpu, 100m, 100",
        "cpu, 0.1, 100",
        "cpu, 1.5, 1500",
        "cpu, 0.0001, 1",
        "cpu, 100u, 1",
        "cpu, 1500u, 2",
        "cpu, 2k, 2000000",
        "nvidia.com/gpu, 8, 8",
        "ephemeral-storage, 10Gi, 10737418240"
    })
    void everyFormIsAWholeNumber(String resource, String text, long expected) {
        assertThat(Quantities.amount(resource, new Quantity(text))).isEqualTo(expected);
    }

    @Test
    void whatIsNoQuantityIsRefused() {
        assertThatThrownBy(() -> Quantities.amount("memory", new Quantity("1Xi")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory");
        assertThatThrownBy(() -> Quantities.amount("memory", new Quantity("-1Ki")))
                .hasMessageContaining("negative");
    }

    @Test
    void amountsForPeople() {
        assertThat(Quantities.text("cpu", 1500)).isEqualTo("1500 millicores");
        assertThat(Quantities.text("cpu", 2000)).isEqualTo("2 cores");
        assertThat(Quantities.text("memory", 1_288_490_189L)).isEqualTo("1.2 GiB");
        assertThat(Quantities.text("nvidia.com/gpu", 3)).isEqualTo("3");
    }
}
