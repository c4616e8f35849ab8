package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundPartsTest {
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

    /** Of equally wide sides the first is cut, and what is below the cut comes first. */
    @Test
    void classesAreCutAcrossTheirFirstWidestSide() {
        List<LoadCell> corners = List.of(cell(1, 1), cell(1, 5), cell(5, 1), cell(5, 5));
        DemandPartition partition = new DemandPartition(corners, new long[] {10, 10});
        assertThat(partition.classes()).singleElement().satisfies(one -> isFrom(one, 1, 1, 5, 5));
        partition.refine(2);
        assertThat(partition.classes())
                .satisfiesExactly(one -> isFrom(one, 1, 1, 1, 5), two -> isFrom(two, 5, 1, 5, 5));
        partition.refine(4);
        assertThat(partition.finest()).isTrue();
        assertThat(partition.classes())
                .hasSize(4)
                .allSatisfy(each -> assertThat(each.least()).isEqualTo(each.most()));
        // Wider beside its capacity.
        DemandPartition uneven = new DemandPartition(corners, new long[] {10, 9});
        uneven.refine(2);
        assertThat(uneven.classes()).satisfiesExactly(one -> isFrom(one, 1, 1, 5, 1), two -> isFrom(two, 1, 5, 5, 5));
    }

    private static LoadCell cell(long... demand) {
        return new LoadCell(demand, demand, 1, 0);
    }

    private static void isFrom(LoadCell cell, long... leastAndMost) {
        assertThat(cell.least()).containsExactly(leastAndMost[0], leastAndMost[1]);
        assertThat(cell.most()).containsExactly(leastAndMost[2], leastAndMost[3]);
    }
}
