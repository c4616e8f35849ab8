package dev.stowage.policies.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a search prunes by: lower order keys and wider bounds would give the same answers, later. */
class PointTreeTest {
    private final KeyedRandom random = new KeyedRandom();
    private final TreeMap<Integer, Long> orders = new TreeMap<>();
    private final TreeMap<Integer, Integer> ranks = new TreeMap<>();

    /** Dense boxes, where leaves split at once and merge again, and wide ones. */
    @ParameterizedTest
    @ValueSource(longs = {3, 30, 1_000_000})
    void orderKeysAndRanksAreExactTheBoundsContainThePointsAndVacantOnesAreFew(long upper) {
        for (int dimensions = 1; dimensions <= 3; dimensions++) {
            random.key(upper, dimensions, 1);
            PointTable table = new PointTable(dimensions);
            long[] uppers = new long[dimensions];
            Arrays.fill(uppers, upper);
            PointTree tree = new PointTree(table, uppers);
            orders.clear();
            for (int step = 0; step < 600; step++) {
                // Grows, then shrinks.
                change(table, tree, upper, dimensions, step < 350 ? 3 : 1);
                List<Integer> points = points(table, tree, PointTree.ROOT, dimensions);
                assertThat(points).as("step %d", step).containsExactlyInAnyOrderElementsOf(orders.keySet());
                assertThat(tree.earliest(PointTree.ROOT)).isNotEqualTo(orders.isEmpty() ? 0 : PointTree.VACANT);
            }
        }
    }

    private void change(PointTable table, PointTree tree, long upper, int dimensions, int adds) {
        int kind = random.nextInt(5);
        long order = random.nextInt(1_000_000_000);
        int rank = random.nextInt(9);
        if (kind == 4 && !orders.isEmpty()) {
            change(tree, any(), order, rank);
        } else if (kind < adds) {
            double[] x = new double[dimensions];
            for (int d = 0; d < dimensions; d++) {
                x[d] = random.nextInt((int) upper + 1);
            }
            if (table.find(x) == PointTable.NONE) {
                int point = table.add(x);
                tree.add(point, order, rank);
                orders.put(point, order);
                ranks.put(point, rank);
            } else {
                change(tree, table.find(x), order, rank);
            }
        } else if (!orders.isEmpty()) {
            int point = any();
            tree.rerank(point, 0);
            tree.reorder(point, PointTree.VACANT);
            orders.remove(point);
        }
    }

    private void change(PointTree tree, int point, long order, int rank) {
        tree.rerank(point, rank);
        tree.reorder(point, order);
        orders.put(point, order);
        ranks.put(point, rank);
    }

    private int any() {
        return List.copyOf(orders.keySet()).get(random.nextInt(orders.size()));
    }

    /** The points below a node, whose bounds and earliest are looked at. */
    private List<Integer> points(PointTable table, PointTree tree, int node, int dimensions) {
        List<Integer> points = new ArrayList<>();
        int pair = tree.child(node);
        if (pair == PointTree.NONE) {
            for (int k = 0; k < tree.count(node); k++) {
                if (tree.order(tree.start(node) + k) != PointTree.VACANT) {
                    points.add(tree.member(tree.start(node) + k));
                }
            }
            assertThat(tree.count(node) - points.size()).as("vacant").isLessThanOrEqualTo(8);
            assertThat(points.isEmpty()).as("only vacant ones").isEqualTo(tree.count(node) == 0);
        } else {
            points.addAll(points(table, tree, pair, dimensions));
            points.addAll(points(table, tree, pair + 1, dimensions));
        }
        long earliest = points.stream().mapToLong(orders::get).min().orElse(Long.MAX_VALUE);
        assertThat(tree.earliest(node)).isEqualTo(earliest);
        assertThat(tree.highest(node))
                .isEqualTo(points.stream().mapToInt(ranks::get).max().orElse(0));
        for (int d = 0; d < dimensions; d++) {
            int at = node * 2 * dimensions + d;
            for (int point : points) {
                double x = table.coordinates()[point * dimensions + d];
                assertThat(x).isBetween(tree.bounds()[at], tree.bounds()[at + dimensions]);
            }
        }
        return points;
    }
}
