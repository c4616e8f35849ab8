package dev.stowage.sim.experiment;

import static dev.stowage.sim.experiment.Experiments.point;
import static dev.stowage.sim.experiment.Experiments.problems;
import static dev.stowage.sim.experiment.Experiments.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.policies.Policies;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.RequestOrigin;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OriginsReaderTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final String GOOD = """
            name: origins
            cluster:
              sites:
                - {name: east, servers: {count: 4, cpu: 8}}
                - {name: centre, servers: {count: 4, cpu: 8}}
                - {name: west, servers: {count: 4, cpu: 8}}
            workload:
              types:
                - {name: small, rate: 3 / min, demand: {cpu: 1}, service: {exponential: 5 min}}
              origins:
                period: 24 h
                of:
                  - {name: e, sites: [centre, east], weights: [{from: 0 h, weight: 3}, {from: 8 h, weight: 1}]}
                  - {name: w, sites: west, weights: 2}
                  - {name: all, sites: [west, east, centre]}
            policies: [shadow, best-fit]
            horizon: 12 h
            warm-up: none
            """;

    @Test
    void originsAreRead() {
        DrawnOrigins origins = (DrawnOrigins) point(GOOD).origins();

        assertThat(origins.periodNanos()).isEqualTo(24 * HOUR);
        assertThat(origins.all())
                .containsExactly(
                        new RequestOrigin("e", List.of(0, 1)),
                        new RequestOrigin("w", List.of(2)),
                        new RequestOrigin("all", List.of()));
        assertThat(origins.parts(0)).containsExactly(.5, 1 / 3.0, 1 / 6.0);
        assertThat(origins.parts(8 * HOUR)).containsExactly(.25, .5, .25);
        assertThat(point(GOOD, "workload.origins=null").origins().areLimited()).isFalse();
        assertThat(((DrawnOrigins) point(GOOD, "workload.origins.period=null").origins()).periodNanos())
                .isZero();
    }

    /** The text that is written beside the results is the same experiment. */
    @Test
    void theResolvedTextReadsTheSame() {
        ReadExperiment first = read(GOOD, "workload.origins.of[1].weights=7");
        ReadExperiment again = read(first.resolvedYaml());
        assertThat(again.resolvedYaml()).isEqualTo(first.resolvedYaml()).contains("origins:");
        assertThat(again.points().get(0).origins())
                .isEqualTo(first.points().get(0).origins())
                .isNotEqualTo(point(GOOD).origins());
    }

    @Test
    void everyMistakeIsToldWithItsPath() {
        String bad = "workload.origins={period: 0 h, off: 3, of: [{name: a, sites: [wst, west, west], weights: -1},"
                + " {name: a, sites: [], weights: []}, {sites: east, colour: red, weights: [{from: 1 h, weight: 1},"
                + " {from: 1 h, weight: x}, {from: 2 h}]}]}";
        assertThat(problems(GOOD, bad))
                .anyMatch(p -> p.startsWith("workload.origins.period: must be above 0"))
                .anyMatch(
                        p -> p.startsWith("workload.origins.of[0].sites[0]: 'wst' is not a site; did you mean 'west'?"))
                .anyMatch(p -> p.startsWith("workload.origins.of[0].sites[2]: 'west' is named twice"))
                .anyMatch(p -> p.startsWith("workload.origins.of[0].weights: '-1' must be 0.0 to"))
                .anyMatch(p -> p.startsWith("workload.origins.of[1].name: 'a' is the name of another origin too"))
                .anyMatch(p -> p.startsWith("workload.origins.of[1].sites: is empty"))
                .anyMatch(p -> p.startsWith("workload.origins.of[1].weights: is empty"))
                .anyMatch(p -> p.startsWith("workload.origins.of[2].name: is missing"))
                .anyMatch(p -> p.startsWith("workload.origins.of[2].weights[0].from: '1 h' must be 0 h for the first"))
                .anyMatch(p -> p.startsWith("workload.origins.of[2].weights[1].from: '1 h' must be after"))
                .anyMatch(p -> p.startsWith("workload.origins.of[2].weights[1].weight: 'x' must be a finite number"))
                .anyMatch(p -> p.startsWith("workload.origins.of[2].weights[2].weight: is missing"))
                .anyMatch(p -> p.startsWith("workload.origins.of[2].colour: unknown key"))
                .anyMatch(p -> p.startsWith("workload.origins.off: unknown key"));
        assertThat(problems(GOOD, "workload.origins.of=[]"))
                .singleElement()
                .asString()
                .contains("at least one origin");
        assertThat(problems(GOOD, "workload.origins=west"))
                .singleElement()
                .asString()
                .contains("must be a group");
        assertThat(problems(GOOD, "workload.origins.period=8 h"))
                .singleElement()
                .asString()
                .startsWith("workload.origins.of[0].weights[1].from: '8 h' must be before the end of the period");
        assertThat(problems(
                        GOOD,
                        "workload.origins.of=[{name: a, weights: [{from: 0 h, weight: 1}, {from: 3 h, weight: 0}]}]"))
                .singleElement()
                .asString()
                .startsWith("workload.origins.of: all weights are 0 from 10800.0 s on");
    }

    @Test
    void aPolicyThatDoesNotKeepSitesIsRefusedWithThoseThatDo() {
        assertThat(problems(GOOD, "policies=[shadow, vqs]"))
                .singleElement()
                .asString()
                .startsWith(
                        "policies[1]: 'vqs' does not support site limits, which the requests' origins set; these do: "
                                + "first-fit, best-fit, fifo-ff, bf-j, bf-s, bf-js, ")
                .contains("load-balancing", "shadow-bfjs")
                .doesNotContain("vqs-bf");
        String everywhere = "workload.origins.of=[{name: a, weights: 2}, {name: b, sites: [east, centre, west]}]";
        assertThat(point(GOOD, everywhere, "policies=[vqs]").policies()).hasSize(1);
    }

    /** Origins without limits change nothing, and a request that fits only at other sites is refused. */
    @Test
    void runsKeepToTheLimits() throws InterruptedException {
        String everywhere = "workload.origins.of=[{name: a, weights: 2}, {name: b}]";
        assertThat(metrics(GOOD, everywhere))
                .extracting(RunRow::digest, RunRow::metrics)
                .containsExactlyElementsOf(metrics(GOOD, "workload.origins=null").stream()
                        .map(run -> tuple(run.digest(), run.metrics()))
                        .toList());
        for (RunRow run : metrics(GOOD, "workload.origins.of=[{name: a, sites: west}]")) {
            assertThat(run.metrics().get("utilization{site=west,resource=cpu_milli}"))
                    .isPositive();
            assertThat(run.metrics().get("utilization{site=east,resource=cpu_milli}"))
                    .isZero();
            assertThat(run.metrics().get("utilization{site=centre,resource=cpu_milli}"))
                    .isZero();
        }
        String small = GOOD.replace(
                        "name: west, servers: {count: 4, cpu: 8}", "name: west, servers: {count: 4, cpu: 1}")
                .replace("demand: {cpu: 1}", "demand: {cpu: 2}");
        for (RunRow run : metrics(small, "workload.origins.period=null")) {
            double part = run.metrics().get("refused") / run.metrics().get("arrived");
            // West has 2 of 6 until 8 h, then 2 of 4: 1,440 and 720 requests are expected, of which 480 and 360 are
            // refused.
            assertThat(part).isBetween(.36, .42);
        }
    }

    private static List<RunRow> metrics(String yaml, String... overrides) throws InterruptedException {
        List<Experiment> points = read(yaml, overrides).points();
        List<RunRow> runs = new ArrayList<>();
        new ExperimentRunner(
                        new Policies(), "", 1, ProgressListener.NONE, (point, policy, replication) -> RunObserver.NONE)
                .run(points, (ResultRow row) -> {
                    if (row instanceof RunRow run) {
                        runs.add(run);
                    }
                });
        assertThat(runs).isNotEmpty();
        return runs;
    }
}
