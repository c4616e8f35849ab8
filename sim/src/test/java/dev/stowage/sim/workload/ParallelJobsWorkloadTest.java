package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.model.Efficiency;
import org.junit.jupiter.api.Test;

final class ParallelJobsWorkloadTest {
    private static final long DAY = 86_400_000_000_000L;

    private static ParallelJobsWorkload paper(double rate, long until) {
        return new ParallelJobsWorkload(rate, until, 7, 0.8, 70, 1000, Efficiency.UNIFORM);
    }

    @Test
    void moments() {
        RequestStream stream = paper(0.15, 5 * DAY).open(1);
        long jobs = 0;
        long tasks = 0;
        long inJob = 0;
        long most = 0;
        double load = 0;
        long last = -1;
        while (stream.next()) {
            inJob = stream.arrivalNanos() == last ? inJob + 1 : 1;
            jobs += inJob == 1 ? 1 : 0;
            most = Math.max(most, inJob);
            last = stream.arrivalNanos();
            tasks++;
            load += stream.demand(0) / 1000.0;
            assertThat(stream.workNanos()).isEqualTo(stream.demand(0) * 1_000_000);
        }
        // Poisson: 0.15 x 5 days = 64,800 jobs, four standard deviations are 4 x 254.6.
        assertThat(jobs).isBetween(64_800L - 1_018, 64_800L + 1_018);
        assertThat(most).isEqualTo(70);
        assertThat((double) tasks / jobs).isCloseTo(meanTasks(), within(0.16));
        // Mean load 500 s, standard deviation 1000 / sqrt(12); some 540,000 tasks.
        assertThat(load / tasks).isCloseTo(500, within(1.6));
    }

    /**
     * Sum over n < 70 of P(tasks > n), P(tasks > n) = exp(-(n / 7)^0.8): 8.35. Its standard deviation is about 9.7: 4 x
     * 9.7 / 254.6 = 0.15.
     */
    private static double meanTasks() {
        double mean = 0;
        for (int n = 0; n < 70; n++) {
            mean += Math.exp(-Math.pow(n / 7.0, 0.8));
        }
        return mean;
    }

    @Test
    void sameSeedSameJobs() {
        RequestStream one = paper(0.15, DAY / 24).open(3);
        RequestStream other = paper(0.15, DAY / 12).open(3);
        while (one.next()) {
            assertThat(other.next()).isTrue();
            assertThat(other.arrivalNanos()).isEqualTo(one.arrivalNanos());
            assertThat(other.workNanos()).isEqualTo(one.workNanos());
        }
    }

    @Test
    void mistakes() {
        assertThatIllegalArgumentException().isThrownBy(() -> paper(0, DAY)).withMessageContaining("rate of jobs");
        assertThatIllegalArgumentException().isThrownBy(() -> paper(1, 0)).withMessageContaining("end of arrivals");
    }
}
