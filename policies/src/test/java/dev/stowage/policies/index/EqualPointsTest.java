package dev.stowage.policies.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EqualPointsTest {
    @Test
    void isLikeAMapOfSets() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 20; seed++) {
            random.key(seed, 3, 0);
            int dimensions = 1 + seed % 3;
            int range = seed % 4 == 0 ? 2 : 5;
            EqualPoints points = new EqualPoints(dimensions);
            Map<List<Long>, Set<Integer>> slow = new HashMap<>();
            Map<Integer, List<Long>> pointOf = new HashMap<>();
            for (int step = 0; step < 400; step++) {
                int item = random.nextInt(60);
                assertThat(points.contains(item)).isEqualTo(pointOf.containsKey(item));
                if (points.contains(item)) {
                    List<Long> of = pointOf.remove(item);
                    slow.get(of).remove(item);
                    assertThat(points.remove(item)).isEqualTo(slow.get(of).isEmpty());
                    slow.values().removeIf(Set::isEmpty);
                } else {
                    long[] x = new long[dimensions];
                    List<Long> of = new ArrayList<>();
                    for (int d = 0; d < dimensions; d++) {
                        x[d] = random.nextInt(range);
                        of.add(x[d]);
                    }
                    assertThat(points.insert(item, -item, x)).isEqualTo(!slow.containsKey(of));
                    assertThat(points.point(item)).isLessThan(points.bound());
                    assertThat(points.coordinateOf(points.point(item), dimensions - 1))
                            .isEqualTo(x[dimensions - 1]);
                    pointOf.put(item, of);
                    slow.computeIfAbsent(of, key -> new TreeSet<>()).add(item);
                }
                agree(points, dimensions, slow);
            }
        }
    }

    private static void agree(EqualPoints points, int dimensions, Map<List<Long>, Set<Integer>> slow) {
        assertThat(points.size()).isEqualTo(slow.size());
        Map<List<Long>, Integer> lowest = new HashMap<>();
        for (int k = 0; k < points.size(); k++) {
            List<Long> of = new ArrayList<>();
            for (int d = 0; d < dimensions; d++) {
                of.add(points.coordinate(k, d));
            }
            lowest.put(of, points.lowest(k));
        }
        Map<List<Long>, Integer> wanted = new HashMap<>();
        // The order keys are the negative numbers.
        slow.forEach((point, items) -> wanted.put(point, Collections.max(items)));
        slow.values()
                .forEach(items -> items.forEach(
                        item -> assertThat(points.lowestOf(points.point(item))).isEqualTo(Collections.max(items))));
        assertThat(lowest).isEqualTo(wanted);
    }

    /** 16 at least, half as much again, or what is needed. */
    @Test
    void arraysGrowByHalf() {
        assertThat(ArrayGrowth.atLeast(1, 0)).isEqualTo(16);
        assertThat(ArrayGrowth.atLeast(100, 0)).isEqualTo(100);
        assertThat(ArrayGrowth.atLeast(17, 16)).isEqualTo(24);
        assertThat(ArrayGrowth.atLeast(30, 20)).isEqualTo(30);
        assertThat(ArrayGrowth.atLeast(1_900_000_000, 1_800_000_000)).isEqualTo(Integer.MAX_VALUE - 8);
    }
}
