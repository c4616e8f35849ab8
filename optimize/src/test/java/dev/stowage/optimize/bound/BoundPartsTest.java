package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundPartsTest {
    private static RewardLimit reward(double lower, double upper) {
        return new RewardLimit(lower, upper, new double[0], List.of(), 1);
    }

    private static RoutingLimit routing(double lower, double upper, Integer... misfits) {
        return new RoutingLimit(
                lower, upper, List.of(misfits), new double[0][], List.of(), new double[0], new double[0][], 1);
    }

    @Test
    void gapsAreRelativeToTheUpperBound() {
        assertThat(reward(3, 4).gap()).isEqualTo(.25);
        assertThat(reward(4, 4).gap()).isZero();
        assertThat(reward(0, 0).gap()).isZero();
        assertThat(routing(3, 4).gap()).isEqualTo(.25);
        assertThat(routing(0, 0).gap()).isZero();
        assertThat(routing(3, 4).rho()).isEqualTo(3.5);
        assertThat(routing(3, Double.POSITIVE_INFINITY, 0).rho()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void theUnitIsThatOfAllDemandsThatFit() {
        assertThat(OneResource.unit(6, new long[][] {{6}, {4}})).isEqualTo(2);
        assertThat(OneResource.unit(6, new long[][] {{7}, {4}})).isEqualTo(4);
        assertThat(OneResource.unit(6, new long[][] {{7}})).isEqualTo(6);
        assertThat(OneResource.unit(0, new long[][] {{7}})).isEqualTo(1);
    }

    @Test
    void aDistributionRises() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadCell.distribution(size -> size < 4 ? .5 : .25, 4, 1))
                .withMessage("the probability falls by 0.25 between sizes 0 and 4");
        assertThatIllegalArgumentException().isThrownBy(() -> LoadCell.distribution(size -> 1, 0, 1));
    }
}
