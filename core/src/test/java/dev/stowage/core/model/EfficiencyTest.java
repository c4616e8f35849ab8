package dev.stowage.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.random.KeyedRandom;
import org.junit.jupiter.api.Test;

class EfficiencyTest {
    private final KeyedRandom random = new KeyedRandom();

    /** Two servers of the first class, none of the second, three of the third; two kinds. */
    @Test
    void aTableIsByKindAndClass() {
        Efficiency table = Efficiency.table(new int[] {2, 0, 3}, new double[] {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
        assertThat(table.isTable()).isTrue();
        double[] first = {0.1, 0.1, 0.3, 0.3, 0.3, 0.3};
        double[] second = {0.4, 0.4, 0.6, 0.6, 0.6, 0.6};
        for (int server = 0; server < first.length; server++) {
            // The last server joined later.
            assertThat(table.of(7, 1, server, random)).isEqualTo(first[server]);
            assertThat(table.of(7, 2, server, random)).isEqualTo(second[server]);
            assertThat(table.of(7, 0, server, random)).isEqualTo(1);
            assertThat(table.of(7, 3, server, random)).isEqualTo(1);
        }
        assertThat(Efficiency.EQUAL.isTable()).isFalse();
    }

    @Test
    void mistakes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Efficiency.table(new int[] {1, 1}, new double[] {1, 1, 1}))
                .withMessage("3 efficiencies for 2 classes of servers, must be one per class for each kind of task");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Efficiency.table(new int[] {1}, new double[] {0}))
                .withMessage("efficiency 0.0, must be above 0 and at most 1");
        assertThatIllegalArgumentException().isThrownBy(() -> Efficiency.table(new int[] {1}, new double[] {1.5}));
    }
}
