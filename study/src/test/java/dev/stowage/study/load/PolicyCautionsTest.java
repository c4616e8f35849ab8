package dev.stowage.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyCautionsTest {
    private static final String CLUSTER = "cluster: {servers: {count: %d, cpu: 16, memory: 64 GiB}}";

    private static List<String> of(int servers, String service, String policy) {
        return of(CLUSTER, servers, service, policy);
    }

    private static List<String> of(String cluster, int servers, String service, String policy) {
        String text = ("name: cautions\n" + cluster + """

                workload:
                  types:
                    - {name: small, rate: 1 / s, demand: {cpu: 1, memory: 1 GiB}, service: %s, reward: 1 / h}
                    - {name: large, rate: 1 / s, demand: {cpu: 8, memory: 8 GiB}, service: %s, reward: 9 / h}
                policies: [%s]
                horizon: 1 d
                """).formatted(servers, service, service, policy);
        Experiment experiment = ExperimentReader.read("cautions.yaml", text, Path.of("."), List.of(), new Policies())
                .points()
                .get(0);
        return PolicyCautions.of(experiment);
    }

    @Test
    void slotsThatTakeMuchOfASmallCluster() {
        // ln(10)^1.5 = 3.49: 4 slots of 1 and of 8 cores are 36 of 160 cores.
        assertThat(of(10, "{exponential: 1 h}", "dra"))
                .singleElement()
                .asString()
                .contains("4 empty slots of each of 2 types", "23 %", "cpu");
        // ln(100)^1.5 = 9.88: 10 slots, 90 of 1,600 cores.
        assertThat(of(100, "{exponential: 1 h}", "dra")).isEmpty();
        assertThat(of(10, "{exponential: 1 h}", "{policy: dra, slack: 1}")).isEmpty();
        assertThat(of(10, "{exponential: 1 h}", "best-fit")).isEmpty();
    }

    @Test
    void aGammaThatIsSmallAgainstAStep() {
        // Room for 16 of the small ones: 16 > 2 * 5.
        assertThat(of(100, "{exponential: 1 h}", "{policy: shadow, theta1: declared}"))
                .singleElement()
                .asString()
                .contains("gamma 5", "room for 16", "try gamma 32");
        assertThat(of(100, "{exponential: 1 h}", "{policy: shadow, theta1: declared, gamma: 8}"))
                .isEmpty();
        assertThat(of(100, "{exponential: 1 h}", "shadow-simplified")).isEmpty();
    }

    @Test
    void expectationsThatNoRequestHas() {
        String text = CLUSTER.formatted(10)
                + "\nworkload: {types: [{name: one, rate: 1 / s, demand: {cpu: 1}, service: 1 h}]}"
                + "\npolicies: [first-fit, lifetime-classes, {policy: lifetime-classes, rule: nilas}]\nhorizon: 1 d\n";
        List<Experiment> points = ExperimentReader.read("cautions.yaml", text, Path.of("."), List.of(), new Policies())
                .points();
        assertThat(PolicyCautions.of(points))
                .hasSize(2)
                .allMatch(caution -> caution.contains("no request says that: to it, all run for ever"))
                .anyMatch(caution -> caution.startsWith("lifetime-classes:rule=nilas decides by"));
        // It is best fit then, which recommend may well choose.
        assertThat(PolicyCautions.of(points.get(0))).isEmpty();
    }

    @Test
    void severalResourcesWhereTheTheoremIsAboutOne() {
        assertThat(of(100, "{exponential: 1 h}", "vqs"))
                .singleElement()
                .asString()
                .contains("vqs", "with 2 it leaves");
        assertThat(of(100, "{exponential: 1 h}", "vqs-bf")).isEmpty();
    }

    @Test
    void configurationsThatAreSeldomRenewed() {
        assertThat(of(100, "{exponential: 1 h}", "max-weight")).isEmpty();
        assertThat(of(100, "{lognormal: {mean: 2 h, cv2: 60}}", "max-weight"))
                .singleElement()
                .asString()
                .contains("until it is empty", "longest 1 %");
        assertThat(of(100, "{exponential: 1 h}", "{policy: max-weight, refresh: global}"))
                .singleElement()
                .asString()
                .contains("slotted time");
        String unequal = CLUSTER.replace("servers: {", "servers: [{count: 1, cpu: 32, memory: 64 GiB}, {")
                .replace("GiB}}", "GiB}]}");
        assertThat(of(unequal, 100, "{exponential: 1 h}", "max-weight"))
                .singleElement()
                .asString()
                .contains("equal servers");
    }

    @Test
    void meansOfHeavyTails() {
        String learning = "{policy: shadow, gamma: 32, theta1: 0.01}";
        assertThat(of(100, "{exponential: 1 h}", learning)).isEmpty();
        assertThat(of(100, "{lognormal: {mean: 2 h, cv2: 60}}", learning))
                .singleElement()
                .asString()
                .contains("learns mean service times", "longest 1 %");
        String heavy = "{lognormal: {mean: 2 h, cv2: 60}}";
        for (String queues : List.of(
                "{policy: shadow, gamma: 32, theta1: declared}",
                "{policy: shadow-bfjs, gamma: 32, theta1: declared}")) {
            assertThat(of(100, heavy, queues)).singleElement().asString().contains("virtual queues", "longest 1 %");
            assertThat(of(100, "{exponential: 1 h}", queues)).isEmpty();
        }
        for (String learnsLoad :
                List.of("protection-levels", "protect-or-reserve", "{policy: dra, workload: estimate}")) {
            assertThat(of(100, heavy, learnsLoad)).singleElement().asString().contains("learns mean service times");
            assertThat(of(100, "{exponential: 1 h}", learnsLoad)).isEmpty();
        }
        assertThat(of(100, heavy, "dra")).isEmpty();
    }
}
