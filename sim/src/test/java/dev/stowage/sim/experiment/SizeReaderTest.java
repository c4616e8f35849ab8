package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.policies.Policies;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code size} may ask, and what it may not. */
final class SizeReaderTest {
    private static final String ONE = "{servers: {count: 1, slots: 1}}";

    private static ReadExperiment read(String cluster, String more) {
        return ExperimentReader.read(
                "test",
                "{cluster: " + cluster + ", workload: {types: [{name: a, rate: 1 / s, service: {exponential: 1 s},"
                        + " demand: {slots: 1}}]}, horizon: 1 min, policies: [fifo-ff], " + more + "}",
                Path.of(""),
                List.of(),
                new Policies());
    }

    @Test
    void all() {
        SizeQuestion question = Objects.requireNonNull(read(
                        "{sites: [{name: e, servers: {count: 1, slots: 1}}, {name: w, servers: {count: 2, slots: 3}}]}",
                        "size: {target: [rejected <= 1 %, wait max of a <= 1 s], site: w, spare: 2, spare-site: true,"
                                + " maintenance: {part: 5 %, for: 2 h}}")
                .size());
        assertThat(question.target().requirements()).hasSize(2);
        assertThat(question.site()).isEqualTo("w");
        assertThat(question.spareServers()).isEqualTo(2);
        assertThat(question.spareSite()).isTrue();
        assertThat(question.maintenance()).isEqualTo(new SizeQuestion.Maintenance(50_000, 7_200_000_000_000L));
        assertThat(question.phrase())
                .isEqualTo("at most 1 % of the requests to be rejected and every request of type a to start within 1 s,"
                        + " with any one site and 2 more servers lost at the worst moment, with"
                        + " 5.0 % of the servers in maintenance");
        assertThat(read(ONE, "seed: 1").size()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size: {target: rejected of b <= 1 %} | no type 'b'; did you mean 'a'?",
                "size: {target: wait max <= 1 s, site: x} | no such site",
                "size: {target: wait max <= 1 s, spare-site: true} | there is one site only",
                "size: {target: wait max <= 1 s, spares: 1} | did you mean 'spare'?",
                "size: {target: wait max <= 1 s, maintenance: {part: 5 %}} | how long it takes",
                "size: {target: wait max <= 1 s, maintenance: {part: 5 %, four: 1 h}} | did you mean 'for'?",
                "size: {target: [wait max <= 1 s, profit >= 1]} | size.target[1]",
                "size: {spare: 1} | size.target",
                "size: {target: wait max <= 1 s}, server-changes: [{at: 1 s, drain: {count: 1}}] | come and go"
            })
    void bad(String more, String message) {
        assertThatThrownBy(() -> read(ONE, more))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining(message);
    }

    /** Blocks that stay may have no servers; those that are counted may not, because their ratio would have a 0. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 1 | 2 | '' | a server of each kind, for their ratio",
                "1 | 1 | 0 | '' | a server of each kind, for their ratio",
                "0 | 0 | 2 | e | a server of each kind at e, for their ratio",
                "0 | 1 | 2 | e | a server of each kind at e, for their ratio",
                "1 | 1 | 0 | w | a server of each kind at w, for their ratio",
                "0 | 0 | 2 | w | ''",
                "2 | 1 | 0 | e | ''"
            })
    void aServerOfEachKind(int small, int large, int west, String site, String message) {
        String cluster = "{sites: [{name: e, servers: [{count: " + small + ", slots: 1}, {count: " + large
                + ", slots: 4}]}, {name: w, servers: {count: " + west + ", slots: 2}}]}";
        String size = "size: {target: wait max <= 1 s" + (site.isEmpty() ? "" : ", site: " + site) + "}";
        if (message.isEmpty()) {
            assertThat(read(cluster, size).size()).isNotNull();
        } else {
            assertThatThrownBy(() -> read(cluster, size))
                    .isInstanceOf(ExperimentException.class)
                    .hasMessageContaining(message);
        }
    }
}
