package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The generator against the figures stated in docs/workloads.md, and against the trace itself if it is present. */
class AzureLikeWorkloadTest {
    private static final int HOURS = 136;
    private static final double DAYS = VmLog.TRACE_SECONDS / 86_400;
    private static VmLog[] generated;

    @BeforeAll
    static void generate() {
        generated = IntStream.rangeClosed(1, 3)
                .mapToObj(seed -> VmLog.generated(AzureLikeWorkload.of(1, DAYS), seed))
                .toArray(VmLog[]::new);
    }

    @Test
    void statedFigures() {
        for (VmLog log : generated) {
            assertThat(log.size()).isCloseTo(415_000, Percentage.withPercentage(5));
            assertThat(log.batchSizes().length).isCloseTo(83_000, Percentage.withPercentage(1.5));
            assertThat(average(log.concurrent(log.vcpus))).isCloseTo(44_000, Percentage.withPercentage(10));
            assertThat(average(log.concurrent(log.gib))).isCloseTo(128_000, Percentage.withPercentage(10));
            assertThat(max(log.concurrent(log.vcpus))).isCloseTo(68_000, Percentage.withPercentage(15));
            assertThat(log.uniformBatches()).isCloseTo(.80, within(.01));
            assertThat(log.batchCorrelation()).isCloseTo(.86, within(.03));
            assertThat(VmLog.dispersion(log.perHour(true, HOURS))).isBetween(6.0, 11.0);
        }
    }

    @Test
    void followsTheTrace() {
        Optional<VmLog> found = VmLog.trace();
        if (found.isEmpty()) {
            System.out.println("skipped: no ../shared/data/azure2017_vms_5.7d.csv.gz");
        }
        assumeTrue(found.isPresent(), "skipped: no ../shared/data/azure2017_vms_5.7d.csv.gz");
        VmLog trace = found.orElseThrow();
        assertThat(trace.size()).isEqualTo(410_276);
        for (VmLog log : generated) {
            assertThat(average(log.concurrent(log.vcpus)))
                    .isCloseTo(average(trace.concurrent(trace.vcpus)), Percentage.withPercentage(10));
            assertThat(average(log.concurrent(log.gib)))
                    .isCloseTo(average(trace.concurrent(trace.gib)), Percentage.withPercentage(12));
            assertThat(log.batchCorrelation()).isCloseTo(trace.batchCorrelation(), within(.03));
            assertThat(log.uniformBatches()).isCloseTo(trace.uniformBatches(), within(.02));
            assertArrivals(log, trace);
            assertDurations(log, trace);
            assertShapes(log, trace);
        }
    }

    private static void assertArrivals(VmLog log, VmLog trace) {
        double[] ours = VmLog.profile(log.perHour(true, HOURS));
        double[] theirs = VmLog.profile(trace.perHour(true, HOURS));
        for (int h = 0; h < 24; h++) {
            // about 5.7 days: the mean of an hour has a standard error of sqrt(600 / 5.7) = 10, below 3 %
            assertThat(ours[h]).as("batches in hour %d", h).isCloseTo(theirs[h], Percentage.withPercentage(12));
        }
    }

    private static void assertDurations(VmLog log, VmLog trace) {
        assertThat(log.durationDistance(trace))
                .as("distance of the service times")
                .isLessThan(.03);
    }

    private static void assertShapes(VmLog log, VmLog trace) {
        double[] ours = log.mix();
        double[] theirs = trace.mix();
        for (int s = 0; s < ours.length; s++) {
            assertThat(ours[s]).as("share of shape %d", s).isCloseTo(theirs[s], within(.02));
        }
    }

    @Test
    void scaleMultipliesTheRate() {
        double full = generated[0].batchSizes().length;
        double tenth = VmLog.generated(AzureLikeWorkload.of(.1, DAYS), 1).batchSizes().length;
        assertThat(tenth / full).isCloseTo(.1, within(5 * .1 / Math.sqrt(tenth)));
    }

    /** Warm start: about as many requests run at time 0 as two weeks later. */
    @Test
    void warmStartBeginsInTheSteadyState() {
        double now = 0;
        double later = 0;
        for (int seed = 1; seed <= 4; seed++) {
            RequestStream stream = new AzureLikeWorkload(.2, 14, 60).open(seed);
            while (stream.next()) {
                now += stream.arrivalNanos() == 0 ? 1 : 0;
                later += stream.arrivalNanos() + stream.workNanos() > 14 * 24 * ArrivalClock.HOUR_NANOS ? 1 : 0;
            }
        }
        // about 45,000 requests in batches, dispersion about 90: 4.5 % for each, 6.3 % for the ratio; 4 standard errors
        assertThat(now / later).isCloseTo(1, within(.25));
    }

    @Test
    void startsEmptyUnlessWarm() {
        RequestStream stream = AzureLikeWorkload.of(1, 1).open(1);
        assertThat(stream.next()).isTrue();
        assertThat(stream.arrivalNanos()).isPositive();
    }

    @Test
    void typesAreShapes() {
        var workload = AzureLikeWorkload.of(1, 1);
        assertThat(workload.types())
                .hasSize(15)
                .doesNotHaveDuplicates()
                .startsWith("1 vCPU / 1.75 GiB", "2 vCPU / 3.5 GiB");
        RequestStream stream = workload.open(1);
        while (stream.next()) {
            String name = stream.demand(0) / 1000 + " vCPU / " + trimmed(stream.demand(1) / 1024.0) + " GiB";
            assertThat(workload.types().get(stream.type())).isEqualTo(name);
            assertThat(stream.workNanos()).isPositive();
        }
    }

    private static String trimmed(double gib) {
        return gib == Math.rint(gib) ? Long.toString((long) gib) : Double.toString(gib);
    }

    @Test
    void theFirstRequestsAreTheSameOnEveryJvm() {
        assertThat(Digests.of(AzureLikeWorkload.of(1, 10), 1, 10_000)).isEqualTo("7da3f92f12615ca0");
        assertThat(Digests.of(new AzureLikeWorkload(.1, 1, 20), 2, 10_000)).isEqualTo("b8d255a830a1a7c3");
    }

    @Test
    void wrongParametersAreNamed() {
        assertThatThrownBy(() -> AzureLikeWorkload.of(0, 1))
                .hasMessage("scale of azure-like is 0.0, must be above 0, at most 1,000,000");
        assertThatThrownBy(() -> AzureLikeWorkload.of(1, Double.NaN)).hasMessageContaining("days of azure-like is NaN");
        assertThatThrownBy(() -> new AzureLikeWorkload(1, 1, -1))
                .hasMessageContaining("warm start of azure-like in days is -1.0");
    }

    private static double average(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }
}
