package dev.stowage.study.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.study.bound.JobBound.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class JobBoundTest {
    private static Job job(double arrival, double work) {
        return new Job(arrival, work, 0, work);
    }

    /**
     * Speed 2. Job 1 (work 20) runs from 0, is stopped at 4 by job 2 (work 4, done at 6), and is done at 12: 12 + 2 =
     * 14.
     */
    @Test
    void aShorterJobGoesBefore() {
        assertThat(JobBound.flowTime(List.of(job(0, 20), job(4, 4)), 2)).isEqualTo(14);
        // A longer one waits: 5 + (10 - 1 + 5) at speed 1.
        assertThat(JobBound.flowTime(List.of(job(0, 5), job(1, 10)), 1)).isEqualTo(5 + 14);
        // Idle between.
        assertThat(JobBound.flowTime(List.of(job(0, 5), job(100, 10)), 1)).isEqualTo(15);
    }

    /** Reference: in whole units of time, each given to the job with least work left. */
    @Test
    void agreesWithUnitsOfTime() {
        long seed = 7;
        Random random = new Random(seed);
        for (int trial = 0; trial < 200; trial++) {
            List<Job> jobs = new ArrayList<>();
            int arrival = 0;
            for (int n = 0; n < 12; n++) {
                arrival += random.nextInt(9);
                jobs.add(job(arrival, 1 + random.nextInt(12)));
            }
            assertThat(JobBound.flowTime(jobs, 1))
                    .as("seed " + seed + ", trial " + trial)
                    .isCloseTo(slow(jobs), within(1e-9));
        }
    }

    private static double slow(List<Job> jobs) {
        double[] left = jobs.stream().mapToDouble(Job::work).toArray();
        double sum = 0;
        int done = 0;
        for (int now = 0; done < left.length; now++) {
            int shortest = -1;
            for (int n = 0; n < left.length; n++) {
                if (left[n] > 0 && jobs.get(n).arrival() <= now && (shortest < 0 || left[n] < left[shortest])) {
                    shortest = n;
                }
            }
            if (shortest >= 0 && --left[shortest] == 0) {
                sum += now + 1 - jobs.get(shortest).arrival();
                done++;
            }
        }
        return sum;
    }
}
