package dev.stowage.policies.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.random.KeyedRandom;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderedIndexTest {
    private record Item(long value, long order) {}

    @Test
    void nearestValuesAndTies() {
        OrderedIndex index = new OrderedIndex(100);
        index.insert(0, 30, 7);
        index.insert(1, 30, 5);
        index.insert(2, 60, 1);
        assertThat(index.leastAtLeast(0)).isEqualTo(1);
        assertThat(index.leastAtLeast(30)).isEqualTo(1);
        assertThat(index.leastAtLeast(31)).isEqualTo(2);
        assertThat(index.leastAtLeast(61)).isEqualTo(OrderedIndex.NONE);
        assertThat(index.greatestAtMost(29)).isEqualTo(OrderedIndex.NONE);
        assertThat(index.greatestAtMost(59)).isEqualTo(1);
        assertThat(index.greatestAtMost(1000)).isEqualTo(2);
        index.remove(1);
        assertThat(index.leastAtLeast(1)).isZero();
        assertThat(index.size()).isEqualTo(2);
    }

    @Test
    void rejectsWhatIsNotAllowed() {
        OrderedIndex index = new OrderedIndex(100);
        index.insert(3, 100, 0);
        assertThatThrownBy(() -> index.insert(3, 1, 0)).hasMessageContaining("item 3 is already");
        assertThatThrownBy(() -> index.insert(4, 101, 0))
                .hasMessageContaining("101")
                .hasMessageContaining("0..100");
        assertThatThrownBy(() -> index.remove(4)).hasMessageContaining("item 4 is not");
        assertThatThrownBy(() -> new OrderedIndex(-1)).hasMessageContaining("-1");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5, 200, 70_000, 3_000_000, 1L << 50, Long.MAX_VALUE - 1})
    void answersLikeTheReference(long maxValue) {
        for (long seed = 1; seed <= 8; seed++) {
            compare(maxValue, seed);
        }
    }

    private static void compare(long maxValue, long seed) {
        KeyedRandom random = new KeyedRandom().key(seed, maxValue, 0);
        OrderedIndex index = new OrderedIndex(maxValue);
        TreeMap<Integer, Item> slow = new TreeMap<>();
        long spread = seed % 2 == 0 ? maxValue : Math.min(maxValue, 40);
        for (int step = 0; step < 2000; step++) {
            int number = random.nextInt(60);
            if (slow.containsKey(number)) {
                index.remove(number);
                slow.remove(number);
            } else {
                Item item = new Item(Math.floorMod(random.nextLong(), spread + 1), number * 31L % 61);
                index.insert(number, item.value, item.order);
                slow.put(number, item);
            }
            long asked = Math.floorMod(random.nextLong(), spread + 1);
            String where = "maxValue " + maxValue + " seed " + seed + " step " + step;
            assertThat(index.leastAtLeast(asked)).as(where).isEqualTo(slowest(slow, asked, 1));
            assertThat(index.greatestAtMost(asked)).as(where).isEqualTo(slowest(slow, asked, -1));
            assertThat(index.size()).as(where).isEqualTo(slow.size());
        }
    }

    /** The nearest item in one direction: up for +1, down for -1. */
    private static int slowest(Map<Integer, Item> items, long asked, int direction) {
        int best = OrderedIndex.NONE;
        for (Map.Entry<Integer, Item> entry : items.entrySet()) {
            Item item = entry.getValue();
            boolean qualifies = Long.compare(item.value, asked) * direction >= 0;
            if (qualifies && (best == OrderedIndex.NONE || isNearer(item, items.get(best), direction))) {
                best = entry.getKey();
            }
        }
        return best;
    }

    private static boolean isNearer(Item item, Item best, int direction) {
        int byValue = Long.compare(item.value, best.value) * direction;
        return byValue < 0 || (byValue == 0 && item.order < best.order);
    }
}
