package dev.stowage.sim.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.EffectsFan;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.statistics.TimeGrid;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A run of 95 s in intervals of 10 s: one server of capacity 10, requests of 6. */
class RunSeriesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Cluster CLUSTER = new Cluster(
            List.of(Resource.of("size")),
            List.of(),
            List.of(Site.of("site", new ServerBlock(1, Amounts.of(10)))),
            List.of(
                    new RequestType("a", Amounts.of(6), Amounts.NONE, 7_200_000_000L),
                    new RequestType("b", Amounts.of(6), Amounts.NONE, 0)));

    /**
     * An a runs from 5 on and pays 2 per second: half of that in the first interval. Three b at 12 and one at 92 are
     * turned away: 0.3 per second, and 0.2 in the last interval, which is 5 s long. No a is.
     */
    @Test
    void rewardAndRejections() {
        RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, 100 * SECOND, 10), 2);
        Engine engine =
                Engine.start(CLUSTER, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, collector);
        engine.arrive(5 * SECOND, 1, 0);
        for (long id = 2; id < 5; id++) {
            engine.arrive(12 * SECOND, id, 1);
        }
        engine.arrive(92 * SECOND, 5, 1);
        Measurements measured = collector.finish(95 * SECOND);

        Origin origin = new Origin("", "", "", "", "", "first-fit", Map.of(), Map.of());
        List<SeriesRow> rows = new RunSeries(measured, CLUSTER, List.of("a", "b"), origin, 0).overTime();
        assertThat(row(rows, "reward_rate").unit()).isEqualTo("reward / s");
        assertThat(row(rows, "reward_rate").mean()).containsExactly(1, 2, 2, 2, 2, 2, 2, 2, 2, 2);
        assertThat(row(rows, "reward_rate").max()[0]).isEqualTo(2);
        assertThat(row(rows, "rejection_rate{type=b}").mean()).containsExactly(0, .3, 0, 0, 0, 0, 0, 0, 0, .2);
        assertThat(rows).noneMatch(row -> row.name().equals("rejection_rate{type=a}"));
    }

    /**
     * Two servers of 10. A 6 on the first leaves 4 and 10: room for one 6, the only size so far. From 10 s a 3 beside
     * it leaves 1
     * and 10: room for one 6 or three 3. The median of two is the upper one.
     */
    @Test
    void whatIsFreeAndWhoCouldUseIt() {
        Cluster two = new Cluster(
                List.of(Resource.of("size")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(10)))),
                List.of(
                        new RequestType("large", Amounts.of(6), Amounts.NONE, 0),
                        new RequestType("small", Amounts.of(3), Amounts.NONE, 0)));
        RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, 100 * SECOND, 10), 2);
        Engine engine = Engine.start(two, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, collector);
        engine.arrive(0, 1, 0);
        engine.arrive(10 * SECOND, 2, 1);
        Measurements measured = collector.finish(20 * SECOND);

        Origin origin = new Origin("", "", "", "", "", "first-fit", Map.of(), Map.of());
        List<SeriesRow> rows = new RunSeries(measured, two, List.of("large", "small"), origin, 0).overTime();
        assertThat(row(rows, "free_capacity{resource=size}").mean()).containsExactly(.7, .55);
        assertThat(row(rows, "usable_capacity{request=largest,resource=size}").mean())
                .containsExactly(.3, .3);
        assertThat(row(rows, "usable_capacity{request=median,resource=size}").mean())
                .containsExactly(.3, .3);
        assertThat(row(rows, "usable_capacity{request=smallest,resource=size}").mean())
                .containsExactly(.3, .45);
        // Of no use to a 6: 4 and 4 of 20, then 1 and 4.
        assertThat(RunMetrics.of(measured, two, List.of("large", "small"), 0, Set.of())
                        .get("stranded{resource=size}")
                        .value())
                .isCloseTo((.4 + .25) / 2, within(1e-9));
    }

    /** A 6 and two 3 at one instant leave 1 and 7 on servers of 10: two more of 3, the median, and 2 of 20 stranded. */
    @Test
    void allThatIsPlacedAtOneInstantIsSampled() {
        Cluster two = new Cluster(
                List.of(Resource.of("size")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(10)))),
                List.of(
                        new RequestType("large", Amounts.of(6), Amounts.NONE, 0),
                        new RequestType("small", Amounts.of(3), Amounts.NONE, 0)));
        for (boolean more : new boolean[] {false, true}) {
            RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, 100 * SECOND, 10), 2);
            StrandedCapacity stranded = new StrandedCapacity(TimeGrid.forHorizon(0, 100 * SECOND, 10));
            Effects both = new EffectsFan(collector, stranded);
            Engine engine = Engine.start(two, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, both);
            engine.arrive(0, 1, 0);
            engine.arrive(0, 2, 1);
            engine.arrive(0, 3, 1);
            if (more) {
                // Too early for another sample: the one of the first instant is not touched.
                engine.arrive(SECOND, 4, 1);
            }
            Measurements measured = collector.finish(5 * SECOND);
            assertThat(RunMetrics.of(measured, two, List.of("large", "small"), 0, Set.of())
                            .get("stranded{resource=size}")
                            .value())
                    .isCloseTo(.1, within(1e-9));
            assertThat(stranded.parts(5 * SECOND, two, new double[] {20}).get("size"))
                    .isCloseTo(.1, within(1e-9));
        }
    }

    /**
     * Two servers of two devices. A .6 and a whole one on the first, a .6 on the second; from 10 s a whole one there,
     * and another waits. A .4 is left on two devices, which nobody can use.
     */
    @Test
    void aPartMustFitOnOneDevice() {
        Cluster two = new Cluster(
                List.of(Resource.inDevices("gpu", 1000)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(2000)))),
                List.of(
                        new RequestType("part", Amounts.of(600), Amounts.NONE, 0),
                        new RequestType("whole", Amounts.of(1000), Amounts.NONE, 0)));
        RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, 100 * SECOND, 10), 2);
        PolicySpec queueing = PolicySpec.of("first-fit", Map.of("when-full", "queue"));
        Engine engine = Engine.start(two, queueing, new Policies(), Steps.COMMANDS, 1, 0, collector);
        engine.arrive(0, 1, 0);
        engine.arrive(0, 2, 1);
        engine.arrive(0, 3, 0);
        engine.arrive(10 * SECOND, 4, 1);
        engine.arrive(10 * SECOND, 5, 1);
        Measurements measured = collector.finish(20 * SECOND);

        Origin origin = new Origin("", "", "", "", "", "first-fit", Map.of(), Map.of());
        List<String> types = List.of("part", "whole");
        List<SeriesRow> rows = new RunSeries(measured, two, types, origin, 0).overTime();
        // Of 4, .4 on two devices and a whole one are free: room for one .6, or for one whole.
        assertThat(row(rows, "usable_capacity{type=part,resource=gpu}").mean()).containsExactly(.15, 0);
        assertThat(row(rows, "usable_capacity{request=largest,resource=gpu}").mean())
                .containsExactly(.25, 0);
        assertThat(row(rows, "devices_in_use{resource=gpu}").mean()).containsExactly(2.2, 3.2);
        assertThat(row(rows, "devices_asked_for{resource=gpu}").mean()).containsExactly(2.2, 4.2);
        Map<String, RunMetric> metrics = RunMetrics.of(measured, two, types, 0, Set.of());
        // Free .4, .4 and 1, of which one .6 or the 1 could be used; then .4, .4 and nothing more.
        assertThat(metrics.get("fragments_mean{type=part,resource=gpu}").value())
                .isCloseTo((1.2 + .8) / 2, within(1e-9));
        assertThat(metrics.get("fragments_mean{type=whole,resource=gpu}").value())
                .isCloseTo(.8, within(1e-9));
        assertThat(RunMetrics.names(two, types)).containsAll(metrics.keySet());
    }

    private static SeriesRow row(List<SeriesRow> rows, String name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    }
}
