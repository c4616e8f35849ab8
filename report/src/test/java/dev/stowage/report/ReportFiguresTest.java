package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.DistributionRow;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ReportFiguresTest {
    private final ResultSample sample = new ResultSample();

    private static List<Figure> all(Results results) {
        return ReportFigures.of(results).stream()
                .flatMap(s -> s.figures().stream())
                .toList();
    }

    private static LineFigure named(Results results, String name) {
        return all(results).stream()
                .filter(figure -> figure.name().equals(name))
                .map(LineFigure.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " not in "
                        + all(results).stream().map(Figure::name).toList()));
    }

    @Test
    void oneSiteIsShownOnce() {
        assertThat(all(sample.results()).stream().map(Figure::name))
                .containsExactly(
                        "queue-length",
                        "wait-distribution",
                        "utilization-resource-cpu-milli",
                        "utilization-resource-mem-mib",
                        "occupied-servers",
                        "server-occupancy-resource-cpu-milli",
                        "server-occupancy-resource-mem-mib");
    }

    /** 7 figures of the whole and 8 sites × 2 resources, each with 10 lines in 10 colours. */
    @Test
    void tenPoliciesOnEightSites() {
        sample.policies = IntStream.range(0, 10).mapToObj(i -> "p" + i).toList();
        sample.sites = IntStream.range(0, 8).mapToObj(i -> "dc" + i).toList();
        List<Figure> figures = all(sample.results());
        assertThat(figures).hasSize(7 + 16);
        assertThat(new HashSet<>(figures.stream().map(Figure::name).toList())).hasSize(23);
        assertThat(figures).allSatisfy(figure -> {
            List<Line> lines = ((LineFigure) figure).lines();
            assertThat(lines).hasSize(10);
            assertThat(lines.stream().map(line -> Theme.line(line.colour())).distinct())
                    .hasSize(10);
        });
    }

    /**
     * Intervals of 1/200 of 5.7 days: the first value stands at 5.7 / 400 days. The warm-up of 6 h ends at 0.25 days.
     */
    @Test
    void timeIsInDaysWithTheWarmUpMarked() {
        LineFigure figure = named(sample.results(), "queue-length");
        assertThat(figure.x().title()).isEqualTo("simulated time (days)");
        assertThat(figure.x().max()).isCloseTo(5.7, Offset.offset(1e-9));
        assertThat(figure.lines().get(0).x()[0]).isCloseTo(5.7 / 400, Offset.offset(1e-9));
        assertThat(figure.marks()).containsExactly(0.25);
        assertThat(figure.caption()).contains("warm-up");
    }

    private SeriesRow series(String name, double... hourly) {
        double[] start =
                IntStream.range(0, hourly.length).mapToDouble(i -> 3600 * i).toArray();
        return new SeriesRow(sample.origin("dra", Map.of()), 0, name, "slots", start, hourly, hourly, hourly);
    }

    /**
     * Reward with the bound of any policy; slots by type; the reject group separate from the accept group, which would
     * hide it.
     */
    @Test
    void slotsAndRewardOverTime() {
        Results results = new Results(
                List.of(
                        series("reward_rate", 3, 4),
                        series("reward_bound", 6),
                        series("rejection_rate{type=a, b}", 1, 2),
                        series("filled_slots{type=a, b}", 5, 6),
                        series("filled_slots{type=c}", 1, 2),
                        series("reserved_slots{type=a, b}", 2, 2),
                        series("accept_group", 97, 99),
                        series("reject_group", 3, 1)),
                null,
                List.of());
        assertThat(all(results).stream().map(Figure::name))
                .containsExactly(
                        "reward-rate",
                        "dra-requests-in-slots-by-type",
                        "dra-empty-slots-by-type",
                        "dra-rejected-requests-per-second-by-type",
                        "dra-servers-of-the-reject-group");
        LineFigure reward = named(results, "reward-rate");
        assertThat(reward.lines().stream().map(Line::label)).containsExactly("dra", "greatest of any");
        assertThat(reward.y().max()).isGreaterThan(6);
        LineFigure filled = named(results, "dra-requests-in-slots-by-type");
        assertThat(filled.lines().stream().map(Line::label)).containsExactly("a, b", "c");
        assertThat(filled.lines().get(0).y()).containsExactly(5, 6);
        assertThat(named(results, "dra-servers-of-the-reject-group").caption()).contains("on average 98");
    }

    @Test
    void showsTheFirstReplicationOfEachSeries() {
        List<ResultRow> rows = new ArrayList<>();
        for (int replication : new int[] {2, 1}) {
            double[] value = {replication};
            rows.add(new SeriesRow(
                    sample.origin("p", Map.of()),
                    replication,
                    "running",
                    "requests",
                    new double[] {0},
                    value,
                    value,
                    value));
        }
        LineFigure figure = named(new Results(rows, null, List.of()), "running");
        assertThat(figure.lines().get(0).y()).containsExactly(1.0);
        assertThat(figure.marks()).isEmpty();
    }

    @Test
    void differentWarmUpsAreNotMarked() {
        List<ResultRow> rows = new ArrayList<>(sample.rows());
        rows.add(new RunRow(sample.origin("bf-js", Map.of()), 9, 9, "00", 1, 3600, Map.of()));
        assertThat(named(new Results(rows, null, List.of()), "queue-length").marks())
                .isEmpty();
    }

    @Test
    void sweepLeavesOutUnstablePointsAndNamesThem() {
        Results results = sample.loads(0.9, 0.5, 0.7).results();
        // The unstable one is the last point of the sample, load 0.7.
        LineFigure figure = named(results, "sweep-wait-mean-s");
        assertThat(figure.title()).isEqualTo("Mean wait against workload.load");
        assertThat(figure.caption())
                .contains("Not drawn, because the queue is unstable: fifo-ff at 0.7 (+12.34 ± 0.80 requests/h).");
        assertThat(figure.lines().get(0).x()).containsExactly(0.5, 0.7, 0.9);
        // No line runs across it.
        assertThat(figure.lines().get(2).x()).containsExactly(0.5, 0.7, 0.9);
        assertThat(figure.lines().get(2).y()[1]).isNaN();
        assertThat(FigureRenderer.svg(figure)).contains("<svg").doesNotContain("NaN");
        assertThat(named(results, "sweep-occupied-servers-mean").lines().get(2).x())
                .containsExactly(0.5, 0.7, 0.9);
    }

    /** Servers from 1,080 to 1,200 with intervals of 3 %: 1,047.6 to 1,236, a tenth of which is 18.84. */
    @Test
    void anAxisShowsDifferencesAndSaysSo() {
        LineFigure figure = named(sample.loads(0.5, 0.6, 0.7).results(), "sweep-occupied-servers-mean");
        assertThat(figure.y().min()).isCloseTo(1047.6 - 18.84, Offset.offset(1e-9));
        assertThat(figure.y().max()).isCloseTo(1236 + 18.84, Offset.offset(1e-9));
        assertThat(figure.caption()).contains(" The axis begins at 1,029 to show the differences.");
        LineFigure waits = named(sample.results(), "sweep-wait-mean-s");
        assertThat(waits.y().min()).isZero();
        assertThat(waits.caption()).doesNotContain("The axis begins");
    }

    private static SeriesRow gauge(String name, double... hourly) {
        double[] start =
                IntStream.range(0, hourly.length).mapToDouble(i -> 3600 * i).toArray();
        Origin origin = new ResultSample().origin("shadow", Map.of());
        return new SeriesRow(origin, 0, name, "servers", start, hourly, hourly, hourly);
    }

    /** After a warm-up of an hour .42 to .48 of the servers are in use, the optimum is .45: an axis from 40 to 50 %. */
    @Test
    void sitesHaveTheirNamesAndTheAxisBeginsAfterTheWarmUp() {
        Results results = new Results(
                List.of(
                        new RunRow(new ResultSample().origin("shadow", Map.of()), 0, 1, "00", 3600, 10_800, Map.of()),
                        gauge("idealised_servers{site=0}", 10, 42, 44),
                        gauge("occupied_servers{site=1}", 10, 46, 48),
                        gauge("up_servers{site=0}", 100, 100, 100),
                        gauge("up_servers{site=1}", 100, 100, 100)),
                "cluster: {sites: [{name: DC1}, {name: DC2}]}",
                List.of());
        LineFigure figure = (LineFigure) new TimeFigures(results, Map.of(), new FigureNames())
                .serversBySite(new double[][] {{0, 0.45}})
                .get(0);
        assertThat(figure.lines().stream().map(Line::label)).containsExactly("DC1", "DC2", "optimum");
        assertThat(figure.y().min()).isCloseTo(0.4, Offset.offset(1e-12));
        assertThat(figure.y().max()).isCloseTo(0.5, Offset.offset(1e-12));
        assertThat(figure.caption()).endsWith(" The axis begins at 40 % to show the differences.");
        // Values below the axis, at the start, are not drawn.
        assertThat(figure.lines().get(0).y()[0]).isNaN();
        assertThat(results.siteName("7")).isEqualTo("site 7");
    }

    @Test
    void sweepMarksWhereTheLoadMeetsTheBound() {
        sample.loadsOfBound = List.of(0.8, 0.9, 1.1);
        LineFigure inside = named(sample.loads(1, 2, 3).results(), "sweep-wait-mean-s");
        // 0.9 at 2 and 1.1 at 3: 1 is at 2.5.
        assertThat(inside.marks()).hasSize(1);
        assertThat(inside.marks().get(0)).isCloseTo(2.5, Offset.offset(1e-9));
        assertThat(inside.caption()).contains("Dashed: above this value of workload.load no policy can keep up.");
        // 0.05 more per step of 1: 1 would be at 3.2, within a fifth of the range, so the axis goes as far.
        sample.loadsOfBound = List.of(0.89, 0.94, 0.99);
        LineFigure beyond = named(sample.loads(1, 2, 3).results(), "sweep-wait-mean-s");
        assertThat(beyond.marks().get(0)).isCloseTo(3.2, Offset.offset(1e-9));
        assertThat(beyond.x().max()).isGreaterThan(3.2);
        // Far from the bound: mentioned, not drawn.
        sample.loadsOfBound = List.of(0.3, 0.4, 0.5);
        LineFigure away = named(sample.loads(1, 2, 3).results(), "sweep-wait-mean-s");
        assertThat(away.marks()).isEmpty();
        assertThat(away.caption()).contains("The load is 30 % to 50 % of the greatest that any policy supports.");
    }

    /** 90 s at the first load is 1.5 min; the interval of 3 % is 0.045 min. */
    @Test
    void sweepHasErrorBarsInTheUnitOfTheAxis() {
        LineFigure figure = named(sample.loads(0.5, 0.7).results(), "sweep-wait-mean-s");
        assertThat(figure.y().title()).isEqualTo("mean wait (s)");
        Line line = figure.lines().get(0);
        assertThat(line.y()[0]).isEqualTo(90.0);
        assertThat(line.low()[0]).isCloseTo(87.3, Offset.offset(1e-9));
        assertThat(line.high()[0]).isCloseTo(92.7, Offset.offset(1e-9));
        LineFigure longer = named(sample.loads(0.5, 0.7, 0.8).results(), "sweep-wait-mean-s");
        assertThat(longer.y().title()).isEqualTo("mean wait (min)");
        assertThat(longer.lines().get(0).y()[0]).isCloseTo(1.5, Offset.offset(1e-12));
    }

    /** One run has no intervals, and the caption does not mention error bars. */
    @Test
    void aSweepWithoutIntervalsSpeaksOfNoBars() {
        String bars = "bars are each policy's own confidence interval";
        assertThat(named(sample.loads(0.5, 0.7).results(), "sweep-wait-mean-s").caption())
                .contains(bars);
        sample.replications = 1;
        assertThat(named(sample.loads(0.5, 0.7).results(), "sweep-wait-mean-s").caption())
                .doesNotContain(bars)
                .startsWith("Mean wait at each workload.load.");
    }

    /** Values that are decades apart have room each; evenly spaced ones from a small value need no such axis. */
    @Test
    void sweepOverDecadesIsLogarithmic() {
        Axis decades = named(sample.loads(0.01, 0.1, 1, 10).results(), "sweep-occupied-servers-mean")
                .x();
        assertThat(decades.logarithmic()).isTrue();
        assertThat(decades.min()).isLessThan(0.01);
        assertThat(decades.max()).isGreaterThan(10);
        assertThat(named(sample.loads(0.1, 2, 4, 6, 8, 10).results(), "sweep-occupied-servers-mean")
                        .x()
                        .logarithmic())
                .isFalse();
        assertThat(named(sample.loads(0, 0.1, 1, 100).results(), "sweep-occupied-servers-mean")
                        .x()
                        .logarithmic())
                .isFalse();
    }

    /** One 0 made the axis linear, where small waits could not be told from it. */
    @Test
    void aLogarithmicSweepMayHaveZeros() {
        sample.idleAtFirst = true;
        LineFigure figure = named(sample.loads(0.5, 0.6, 0.7, 0.8, 0.9).results(), "sweep-wait-mean-s");
        assertThat(figure.y().logarithmic()).isTrue();
        assertThat(figure.y().min()).isPositive();
        assertThat(figure.caption()).contains("the vertical axis is logarithmic, 0 is at its lower edge.");
        // Under the pointer is what was measured.
        assertThat(figure.lines()).allSatisfy(line -> assertThat(line.y()[0]).isZero());
        assertThat(FigureRenderer.svg(figure))
                .contains("<svg")
                .doesNotContain("NaN")
                .doesNotContain("Infinity");
        assertThat(InteractivePlot.coinciding(figure)).isEmpty();
    }

    @Test
    void sweepOverNamesPutsThemSideBySide() {
        sample.points = List.of(
                ResultSample.point("arrivals", "normal"),
                ResultSample.point("arrivals", "bursty"),
                ResultSample.point("arrivals", "daily"));
        LineFigure figure = named(sample.results(), "sweep-wait-mean-s");
        assertThat(figure.lines().get(0).x()).containsExactly(1, 2, 3);
        assertThat(figure.x().label().apply(2)).isEqualTo("bursty");
        List<String> between = IntStream.rangeClosed(0, 8)
                .filter(i -> i % 2 == 1 || i == 0 || i == 8)
                .mapToObj(i -> figure.x().label().apply(i / 2.0))
                .toList();
        assertThat(between)
                .doesNotHaveDuplicates()
                .allMatch(label -> label.length() == 1 && !Character.isLetter(label.charAt(0)));
    }

    @Test
    void sweepOverTwoAxesHasFiguresForEachValueOfTheOther() {
        sample.points = List.of(
                ResultSample.point("load", "0.5", "d", "2"),
                ResultSample.point("load", "0.7", "d", "2"),
                ResultSample.point("load", "0.9", "d", "2"),
                ResultSample.point("load", "0.5", "d", "3"));
        assertThat(all(sample.results()).stream().map(Figure::title))
                .contains("Mean wait against load at d = 2", "Mean wait against load at d = 3");
    }

    /** A long name of an experiment beside a long axis would cut off the title. */
    @Test
    void anExperimentAmongSeveralIsToldByItsName() {
        sample.points = List.of(
                ResultSample.point("experiment", "randomized-fig1", "load", "0.5"),
                ResultSample.point("experiment", "randomized-fig1", "load", "0.7"),
                ResultSample.point("experiment", "randomized-fig2", "load", "0.5"),
                ResultSample.point("experiment", "randomized-fig2", "load", "0.7"));
        assertThat(all(sample.results()).stream().map(Figure::title))
                .contains("Mean wait against load, randomized-fig1", "Mean wait against load, randomized-fig2");
    }

    @Test
    void longSweepsShowThreePointsOverTime() {
        List<String> headings = ReportFigures.of(
                        sample.loads(.1, .2, .3, .4, .5, .6, .7).results())
                .stream()
                .map(Section::heading)
                .toList();
        assertThat(headings)
                .containsExactly(
                        "Sweep",
                        "Policies at workload.load = 0.1",
                        "Policies at workload.load = 0.4",
                        "Policies at workload.load = 0.7");
    }

    private DistributionRow waits(int replication, long count, double[] probability, double[] quantile) {
        return new DistributionRow(
                sample.origin("p", Map.of()), replication, "wait_s", "s", count, probability, quantile);
    }

    /**
     * Run 0: 100 requests, half wait 0, then evenly up to 10 s. Run 1: 300 requests, none waits. Longer than 0: (100 ·
     * 0.5) / 400 = 0.125; longer than 10: 0. Quantile 5 of run 0 is at 0.75: (100 · 0.25) / 400 = 0.0625.
     */
    @Test
    void poolsWaitsOverReplications() {
        Tail tail = Tail.of(List.of(
                waits(0, 100, new double[] {0, 0.5, 0.75, 1}, new double[] {0, 0, 5, 10}),
                waits(1, 300, new double[] {0, 1}, new double[] {0, 0})));
        assertThat(tail.positive()).isEqualTo(0.125);
        assertThat(tail.x()).containsExactly(5, 10);
        assertThat(tail.share()).containsExactly(0.0625, 0);
    }

    @Test
    void noFigureWhereNobodyWaits() {
        Results results =
                new Results(List.of(waits(0, 100, new double[] {0, 1}, new double[] {0, 0})), null, List.of());
        assertThat(all(results)).isEmpty();
    }

    @Test
    void waitTailEndsAtTheLongestWait() {
        Results results = new Results(
                List.of(waits(0, 100, new double[] {0, 0.5, 1}, new double[] {0, 1, 100})), null, List.of());
        Line line = named(results, "wait-distribution").lines().get(0);
        assertThat(line.x()[line.x().length - 1]).isEqualTo(100.0);
        assertThat(java.util.Arrays.stream(line.y()).min().orElseThrow()).isPositive();
        assertThat(line.y()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    /** Probabilities 0, 0.5, 1 with occupancies 0, 0.4, 1: the fullest server on the left. */
    @Test
    void occupancyStartsWithTheFullestServer() {
        Results results = new Results(
                List.of(new DistributionRow(
                        sample.origin("p", Map.of()),
                        0,
                        "server_occupancy{resource=cpu_milli}",
                        "fraction",
                        10,
                        new double[] {0, 0.5, 1},
                        new double[] {0, 0.4, 1})),
                null,
                List.of());
        Line line =
                named(results, "server-occupancy-resource-cpu-milli").lines().get(0);
        assertThat(line.x()).containsExactly(0, 0.5, 1);
        assertThat(line.y()).containsExactly(1, 0.4, 0);
    }

    @Test
    void namesAreSafeAndUnique() {
        FigureNames names = new FigureNames();
        assertThat(names.of("Queue length / DC ÄÖ")).isEqualTo("queue-length-dc");
        assertThat(names.of("queue length, dc")).isEqualTo("queue-length-dc-2");
        assertThat(names.of("../../..")).isEqualTo("figure");
        assertThat(names.of("x".repeat(500))).hasSize(80);
    }
}
