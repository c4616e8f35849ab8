package dev.stowage.policies.reservation;

import static dev.stowage.policies.reservation.RewardRig.type;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers of size 4, types of size 1 and 4. Two servers keep g(2) = ceil((ln 2)^1.5) = 1 slot of each type empty, 5 of
 * 8: 0.625 of the cluster. Five keep ceil((ln 5)^1.5) = ceil(2.04) = 3 of each, 15 of 20: 0.75.
 */
class ProtectOrReserveTest {
    private static final PolicySpec TRIED =
            PolicySpec.of("protect-or-reserve", Map.of("reserve-below", "0", "try-below", "0.75"));

    private static RewardRig rig(int servers, PolicySpec policy) {
        return new RewardRig(servers, policy, type("small", 1, 100), type("large", 4, 450));
    }

    private static PolicySpec upTo(String limit) {
        return PolicySpec.of("protect-or-reserve", Map.of("reserve-below", limit));
    }

    /** What happens to the same arrivals and departures. */
    private static List<String> decided(RewardRig rig) {
        KeyedRandom random = new KeyedRandom().key(11, 1, 1);
        List<Integer> placed = new ArrayList<>();
        List<String> all = new ArrayList<>();
        int arrivals = 0;
        for (int k = 0; k < 60; k++) {
            if (!placed.isEmpty() && random.nextInt(3) == 0) {
                all.add(rig.leave(placed.remove(random.nextInt(placed.size())).longValue()));
            } else {
                int id = arrivals++;
                String where = rig.arrive(random.nextInt(4) == 0 ? 1 : 0);
                all.add(where);
                if (!where.equals("rejected")) {
                    placed.add(id);
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"2, 0.625, 0.624", "5, 0.75, 0.74"})
    void draDecidesWhereItsEmptySlotsAreASmallPart(int servers, String limit, String below) {
        List<String> protecting = decided(rig(servers, PolicySpec.of("protection-levels")));
        List<String> reserving = decided(rig(servers, PolicySpec.of("dra")));
        assertThat(protecting).isNotEqualTo(reserving);
        assertThat(decided(rig(servers, upTo(limit)))).isEqualTo(reserving);
        assertThat(decided(rig(servers, upTo(below)))).isEqualTo(protecting);
    }

    /** By default dra needs many servers. */
    @Test
    void fewServersAreProtected() {
        assertThat(decided(rig(5, PolicySpec.of("protect-or-reserve"))))
                .isEqualTo(decided(rig(5, PolicySpec.of("protection-levels"))));
    }

    /**
     * Three slots of 5 servers are kept empty for each type. After 16 arrivals per server dra has turned away most of
     * them, which is far from 85 % of the best.
     */
    @Test
    void draIsGivenUpWhereItEarnsTooLittle() {
        RewardRig trying = rig(5, TRIED);
        RewardRig reserving = rig(5, upTo("0.75"));
        for (int k = 0; k < 80; k++) {
            assertThat(trying.arrive(0)).isEqualTo(reserving.arrive(0));
        }
        assertThat(reserving.arrive(0)).isEqualTo("rejected");
        assertThat(trying.arrive(0)).isNotEqualTo("rejected");
        assertThat(reserving.gauges.get("filled_slots{type=small}")).isPositive();
        assertThat(trying.gauges.values()).isNotEmpty().containsOnly(0L);
    }

    /** Everything fits, so dra earns what can be earned, and goes on deciding. */
    @Test
    void draIsKeptWhereItEarnsEnough() {
        RewardRig trying = rig(5, TRIED);
        RewardRig reserving = rig(5, upTo("0.75"));
        for (int k = 0; k < 200; k++) {
            assertThat(trying.arrive(0)).isEqualTo(reserving.arrive(0)).isNotEqualTo("rejected");
            trying.leave(k);
            reserving.leave(k);
        }
        assertThat(decided(trying)).isEqualTo(decided(reserving));
    }
}
