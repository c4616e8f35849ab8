package dev.stowage.sim.experiment;

import static dev.stowage.sim.experiment.Experiments.GOOD;
import static dev.stowage.sim.experiment.Experiments.point;
import static dev.stowage.sim.experiment.Experiments.problems;
import static dev.stowage.sim.experiment.Experiments.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** An experiment at several points, and until a precision is reached. */
final class SweepAndPrecisionTest {
    @Test
    void aSweepIsTheProductOfItsAxesTheLastOneFastest() {
        ReadExperiment experiment = read(
                GOOD,
                "sweep=[{path: cluster.servers.count, name: servers, values: [4, 5]}, {path: seed, values: [7, 8, 9]}]");

        assertThat(experiment.points())
                .extracting(Experiment::point)
                .containsExactly(
                        Map.of("servers", "4", "seed", "7"),
                        Map.of("servers", "4", "seed", "8"),
                        Map.of("servers", "4", "seed", "9"),
                        Map.of("servers", "5", "seed", "7"),
                        Map.of("servers", "5", "seed", "8"),
                        Map.of("servers", "5", "seed", "9"));
        assertThat(experiment.points())
                .extracting(p -> p.cluster().sites().get(0).servers().get(0).count(), Experiment::seed)
                .containsExactly(tuple(4, 7L), tuple(4, 8L), tuple(4, 9L), tuple(5, 7L), tuple(5, 8L), tuple(5, 9L));
        assertThat(experiment.points())
                .extracting(Experiment::hash)
                .containsOnly(experiment.points().get(0).hash());
    }

    @Test
    void aSweepOfNothingIsRefused() {
        assertThat(problems(GOOD, "sweep=[{path: \"cluster.sites[3].name\", values: [a]}]"))
                .singleElement()
                .asString()
                .contains("names nothing in the experiment");
        assertThat(problems(GOOD, "workload.types.0.rate=10 / h"))
                .singleElement()
                .asString()
                .endsWith("there is no '0'; lists are written types[0]");
        assertThat(problems(GOOD, "sweep=[{path: seed, values: []}]"))
                .singleElement()
                .asString()
                .contains("empty");
        assertThat(problems(GOOD, "sweep=[{path: seed, values: [1]}, {path: seed, values: [1]}]"))
                .allMatch(p -> p.contains("two axes are named 'seed'"));
    }

    @Test
    void aSweepOverNothingThatIsRunIsRefused() {
        assertThat(problems(GOOD, "sweep={path: cluster.servers.cuont, values: [1, 2]}"))
                .singleElement()
                .asString()
                .startsWith("cluster.servers.cuont: is not a known resource");
        assertThat(problems(GOOD, "sweep={path: title, values: [a, b]}"))
                .singleElement()
                .asString()
                .startsWith("sweep.path: 'title' changes nothing that is run");
    }

    @Test
    void precision() {
        Experiment plain = point(GOOD);
        assertThat(plain.precision()).isNull();
        Experiment two = point(GOOD, "precision=2 %");
        assertThat(two.precision()).isEqualTo(new Precision("wait_mean_s", 0.02, 200));
        assertThat(two.replications()).isEqualTo(10);
        Experiment named = point(
                GOOD,
                "precision={within: 0.5 %, of: \"utilization{resource=cpu_milli}\"}",
                "replications=20",
                "max-replications=50");
        assertThat(named.precision()).isEqualTo(new Precision("utilization{resource=cpu_milli}", 0.005, 50));
        assertThat(named.replications()).isEqualTo(20);
    }

    @Test
    void precisionThatCannotBe() {
        assertThat(problems(GOOD, "precision={within: 2 %, of: wait_men_s}"))
                .singleElement()
                .asString()
                .contains("precision.of", "unknown metric 'wait_men_s'; did you mean 'wait_mean_s'?");
        assertThat(problems(GOOD, "precision=60 %"))
                .singleElement()
                .asString()
                .contains("precision: '60 %' must be 0.01 % to 50 % of the mean");
        assertThat(problems(GOOD, "precision=2"))
                .singleElement()
                .asString()
                .contains("precision: '2' must be 0.01 % to 50 % of the mean, e.g. \"2 %\"");
        assertThat(problems(GOOD, "precision={of: wait_mean_s}"))
                .singleElement()
                .asString()
                .contains("precision.within", "is missing");
        assertThat(problems(GOOD, "precision={wihtin: 2 %, within: 2 %}"))
                .singleElement()
                .asString()
                .contains("did you mean 'within'?");
        assertThat(problems(GOOD, "precision=2 %", "replications=3"))
                .singleElement()
                .asString()
                .contains("replications: 3 are too few", "at least 10", "--replications", "--precision");
        assertThat(problems(GOOD, "max-replications=30"))
                .singleElement()
                .asString()
                .contains("max-replications", "precision, which is missing");
        assertThat(problems(GOOD, "precision=2 %", "max-replications=5"))
                .singleElement()
                .asString()
                .contains("max-replications: 5 is below the 10 replications");
        assertThat(problems(GOOD, "precision=2 %", "replications=30", "max-replications=20"))
                .singleElement()
                .asString()
                .contains("max-replications: 20 is below the 30 replications");
    }

    @Test
    void oneMistakeIsToldOnceWithWhatWasMeant() {
        assertThat(problems(GOOD, "horizon=30")).singleElement().asString().contains("'30' has no unit");
        assertThat(problems(GOOD, "workload.types[0].service={exponental: 4 h}"))
                .singleElement()
                .asString()
                .contains("'exponental' is no distribution; did you mean 'exponential'?");
        assertThat(problems(GOOD, "confidence=95")).singleElement().asString().endsWith("such as \"95 %\"");
        assertThat(problems(GOOD, "size={target: wait p99 < 10}"))
                .anyMatch(problem -> problem.contains("needs <= or >=, and a time needs a unit"));
    }
}
