package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Remark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0 s, 0",
        "1 ns, 1",
        "1.5 us, 1500",
        "100ms, 100000000",
        "20 min, 1200000000000",
        "0.5 h, 1800000000000",
        "5 d, 432000000000000",
        "1 Week, 604800000000000",
        "1e3 seconds, 1000000000000",
    })
    void durationsAreExact(String text, long nanos) {
        assertThat(Units.durationNanos(text, 0)).isEqualTo(nanos);
    }

    @Test
    void durationsInSlotsNeedSlots() {
        assertThat(Units.durationNanos("2.5 slots", 100)).isEqualTo(250);
        assertThatThrownBy(() -> Units.durationNanos("2 slots", 0)).hasMessageContaining("unknown unit 'slots'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "min", "-1 s", "five min", "1 fortnight", "1e300 s", "300000 d", "NaN s", "1,5 s"})
    void otherDurationsAreRefused(String text) {
        assertThatThrownBy(() -> Units.durationNanos(text, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"48, 48000", "48 cores, 48000", "2.5 vCPU, 2500", "500m, 500", "4 gpus, 4000", "0, 0"})
    void thousandthsOfCores(String text, long milli) {
        assertThat(Units.milli(text)).isEqualTo(milli);
    }

    @ParameterizedTest
    @CsvSource({"128 GiB, 131072", "1.5 TiB, 1572864", "512 mib, 512", "1048576 KiB, 1024", "64 GB, 65536", "1 MB, 1"})
    void mebibytes(String text, long mib) {
        assertThat(Units.mebibytes(text)).isEqualTo(mib);
    }

    @ParameterizedTest
    @ValueSource(strings = {"128", "1 kB", "0.5 MiB", "-1 GiB", "1 Gib.", "GiB"})
    void otherAmountsOfMemoryAreRefused(String text) {
        assertThatThrownBy(() -> Units.mebibytes(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fractionsOfAUnitAreNotRoundedInSilence() {
        assertThatThrownBy(() -> Units.milli("0.0005")).hasMessageContaining("not a whole number of thousandths (0.5)");
    }

    @Test
    void ratesAreEventsPerSecond() {
        assertThat(Units.perSecond("3 / min", 0)).isEqualTo(0.05);
        assertThat(Units.perSecond("72/h", 0)).isEqualTo(0.02);
        assertThat(Units.perSecond("30 / s", 0)).isEqualTo(30);
        assertThat(Units.perSecond("30 / second", 0)).isEqualTo(30);
        // 0.03 per slot of 100 ms is 0.3 per second.
        assertThat(Units.perSecond("0.03 / slot", 100_000_000)).isCloseTo(0.3, within(1e-15));
        assertThatThrownBy(() -> Units.perSecond("3", 0)).hasMessageContaining("3 / min");
        assertThatThrownBy(() -> Units.perSecond("-3 / min", 0)).hasMessageContaining("at least 0");
    }

    @Test
    void rewardsAreExact() {
        assertThat(Units.microsPerHour("0.096 / h", 0)).isEqualTo(96_000);
        assertThat(Units.microsPerHour("0.192/h", 0)).isEqualTo(2 * 96_000);
        assertThat(Units.microsPerHour("2 / s", 0)).isEqualTo(7_200_000_000L);
        assertThat(Units.microsPerHour("50 % / min", 0)).isEqualTo(30_000_000);
        assertThat(Units.microsPerHour("1 / slot", 100_000_000)).isEqualTo(36_000_000_000L);
        assertThatThrownBy(() -> Units.microsPerHour("0.1 / d", 0)).hasMessageContaining("give it per hour");
        assertThatThrownBy(() -> Units.microsPerHour("0.0000001 / h", 0)).hasMessageContaining("6 digits");
        assertThatThrownBy(() -> Units.microsPerHour("1e14 / s", 0)).hasMessageContaining("is above");
        assertThatThrownBy(() -> Units.microsPerHour("-1 / h", 0)).hasMessageContaining("at least 0");
        assertThatThrownBy(() -> Units.microsPerHour("1", 0)).hasMessageContaining("3 / min");
    }

    @Test
    void numbersMayBePerCents() {
        assertThat(Units.number("70 %")).isEqualTo(0.7);
        assertThat(Units.number("1e-3")).isEqualTo(0.001);
        assertThatThrownBy(() -> Units.number("Infinity")).hasMessageContaining("finite");
        assertThatThrownBy(() -> Units.number("1e999")).hasMessageContaining("finite");
    }

    /** Once, however often; not of a word in a description or the name of a file. */
    @Test
    void decimalUnitsAreReadAsBinaryOnesAndSaid() {
        ReadExperiment gb = Experiments.read(
                Experiments.GOOD, "cluster.servers.memory=128 GB", "workload.types[0].demand.memory=2 GB");
        assertThat(gb.points().get(0).cluster())
                .isEqualTo(Experiments.read(Experiments.GOOD).points().get(0).cluster());
        assertThat(gb.notes())
                .extracting(Remark::toString)
                .containsExactly("GB is read as GiB: '128 GB' is 128 GiB, as servers are sold");
        assertThat(Experiments.read(
                                Experiments.GOOD,
                                "description=servers of 128 GB",
                                "cluster.servers.labels={gpu: a100-80GB}")
                        .notes())
                .isEmpty();
    }
}
