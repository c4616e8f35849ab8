package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SyntheticWorkloadTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> CPU = List.of("cpu_milli");

    private record Request(long arrivalNanos, int type, long demand, long workNanos, long rewardMicros) {}

    private static List<Request> requests(Workload workload, long seed) {
        var all = new ArrayList<Request>();
        RequestStream stream = workload.open(seed);
        while (stream.next()) {
            all.add(new Request(
                    stream.arrivalNanos(), stream.type(), stream.demand(0), stream.workNanos(), stream.rewardMicros()));
        }
        return all;
    }

    private static SyntheticType type(String name, double ratePerSecond) {
        return SyntheticType.inSeconds(name, ratePerSecond, Demand.fixed(1000), Distribution.exponential(60));
    }

    private static double[] counts(List<Request> requests, long windowNanos, int windows) {
        double[] counts = new double[windows];
        requests.forEach(r -> counts[(int) (r.arrivalNanos / windowNanos)]++);
        return counts;
    }

    /** Variance over mean; for n independent Poisson counts it is 1 with a standard error of sqrt(2 / n). */
    private static double dispersion(double[] counts) {
        double mean = Arrays.stream(counts).average().orElseThrow();
        return Arrays.stream(counts).map(c -> (c - mean) * (c - mean)).sum() / (counts.length - 1) / mean;
    }

    private static double chiSquare(double[] counts, double mean, int cells) {
        PoissonDistribution poisson = PoissonDistribution.of(mean);
        double sum = 0;
        for (int cell = 0; cell < cells; cell++) {
            int k = cell;
            boolean last = cell == cells - 1;
            double p = last ? poisson.survivalProbability(k - 1) : poisson.probability(k);
            double seen =
                    Arrays.stream(counts).filter(c -> last ? c >= k : c == k).count();
            double expected = p * counts.length;
            sum += (seen - expected) * (seen - expected) / expected;
        }
        return sum;
    }

    @Test
    void poissonCountsArePoisson() {
        int windows = 20_000;
        var workload = SyntheticWorkload.of(CPU, ArrivalProcess.poisson(), List.of(type("a", .2)))
                .until(windows * 10L * SECOND);
        double[] counts = counts(requests(workload, 1), 10 * SECOND, windows);
        // mean 2 per window; 5 standard errors of the mean are 5 sqrt(2 / 20000) = .05
        assertThat(Arrays.stream(counts).average().orElseThrow()).isCloseTo(2, within(.05));
        assertThat(dispersion(counts)).isCloseTo(1, within(5 * Math.sqrt(2.0 / windows)));
        assertThat(chiSquare(counts, 2, 9))
                .as("8 degrees of freedom, 99.9 %% quantile 26.1")
                .isLessThan(26.1);
    }

    @Test
    void everyTypeOfASuperpositionIsPoissonByItself() {
        int windows = 20_000;
        var workload = SyntheticWorkload.of(
                        CPU, ArrivalProcess.poisson(), List.of(type("a", .1), type("b", 0), type("c", .3)))
                .until(windows * 10L * SECOND);
        List<Request> all = requests(workload, 2);
        double[] a = counts(all.stream().filter(r -> r.type == 0).toList(), 10 * SECOND, windows);
        double[] c = counts(all.stream().filter(r -> r.type == 2).toList(), 10 * SECOND, windows);
        assertThat(all).noneMatch(r -> r.type == 1);
        assertThat(chiSquare(a, 1, 7))
                .as("6 degrees of freedom, 99.9 %% quantile 22.5")
                .isLessThan(22.5);
        assertThat(chiSquare(c, 3, 11))
                .as("10 degrees of freedom, 99.9 %% quantile 29.6")
                .isLessThan(29.6);
        double covariance = IntStream.range(0, windows)
                .mapToDouble(i -> (a[i] - 1) * (c[i] - 3))
                .average()
                .orElseThrow();
        // independent: standard error sqrt(1 3 / 20000) = .0122
        assertThat(covariance).isCloseTo(0, within(5 * .0122));
    }

    @Test
    void slotsHoldPoissonNumbersOfArrivals() {
        int slots = 50_000;
        long slot = SECOND / 10;
        var type = SyntheticType.inSlots("a", 1.5, slot, Demand.fixed(1), Distribution.geometric(100));
        var workload = SyntheticWorkload.of(CPU, ArrivalProcess.poissonPerSlot(slot), List.of(type))
                .until(slots * slot);
        List<Request> all = requests(workload, 3);
        assertThat(all).allMatch(r -> r.arrivalNanos % slot == 0 && r.workNanos % slot == 0 && r.workNanos >= slot);
        double[] counts = counts(all, slot, slots);
        assertThat(chiSquare(counts, 1.5, 8))
                .as("7 degrees of freedom, 99.9 %% quantile 24.3")
                .isLessThan(24.3);
        assertThat(dispersion(counts)).isCloseTo(1, within(5 * Math.sqrt(2.0 / slots)));
        // slot 0 has arrivals too: none in 20 workloads happens once in e^30
        assertThat(IntStream.range(0, 20))
                .anyMatch(seed -> requests(workload.limit(1), seed).get(0).arrivalNanos == 0);
    }

    @Test
    void idleSlotsCostNothing() {
        long slots = 1_000_000_000L; // taken one by one they would take minutes
        var type = SyntheticType.inSlots("a", 1e-7, SECOND, Demand.fixed(1), Distribution.geometric(100));
        var workload = SyntheticWorkload.of(CPU, ArrivalProcess.poissonPerSlot(SECOND), List.of(type))
                .until(slots * SECOND);
        assertThat(requests(workload, 4)).hasSizeBetween(50, 150); // Poisson(100)
    }

    @Test
    void dailyProfileSetsTheRateOfEveryHour() {
        int days = 300;
        double[] factors =
                IntStream.range(0, 24).mapToDouble(h -> h < 6 ? 0 : h / 12.0).toArray();
        var workload = SyntheticWorkload.of(
                        CPU, ArrivalProcess.poisson().withProfile(factors), List.of(type("a", 20 / 3600.0)))
                .until(days * 24L * ArrivalClock.HOUR_NANOS);
        double[] hourly = counts(requests(workload, 5), ArrivalClock.HOUR_NANOS, days * 24);
        for (int h = 0; h < 24; h++) {
            int hour = h;
            double[] ofHour = IntStream.range(0, days)
                    .mapToDouble(d -> hourly[d * 24 + hour])
                    .toArray();
            double expected = 20 * factors[h];
            assertThat(Arrays.stream(ofHour).average().orElseThrow())
                    .as("arrivals in hour %d", h)
                    .isCloseTo(expected, within(4.5 * Math.sqrt(expected / days)));
            if (expected > 0) {
                assertThat(dispersion(ofHour)).isCloseTo(1, within(4.5 * Math.sqrt(2.0 / days)));
            }
        }
    }

    @Test
    void deterministicArrivalsHaveEqualGaps() {
        var workload = SyntheticWorkload.of(CPU, ArrivalProcess.deterministic(), List.of(type("a", 2)))
                .until(3 * SECOND);
        assertThat(requests(workload, 6).stream().map(Request::arrivalNanos))
                .containsExactly(SECOND / 2, SECOND, 3 * SECOND / 2, 2 * SECOND, 5 * SECOND / 2);
    }

    @Test
    void batchesArriveTogether() {
        // sizes 1 and 3 with probability 1/2: E[S] = 2, E[S^2] = 5, so counts have dispersion 5/2
        int windows = 20_000;
        var sizes = Distribution.discrete(new double[] {1, 3}, new double[] {1, 1});
        var workload = SyntheticWorkload.of(CPU, ArrivalProcess.batches(sizes), List.of(type("a", .4)))
                .until(windows * 10L * SECOND);
        List<Request> all = requests(workload, 7);
        double[] counts = counts(all, 10 * SECOND, windows);
        assertThat(Arrays.stream(counts).average().orElseThrow())
                .isCloseTo(4, within(5 * Math.sqrt(4 * 2.5 / windows)));
        assertThat(dispersion(counts)).isCloseTo(2.5, within(.15));
        long batches = all.stream().map(Request::arrivalNanos).distinct().count();
        assertThat((double) all.size() / batches).isCloseTo(2, within(.02));
    }

    @Test
    void aChangeConcernsThoseWhoArriveFromThenOn() {
        var before = type("a", 1).withService(Distribution.deterministic(5));
        var after = type("a", 10).withService(Distribution.deterministic(7)).withReward(3);
        var workload = new SyntheticWorkload(
                CPU,
                ArrivalProcess.poisson(),
                List.of(
                        new WorkloadPhase(0, List.of(before, type("b", 0))),
                        new WorkloadPhase(1000 * SECOND, List.of(after, type("b", 30))),
                        new WorkloadPhase(2000 * SECOND, List.of(after.withRate(0), type("b", 0))),
                        new WorkloadPhase(3000 * SECOND, List.of(before, type("b", 0)))),
                Long.MAX_VALUE,
                4000 * SECOND);
        List<Request> all = requests(workload, 8);
        double[] counts = counts(all, 1000 * SECOND, 4);
        assertThat(counts[0]).isCloseTo(1000, within(5 * Math.sqrt(1000)));
        assertThat(counts[1]).isCloseTo(40_000, within(5 * Math.sqrt(40_000)));
        assertThat(counts[2]).isZero();
        assertThat(counts[3]).isCloseTo(1000, within(5 * Math.sqrt(1000)));
        for (Request request : all) {
            boolean second = request.arrivalNanos >= 1000 * SECOND && request.arrivalNanos < 2000 * SECOND;
            if (request.type == 0) {
                assertThat(request.workNanos).isEqualTo((second ? 7 : 5) * SECOND);
                assertThat(request.rewardMicros).isEqualTo(second ? 3 : 0);
            } else {
                assertThat(second).isTrue();
            }
        }
        double b = all.stream().filter(r -> r.type == 1).count();
        assertThat(b / counts[1]).isCloseTo(.75, within(5 * Math.sqrt(.75 * .25 / 40_000)));
    }

    @Test
    void commonRandomNumbers() {
        var a = type("a", 1);
        var b = type("b", 1);
        var one = SyntheticWorkload.of(CPU, ArrivalProcess.poisson(), List.of(a, b))
                .limit(5000);
        var two = SyntheticWorkload.of(
                        CPU,
                        ArrivalProcess.poisson(),
                        List.of(a, b.withService(Distribution.hyperexponential(new double[] {1, 1}, new double[] {1, 99
                        }))))
                .limit(5000);
        List<Request> first = requests(one, 9);
        List<Request> second = requests(two, 9);
        for (int i = 0; i < first.size(); i++) {
            if (first.get(i).type == 0) {
                assertThat(second.get(i)).isEqualTo(first.get(i));
            } else {
                assertThat(second.get(i).arrivalNanos).isEqualTo(first.get(i).arrivalNanos);
                assertThat(second.get(i).type).isEqualTo(1);
            }
        }
        assertThat(requests(one, 9)).isEqualTo(first);
        assertThat(requests(one, 10)).isNotEqualTo(first);
    }

    @Test
    void demandsAreDrawnInWholeUnits() {
        var drawn = Demand.drawn(
                new Demand.Size(Distribution.discrete(new double[] {.07, .4}, new double[] {1, 1}), 100),
                new Demand.Size(Distribution.uniform(0, .001), 100),
                new Demand.Size(Distribution.deterministic(0), 100));
        var workload = SyntheticWorkload.of(
                        List.of("a", "b", "c"),
                        ArrivalProcess.poisson(),
                        List.of(SyntheticType.inSeconds("x", 1, drawn, Distribution.exponential(1))))
                .limit(1000);
        RequestStream stream = workload.open(1);
        while (stream.next()) {
            // .07 100 is 7.000000000000001 in floating point: nearest, not up
            assertThat(stream.demand(0)).isIn(7L, 40L);
            assertThat(stream.demand(1)).isEqualTo(1); // above 0 is at least one unit
            assertThat(stream.demand(2)).isZero();
        }
    }

    @Test
    void endsAfterItsRequestsOrAtItsTime() {
        var endless = SyntheticWorkload.of(CPU, ArrivalProcess.poisson(), List.of(type("a", 1)));
        assertThat(requests(endless.limit(17), 1)).hasSize(17);
        assertThat(requests(endless.limit(0), 1)).isEmpty();
        assertThat(requests(endless.until(100 * SECOND), 1)).allMatch(r -> r.arrivalNanos < 100 * SECOND);
        assertThat(requests(endless.until(0), 1)).isEmpty();
        RequestStream ended = endless.limit(1).open(1);
        assertThat(ended.next()).isTrue();
        assertThat(ended.next()).isFalse();
        assertThat(ended.next()).isFalse();
    }

    @Test
    void theFirstRequestsAreTheSameOnEveryJvm() {
        var sizes = Demand.drawn(new Demand.Size(Distribution.uniform(.1, .9), 1_000_000));
        var workload = SyntheticWorkload.of(
                CPU,
                ArrivalProcess.batches(Distribution.geometric(3))
                        .withProfile(
                                IntStream.range(0, 24).mapToDouble(h -> h + 1).toArray()),
                List.of(
                        type("a", .01),
                        SyntheticType.inSeconds("b", .02, sizes, Distribution.lognormal(5, 1))
                                .withReward(7),
                        SyntheticType.inSeconds("c", .03, sizes, Distribution.weibull(.7, 100))));
        assertThat(Digests.of(workload, 1, 10_000)).isEqualTo("4e2810ea712259a1");
    }

    static Stream<Arguments> mistakes() {
        var a = type("a", 1);
        var poisson = ArrivalProcess.poisson();
        return Stream.of(
                mistake(() -> type("a", -1), "rate of type a per second is -1.0"),
                mistake(() -> type(" ", 1), "name of a request type is blank"),
                mistake(() -> Demand.fixed(-1), "demand[0] is -1, must be at least 0"),
                mistake(() -> Demand.fixed(), "number of resources of a demand is 0"),
                mistake(() -> new Demand.Size(Distribution.deterministic(1), 0), "scale of a demand is 0"),
                mistake(() -> ArrivalProcess.poissonPerSlot(0), "slot length in nanoseconds is 0"),
                mistake(() -> poisson.withProfile(1, 2), "number of hourly factors is 2, must be 24 (a day) or 168"),
                mistake(() -> poisson.withProfile(new double[24]), "sum of the hourly factors is 0.0"),
                mistake(() -> ArrivalProcess.batches(Distribution.exponential(2)), "use a deterministic, geometric or"),
                mistake(() -> ArrivalProcess.batches(Distribution.deterministic(0)), "mean batch size is 0.0"),
                mistake(() -> SyntheticWorkload.of(CPU, poisson, List.of()), "has no request types"),
                mistake(() -> SyntheticWorkload.of(CPU, poisson, List.of(a, a)), "two request types are named a"),
                mistake(
                        () -> SyntheticWorkload.of(List.of("x", "y"), poisson, List.of(a)),
                        "number of demanded resources of type a is 1, must be 2"),
                mistake(() -> phases(new WorkloadPhase(5, List.of(a))), "start of the first phase in nanoseconds is 5"),
                mistake(
                        () -> phases(new WorkloadPhase(0, List.of(a)), new WorkloadPhase(0, List.of(a))),
                        "start of phase 1 in nanoseconds is 0, must be above the one before, 0"),
                mistake(
                        () -> phases(new WorkloadPhase(0, List.of(a)), new WorkloadPhase(1, List.of(type("b", 1)))),
                        "phase 1 has the types [b], must have those of the first phase"));
    }

    private static void phases(WorkloadPhase... phases) {
        new SyntheticWorkload(CPU, ArrivalProcess.poisson(), List.of(phases), 1, 1);
    }

    private static Arguments mistake(Runnable construction, String message) {
        return Arguments.of(construction, message);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakesAreNamed(Runnable construction, String message) {
        assertThatThrownBy(construction::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
