package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PricedWorkloadTest {
    /**
     * 0.037 per core and 0.00275 per GiB: 2 cores and 3.5 GiB pay 0.074 + 0.009625 = 0.083625, so 83,625 micro-units.
     */
    @Test
    void requestsPayForWhatTheyDemand() {
        Workload workload = new PricedWorkload(AzureLikeWorkload.of(0.01, 1), new double[] {37, 2750.0 / 1024});
        int priced = 0;
        RequestStream stream = workload.open(1);
        while (stream.next()) {
            double expected = 37 * stream.demand(0) + 2750.0 / 1024 * stream.demand(1);
            assertThat(stream.rewardMicros()).isEqualTo(Math.round(expected));
            if (stream.demand(0) == 2000 && stream.demand(1) == 3584) {
                assertThat(stream.rewardMicros()).isEqualTo(83_625);
                assertThat(workload.typeRewardMicros(stream.type())).isEqualTo(83_625);
                priced++;
            }
        }
        assertThat(priced).isPositive();
    }
}
