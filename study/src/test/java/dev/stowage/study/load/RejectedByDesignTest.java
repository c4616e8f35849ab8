package dev.stowage.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.study.TestExperiments;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RejectedByDesignTest {
    @TempDir
    private Path directory;

    @Test
    void saysWhatEachOneNeeds() {
        assertThat(RejectedByDesign.of(
                        TestExperiments.of("""
                                cluster: {servers: {count: 1, cpu: 16}}
                                workload:
                                  types: [{name: one, rate: 1 / s, demand: {cpu: 1}, service: {exponential: 1 h}}]
                                policies: [ontapra, gpa-static, fgd, {policy: fgd, when-full: queue}, dra, bf-js]
                                horizon: 1 d
                                """, directory),
                        Map.of(
                                "ontapra",
                                1.0,
                                "gpa-static",
                                0.95,
                                "fgd",
                                0.9,
                                "fgd:when-full=queue",
                                0.89,
                                "dra",
                                0.97)))
                .satisfiesExactly(
                        ontapra -> assertThat(ontapra)
                                .startsWith("ontapra rejected 100 % of the requests")
                                .endsWith(
                                        "no resource of this cluster is divisible; set 'divisible: cpu' in the cluster"
                                                + " (docs/planning.md)."),
                        gpa -> assertThat(gpa)
                                .startsWith("gpa-static rejected 95")
                                .contains("load-per-server"),
                        fgd -> assertThat(fgd).startsWith("fgd rejected 90").contains("when-full=queue"),
                        dra -> assertThat(dra).startsWith("dra rejected 97").contains("What it does: "));
    }
}
