package dev.stowage.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

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
        Efficiency three = Efficiency.table(new int[] {1, 2, 1}, new double[] {0.1, 0.2, 0.3});
        assertThat(three.of(7, 1, 2, random)).isEqualTo(0.2);
        assertThat(three.of(7, 1, 3, random)).isEqualTo(0.3);
    }

    /** Of one server and load always the same, 0.1 to 1, and uniform: mean 0.55 within 4 errors of 0.26 / 100. */
    @Test
    void equalAndUniform() {
        assertThat(Efficiency.EQUAL.of(7, 1, 3, random)).isEqualTo(1);
        double sum = 0;
        double least = 1;
        double most = 0;
        for (int server = 0; server < 10_000; server++) {
            double one = Efficiency.UNIFORM.of(7, 1, server, random);
            assertThat(Efficiency.UNIFORM.of(7, 2, server, random)).isEqualTo(one);
            sum += one;
            least = Math.min(least, one);
            most = Math.max(most, one);
        }
        assertThat(least).isBetween(0.1, 0.102);
        assertThat(most).isBetween(0.998, 1.0);
        assertThat(sum / 10_000).isCloseTo(0.55, within(0.0104));
        assertThat(Efficiency.UNIFORM.of(8, 1, 0, random)).isNotEqualTo(Efficiency.UNIFORM.of(7, 1, 0, random));
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
        assertThat(Efficiency.table(new int[] {1}, new double[] {1}).of(7, 1, 0, random))
                .isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> Efficiency.table(new int[] {}, new double[] {1}));
        assertThatIllegalArgumentException().isThrownBy(() -> Efficiency.table(new int[] {1}, new double[] {}));
    }
}
