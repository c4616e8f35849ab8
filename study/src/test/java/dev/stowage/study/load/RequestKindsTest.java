package dev.stowage.study.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.TestExperiments;
import dev.stowage.study.bound.PointBound;
import dev.stowage.study.bound.SupportedLoads;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The load bound where labels and names tell servers apart, worked out by hand. */
final class RequestKindsTest {
    private static final String CLUSTER = """
            name: labels
            cluster:
              servers:
                - {count: 2, cpu: 4, name: fast, labels: {gpu: V100}}
                - {count: 3, cpu: 4, labels: {gpu: T4}}
                - {count: 1, cpu: 4}
            policies: [{policy: best-fit, when-full: queue}]
            horizon: 1 h
            warm-up: none
            workload:
              types:
            """;

    private static Experiment of(String... types) {
        StringBuilder yaml = new StringBuilder(CLUSTER);
        for (String type : types) {
            yaml.append("    - {").append(type).append("}\n");
        }
        return TestExperiments.of(yaml.toString());
    }

    private static PointBound bound(Experiment experiment) {
        List<PointBound> all = new SupportedLoads(0.01, 512).of(experiment);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    /** One in service in the mean for each 1 / h of the rate. */
    private static String type(String name, int perHour, String more) {
        return "name: " + name + ", rate: " + perHour + " / h, demand: {cpu: 1}, service: {exponential: 1 h}, " + more;
    }

    private static void assertGrowth(double expected, PointBound bound) {
        assertThat(bound.growthAtLeast()).isCloseTo(expected, within(1e-6));
        assertThat(bound.growthAtMost()).isCloseTo(expected, within(1e-6));
    }

    /** 24 cores in all; those that need a V100 have 8 of them, whatever the others leave. */
    @Test
    void aLabelIsTheBottleneck() {
        assertGrowth(24.0 / 10, bound(of(type("any", 4, "priority: 0"), type("v", 6, "priority: 0"))));
        assertGrowth(8.0 / 6, bound(of(type("any", 4, "priority: 0"), type("v", 6, "where: gpu=V100"))));
        // 16 cores have no V100: of 20 that may not use one, as of 20 that need one or a T4.
        assertGrowth(16.0 / 20, bound(of(type("none", 20, "where: gpu!=V100"))));
        assertGrowth(20.0 / 20, bound(of(type("some", 20, "where: gpu"))));
        // Both share the V100: 8 + 12 cores of a GPU for 5 + 10, of which the 5 alone could grow to 8 / 5.
        assertGrowth(20.0 / 15, bound(of(type("v", 5, "where: gpu=V100"), type("some", 10, "where: gpu"))));
        assertGrowth(8.0 / 7, bound(of(type("v", 7, "where: gpu=V100"), type("some", 8, "where: gpu"))));
    }

    /** A named server is a class of its own for those that avoid it. */
    @Test
    void serversToAvoid() {
        assertGrowth(4.0 / 6, bound(of(type("v", 6, "where: gpu=V100, avoid: fast-1"))));
        assertGrowth(20.0 / 6, bound(of(type("v", 6, "avoid: fast-1"))));
    }

    /** A label that no server with enough room has: such requests offer no load. */
    @Test
    void whatFitsOnlyWhereItMayNotRunIsNoLoad() {
        PointBound bound = bound(TestExperiments.of("""
                name: labels
                cluster:
                  servers: [{count: 1, cpu: 2, labels: {gpu: V100}}, {count: 1, cpu: 8, labels: {gpu: T4}}]
                policies: [{policy: best-fit, when-full: queue}]
                horizon: 1 h
                warm-up: none
                workload:
                  types:
                    - {name: v, rate: 1 / h, demand: {cpu: 4}, service: {exponential: 1 h}, where: gpu=V100}
                """));
        assertThat(bound.growthAtMost()).isZero();
    }

    /** Each member of a gang is in service; what the bound ignores is reported in words. */
    @Test
    void gangsCountWithTheirMembers() {
        PointBound bound = bound(of(type("g", 2, "gang: 3"), type("p", 4, "priority: 1, spread: ['db:1']")));
        assertGrowth(24.0 / 10, bound);
        assertThat(bound.notes())
                .anyMatch(note -> note.contains("ignores that requests are kept apart (spread), that gangs are placed"
                        + " at once, that evicted requests start again (priority)"));
        assertThat(bound(of(type("v", 6, "where: gpu=V100"))).notes())
                .noneMatch(note -> note.contains("the bound of the load ignores"));
    }
}
