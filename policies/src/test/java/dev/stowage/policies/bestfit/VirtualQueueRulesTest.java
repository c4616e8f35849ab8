package dev.stowage.policies.bestfit;

import static dev.stowage.policies.Rig.GONE;
import static dev.stowage.policies.Rig.WAITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Rig;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Sections V and VI of the paper, worked out by hand. */
class VirtualQueueRulesTest {
    private static final Map<String, String> THREE = Map.of("levels", "3");

    @Test
    void theEdgesOfPartitionOne() {
        // Of 12: (8, 12], (6, 8], (4, 6], (3, 4], (2, 3], (3/2, 2] and below.
        long[] sizes = {12, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
        int[] classes = {0, 0, 1, 1, 2, 2, 3, 4, 5, 5, 5};
        for (int i = 0; i < sizes.length; i++) {
            assertThat(Partition.classOf(sizes[i], 12, 3))
                    .as("size %d", sizes[i])
                    .isEqualTo(classes[i]);
        }
        // With J = 2 a quarter and less belong to the last class.
        assertThat(Partition.classOf(3, 12, 2)).isEqualTo(3);
        assertThat(Partition.levelsFor(3, 12)).isEqualTo(2);
        assertThat(Partition.levelsFor(2, 12)).isEqualTo(3);
    }

    @Test
    void everySizeIsInTheIntervalOfItsClass() {
        for (long capacity : new long[] {1, 2, 3, 7, 96, 1000, (1L << 53) - 1}) {
            for (long k = 1; k <= 500; k++) {
                long size = 1
                        + BigInteger.valueOf(capacity - 1)
                                .multiply(BigInteger.valueOf(k))
                                .divide(BigInteger.valueOf(500))
                                .longValueExact();
                for (int levels = 2; levels < 8; levels++) {
                    check(size, capacity, levels);
                }
            }
        }
    }

    private static void check(long size, long capacity, int levels) {
        int j = Partition.classOf(size, capacity, levels);
        int m = j / 2;
        BigInteger six =
                BigInteger.valueOf(size).multiply(BigInteger.valueOf(6)).shiftLeft(m);
        BigInteger whole = BigInteger.valueOf(capacity);
        BigInteger high = whole.multiply(BigInteger.valueOf(j % 2 == 0 ? 6 : 4));
        BigInteger low = j == 2 * levels - 1 ? BigInteger.ZERO : whole.multiply(BigInteger.valueOf(j % 2 == 0 ? 4 : 3));
        assertThat(six.compareTo(high) <= 0 && six.compareTo(low) > 0)
                .as("size %d of %d is in class %d of J = %d", size, capacity, j, levels)
                .isTrue();
    }

    @Test
    void thereAreFourJMinusFourConfigurationsAndTheirRoundedSizesFit() {
        for (int levels = 2; levels < 10; levels++) {
            Set<Integer> chosen = new TreeSet<>();
            for (int j = 0; j < 2 * levels; j++) {
                for (int big : new int[] {0, 1_000_000}) {
                    int[] lengths = new int[2 * levels];
                    lengths[1] = big;
                    lengths[j] = 1;
                    int k = ReducedConfigurations.heaviest(levels, lengths, 0);
                    chosen.add(k);
                    // Upper ends are 2^-m and 2/3 2^-m; times 3 2^m all is whole.
                    long m = ReducedConfigurations.other(k) / 2;
                    long size = ReducedConfigurations.other(k) % 2 == 0 ? 3 : 2;
                    long all =
                            ReducedConfigurations.slots(k) * size + (ReducedConfigurations.holdsBig(k) ? 2L << m : 0);
                    assertThat(all).as("configuration %d", k).isLessThanOrEqualTo(3L << m);
                }
            }
            assertThat(chosen).hasSize(4 * levels - 4);
        }
    }

    @Test
    void vqsTakesTheHeaviestConfigurationAndKeepsToItUntilItIsEmpty() {
        // Q_1 = 1 (7), Q_4 = 2 (3, 3), Q_3 = 1 (4). Weights: 4 e_4: 8, 3 e_3: 3, e_1 + e_4: 3, e_1 + e_3: 2.
        Rig rig = Rig.slotted("vqs", THREE, 1, 12).arrive(7, 3, 3, 4).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, 0, 0, WAITS);
        // 9 are free, but the configuration asks for class 4 only.
        rig.leave(1).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, GONE, 0, WAITS);
        // Empty: 3 e_3: 3, e_1 + e_4: 1, e_1 + e_3: 2. So 4 goes, and 7 waits on.
        rig.leave(2).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, GONE, GONE, 0);
    }

    @Test
    void vqsBfFillsTheRoomThatIsLeft() {
        // As above 4 e_4 takes 3 and 3; then the largest that fits in 6 is 4.
        Rig rig = Rig.slotted("vqs-bf", THREE, 1, 12).arrive(7, 3, 3, 4).endSlot();
        assertThat(rig.servers()).containsExactly(WAITS, 0, 0, 0);
    }

    @Test
    void vqsReservesTwoThirdsForClassOneAlsoWhenNoneWaits() {
        // Q_1 = 4, Q_4 = 1: e_1 + e_4 weighs 5, 4 e_4 weighs 4. One 7, and 3 in the third that is left.
        Rig rig = Rig.slotted("vqs", THREE, 1, 12).arrive(7, 7, 7, 7, 3).endSlot();
        assertThat(rig.servers()).containsExactly(0, WAITS, WAITS, WAITS, 0);
        // The other three give up, and the 7 leaves: 9 are free, 8 of them reserved, and 3 + 3 is more than 4.
        rig.leave(0, 1, 2, 3).arrive(3).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, GONE, GONE, GONE, 0, WAITS);
        // Another one of class 1 finds its place.
        rig.arrive(8).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, GONE, GONE, GONE, 0, WAITS, 0);
    }

    @Test
    void vqsBfReservesNothing() {
        Rig rig = Rig.slotted("vqs-bf", THREE, 1, 12).arrive(7, 7, 7, 7, 3).endSlot();
        assertThat(rig.servers()).containsExactly(0, WAITS, WAITS, WAITS, 0);
        rig.leave(0, 1, 2, 3).arrive(3).endSlot();
        assertThat(rig.servers()).containsExactly(GONE, GONE, GONE, GONE, 0, 0);
    }

    @Test
    void vqsTakesHeadsUntilOneDoesNotFitAndMoreThanItsSlotsIfTheyFit() {
        // Of 48 class 4 is (8, 12], 4 slots. 9 + 9 + 9 + 10 = 37; 12 does not fit, and the 9 behind it, which would,
        // waits.
        assertThat(Rig.slotted("vqs", THREE, 1, 48)
                        .arrive(9, 9, 9, 10, 12, 9)
                        .endSlot()
                        .servers())
                .containsExactly(0, 0, 0, 0, WAITS, WAITS);
        assertThat(Rig.slotted("vqs", THREE, 1, 48)
                        .arrive(9, 9, 9, 9, 9, 9)
                        .endSlot()
                        .servers())
                .containsExactly(0, 0, 0, 0, 0, WAITS);
        // VQS-BF takes the largest first, 12 + 10 + 9 + 9 = 40, which are its 4; none of 9 fits in 8.
        assertThat(Rig.slotted("vqs-bf", THREE, 1, 48)
                        .arrive(9, 9, 9, 10, 12, 9)
                        .endSlot()
                        .servers())
                .containsExactly(0, 0, WAITS, 0, 0, WAITS);
    }

    @Test
    void vqsLooksAtAnUncoveredHeadInTheNextSlot() {
        // Server 0: 9, 9, 9, 10, with 11 left. Server 1: 12, 12, 12, 12. The head is now 9, and the turn of server 0 is
        // over.
        Rig rig = Rig.slotted("vqs", THREE, 2, 48)
                .arrive(9, 9, 9, 10, 12, 12, 12, 12, 9)
                .endSlot();
        assertThat(rig.servers()).containsExactly(0, 0, 0, 0, 1, 1, 1, 1, WAITS);
        assertThat(rig.endSlot().servers()).containsExactly(0, 0, 0, 0, 1, 1, 1, 1, 0);
    }

    @Test
    void sizesBelowTheLastClassCountAsItsLowerEnd() {
        // J = 2, capacity 12: sizes up to 3 count as 3. 3 e_3 takes 1, 1, 1, 1, which count 12.
        assertThat(Rig.slotted("vqs", Map.of("levels", "2"), 1, 12)
                        .arrive(1, 1, 1, 1, 1)
                        .endSlot()
                        .servers())
                .containsExactly(0, 0, 0, 0, WAITS);
        // With J found from the sizes they count as they are.
        assertThat(Rig.slotted("vqs", Map.of(), 1, 12)
                        .arrive(1, 1, 1, 1, 1)
                        .endSlot()
                        .servers())
                .containsExactly(0, 0, 0, 0, 0);
    }

    @Test
    void stalledServersTakeNothingUntilTheyAreEmpty() {
        // 3, 7 and 9: best fit puts 3 and 7 on the server. 7 leaves: 9 does not fit, 3 of 10 is less than half, so the
        // server is
        // stalled, and the new 2 waits although it fits.
        Rig rig = Rig.slotted("bf-js", Map.of("stalling", "0.5"), 1, 10)
                .arrive(3, 7, 9)
                .endSlot();
        assertThat(rig.leave(1).endSlot().servers()).containsExactly(0, GONE, WAITS);
        assertThat(rig.arrive(2).endSlot().servers()).containsExactly(0, GONE, WAITS, WAITS);
        // 3 leaves: the server is empty and open again, and takes the largest.
        assertThat(rig.leave(0).endSlot().servers()).containsExactly(GONE, GONE, 0, WAITS);
    }
}
