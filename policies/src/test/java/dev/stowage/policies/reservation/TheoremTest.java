package dev.stowage.policies.reservation;

import static dev.stowage.policies.reservation.RewardRig.A;
import static dev.stowage.policies.reservation.RewardRig.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import java.util.Map;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/**
 * Theorem 4.1 in a short simulation: reward per server tends to that of the global greedy assignment as servers and
 * load grow.
 *
 * <p>Servers of size 4; per server a load of 4 A (size 1, reward 1) and 1 B (size 2, reward 3). Greedy: half of the
 * servers hold two B, the others four A: 3 + 2 = 5. That is the optimum, for B pay more for their size and all room is
 * used.
 */
class TheoremTest {
    private static final double LOAD_OF_A = 4;
    private static final double LOAD_OF_B = 1;
    private static final double OPTIMUM = 5;

    @Test
    void rewardTendsToGreedy() {
        double few = reward(PolicySpec.of("dra"), 20, 60);
        double more = reward(PolicySpec.of("dra"), 200, 25);
        double many = reward(PolicySpec.of("dra"), 2000, 10);
        assertThat(few).isBetween(OPTIMUM / 2, more);
        assertThat(more).isBetween(few, many);
        // What 2 g(L) = 42 slots of reserve and the noise of admissions cost of 8,000 units of room.
        assertThat(many).isBetween(0.96 * OPTIMUM, OPTIMUM);
    }

    /** The estimate knows of the rejected, so slots for B wait for B; the limit is the same. */
    @Test
    void withAnEstimateToo() {
        double reward = reward(PolicySpec.of("dra", Map.of("workload", "estimate")), 1000, 15);
        assertThat(reward).isBetween(0.94 * OPTIMUM, OPTIMUM);
    }

    /** First fit serves whoever comes: A, four times as many, take what B would need in one piece. */
    @Test
    void completeSharingDoesNot() {
        assertThat(reward(PolicySpec.of("first-fit"), 1000, 15))
                .isLessThan(0.94 * OPTIMUM)
                .isLessThan(reward(PolicySpec.of("dra"), 1000, 15));
    }

    /** Mean reward per server and time, mean service time 1, after 5 service times. */
    private static double reward(PolicySpec policy, int servers, double until) {
        RewardRig rig = new RewardRig(servers, policy);
        KeyedRandom random = new KeyedRandom();
        random.key(1, servers, 7);
        PriorityQueue<double[]> departures = new PriorityQueue<>((one, other) -> Double.compare(one[0], other[0]));
        double rate = (LOAD_OF_A + LOAD_OF_B) * servers;
        double now = 0;
        double earning = 0;
        double earned = 0;
        double arrival = random.nextExponential() / rate;
        long id = 0;
        while (now < until) {
            double next = departures.isEmpty()
                    ? arrival
                    : Math.min(arrival, departures.peek()[0]);
            earned += now > 5 ? earning * (next - now) : 0;
            now = next;
            if (next == arrival) {
                int type = random.nextDouble() < LOAD_OF_A / (LOAD_OF_A + LOAD_OF_B) ? A : B;
                double service = random.nextExponential();
                if (!rig.arrive(type).equals("rejected")) {
                    earning += type == A ? 1 : 3;
                    departures.add(new double[] {now + service, id, type});
                }
                id++;
                arrival = now + random.nextExponential() / rate;
            } else {
                double[] gone = departures.remove();
                rig.leave((long) gone[1]);
                earning -= gone[2] == A ? 1 : 3;
            }
        }
        return earned / (until - 5) / servers;
    }
}
