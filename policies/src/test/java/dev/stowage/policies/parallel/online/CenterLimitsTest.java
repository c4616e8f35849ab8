package dev.stowage.policies.parallel.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.policies.parallel.FatTree.Fractions;
import dev.stowage.policies.parallel.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a job may hold of free capacities 1, 2, 3, ... */
class CenterLimitsTest {
    private static List<String> rows(int arity, int servers) {
        double[] free = new double[servers];
        for (int j = 0; j < servers; j++) {
            free[j] = j + 1;
        }
        Limits limits = new CenterLimits(new Fractions(.5, .25, 1), arity).of(free);
        List<String> rows = new ArrayList<>();
        for (int k = 0; k < limits.rows(); k++) {
            StringBuilder row = new StringBuilder(limits.name(k)).append(' ').append(limits.limit(k));
            for (int j = 0; j < servers; j++) {
                row.append(limits.coefficient(j, k) == 0 ? " ." : " " + j);
            }
            rows.add(row.toString());
        }
        return rows;
    }

    /** Arity 4: racks of two, pods of four. The last pod has two servers, the last rack one. */
    @Test
    void theLastRacksMayBeShort() {
        assertThat(rows(4, 7))
                .containsExactly(
                        "center 14.0 0 1 2 3 4 5 6",
                        "pod 2.5 0 1 2 3 . . .",
                        "pod 4.5 . . . . 4 5 6",
                        "rack 3.0 0 1 . . . . .",
                        "rack 7.0 . . 2 3 . . .",
                        "rack 11.0 . . . . 4 5 .",
                        "rack 7.0 . . . . . . 6",
                        "capacity of server 0 1.0 0 . . . . . .",
                        "capacity of server 1 2.0 . 1 . . . . .",
                        "capacity of server 2 3.0 . . 2 . . . .",
                        "capacity of server 3 4.0 . . . 3 . . .",
                        "capacity of server 4 5.0 . . . . 4 . .",
                        "capacity of server 5 6.0 . . . . . 5 .",
                        "capacity of server 6 7.0 . . . . . . 6");
    }

    /** Trees of arity 2, 4, 6 have 2, 16, 54 servers: one pod of one, four, nine, and racks of one, two, three. */
    @Test
    void theSmallestTreeInWhichAllHaveRoom() {
        assertThat(rows(0, 2)).hasSize(1 + 2 + 2 + 2);
        assertThat(rows(0, 3)).hasSize(1 + 1 + 2 + 3);
        assertThat(rows(0, 16)).hasSize(1 + 4 + 8 + 16);
        assertThat(rows(0, 17)).hasSize(1 + 2 + 6 + 17);
        assertThat(rows(0, 54)).hasSize(1 + 6 + 18 + 54);
        assertThat(rows(0, 55)).hasSize(1 + 4 + 14 + 55);
    }

    @Test
    void aTreeIsOfEvenArity() {
        Policies policies = new Policies();
        assertThat(policies.create(PolicySpec.of("ontapra", Map.of("arity", "6"))))
                .isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies.create(PolicySpec.of("ontapra", Map.of("arity", "5"))))
                .withMessage("arity 5 of a fat tree, must be even");
    }
}
