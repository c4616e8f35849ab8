package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.MetricName;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricNameTest {

    @Test
    void takesNamesApart() {
        MetricName name = MetricName.parse("utilization{site=dc1,resource=cpu_milli}");
        assertThat(name.base()).isEqualTo("utilization");
        assertThat(name.labels()).isEqualTo(Map.of("site", "dc1", "resource", "cpu_milli"));
        assertThat(name.resource()).isEqualTo("CPU");
        assertThat(MetricName.parse("wait_mean_s").labels()).isEmpty();
    }

    @Test
    void keepsCommasAndEqualSignsInsideValues() {
        assertThat(MetricName.parse("wait_mean_s{type=a, b,site=x}").labels())
                .isEqualTo(Map.of("type", "a, b", "site", "x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x", "utilization{site=dc1,resource=cpu_milli}", "wait_mean_s{type=2 vCPU / 3.5 GiB}", "a}"})
    void writesWhatItRead(String name) {
        assertThat(MetricName.parse(name)).hasToString(name);
    }

    @Test
    void knowsEveryMainMetric() {
        assertThat(Metric.MAIN)
                .filteredOn(base -> Metric.of(MetricName.parse(base)).better() == Metric.Better.NEITHER)
                .as("known, and neither more nor less of it is better")
                .containsExactly("utilization");
    }

    @Test
    void showsUnknownMetricsUnderTheirOwnName() {
        Metric metric = Metric.of(MetricName.parse("new_thing_s{type=a}"));
        assertThat(metric.title()).isEqualTo("new_thing_s{type=a}");
        assertThat(metric.quantity()).isEqualTo(Quantity.TIME);
    }
}
