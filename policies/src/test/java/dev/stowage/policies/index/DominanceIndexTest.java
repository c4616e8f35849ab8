package dev.stowage.policies.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DominanceIndexTest {
    private record Item(long order, int rank, long[] x) {}

    private record Question(
            double bias,
            double[] weights,
            double[] secondary,
            double[] slopes,
            long[] limits,
            int residue,
            int leastRank,
            boolean byRank) {
        /** A condition on the point alone, or none. */
        boolean accepts(Item item) {
            return residue < 0 || item.x[0] % 3 != residue;
        }
    }

    @Test
    void handComputed() {
        DominanceIndex index = new DominanceIndex(new long[] {10, 10});
        index.insert(0, 0, new long[] {4, 4}, 0);
        index.insert(1, 1, new long[] {8, 1}, 0);
        index.insert(2, 2, new long[] {9, 9}, 0);
        DominanceQuery query = new DominanceQuery(2);
        query.limit(0, 8);
        query.limit(1, 8);
        // 4 + 4 = 8 against 8 + 1 = 9; item 2 is beyond the limit.
        assertThat(answer(index, query, 1, 1, 0, 0)).isEqualTo(1);
        // 4 + 2 * 4 = 12 against 8 + 2 * 1 = 10.
        assertThat(answer(index, query, 1, 2, 0, 0)).isZero();
        // All scores are 0; secondary 4 - 4 = 0 against 8 - 1 = 7.
        assertThat(answer(index, query, 0, 0, 1, -1)).isEqualTo(1);
        // Everything ties: the lowest order.
        assertThat(answer(index, query, 0, 0, 0, 0)).isZero();
    }

    private static int answer(DominanceIndex index, DominanceQuery query, double... weights) {
        query.weight(0, weights[0]);
        query.weight(1, weights[1]);
        query.secondary(0, weights[2]);
        query.secondary(1, weights[3]);
        query.forget();
        index.search(query);
        return query.item();
    }

    @Test
    void rejectsWhatIsNotAllowed() {
        DominanceIndex index = new DominanceIndex(new long[] {10});
        index.insert(3, 0, new long[] {10}, 0);
        assertThatThrownBy(() -> index.insert(3, 0, new long[] {1}, 0)).hasMessageContaining("item 3 is already");
        assertThatThrownBy(() -> index.insert(4, 0, new long[] {11}, 0))
                .hasMessageContaining("11")
                .hasMessageContaining("0..10");
        assertThatThrownBy(() -> index.remove(4)).hasMessageContaining("item 4 is not");
        assertThatThrownBy(() -> new DominanceIndex(new long[] {1L << 53})).hasMessageContaining("larger unit");
    }

    /** From a handful of points with many items each to points of their own, with ranks or without. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void answersLikeTheReference(int dimensions) {
        for (long seed = 1; seed <= 12; seed++) {
            compare(dimensions, seed, new long[] {1, 4, 50, 1_000_000}[(int) (seed % 4)], 0);
            compare(dimensions, seed, new long[] {1, 4, 50, 1_000_000}[(int) (seed % 4)], 1 + (int) seed % 5);
        }
    }

    /**
     * With few cells from the first to the last, with steps that become smaller while there are items, and with points
     * that need too many in the end.
     */
    @Test
    void answersLikeTheReferenceOnAGrid() {
        for (long seed = 1; seed <= 200; seed++) {
            long step = new long[] {1, 7, 60, 4096}[(int) (seed % 4)];
            long upper = step * (1 + seed % 90) + seed % 3;
            KeyedRandom random = new KeyedRandom().key(seed, upper, step);
            long[] uppers = {upper, seed % 5 == 0 ? upper * 40 : upper};
            DominanceIndex index = DominanceIndex.ofPlainScores(uppers, new ItemHeaps(), 0);
            compare(index, random, seed, uppers, seed % 4 == 1 ? 1 : step, 0);
        }
    }

    /** Several indexes under one query, some with a grid, one that has given it up, one without; also where all tie. */
    @Test
    void oneQueryOfSeveralIndexes() {
        for (long seed = 1; seed <= 40; seed++) {
            KeyedRandom random = new KeyedRandom().key(seed, 2, 3);
            ItemHeaps items = new ItemHeaps();
            long[][] uppers = {{48, 96}, {10_000, 10_000}, {48, 96}, {16, 16}};
            DominanceIndex[] indexes = new DominanceIndex[uppers.length];
            for (int k = 0; k < indexes.length; k++) {
                int number = k < 2 || k == 3 ? k : DominanceIndex.MAX_GRIDS;
                indexes[k] = DominanceIndex.ofPlainScores(uppers[k], items, number);
            }
            DominanceQuery query = new DominanceQuery(2);
            TreeMap<Integer, Item> slow = new TreeMap<>();
            for (int at = 0; at < 600; at++) {
                int number = random.nextInt(60);
                DominanceIndex index = indexes[number % indexes.length];
                if (slow.remove(number) != null) {
                    index.remove(number);
                } else {
                    long[] x = point(random, uppers[number % indexes.length], random.nextInt(3) == 0 ? 0 : 8);
                    Arrays.setAll(x, d -> random.nextInt(2) == 0 ? 0 : x[d]);
                    Item item = new Item(number * 7919L % 100_003, 0, x);
                    index.insert(number, item.order, x, 0);
                    slow.put(number, item);
                }
                double[] none = {0, 0};
                Question question = new Question(
                        0, weights(random, 2), none, none, point(random, new long[] {60, 120}, 0), -1, 0, false);
                query.forget();
                for (int d = 0; d < 2; d++) {
                    query.weight(d, question.weights[d]);
                    query.limit(d, question.limits[d]);
                }
                for (DominanceIndex each : indexes) {
                    each.search(query);
                }
                assertThat(query.item()).as("seed %d step %d", seed, at).isEqualTo(slowest(slow, question));
            }
        }
    }

    private static void compare(int dimensions, long seed, long upper, int ranks) {
        KeyedRandom random = new KeyedRandom().key(seed, dimensions, upper);
        long[] uppers = new long[dimensions];
        Arrays.fill(uppers, upper);
        DominanceIndex index = new DominanceIndex(uppers, new ItemHeaps(), ranks > 0 ? new RankedItems() : null);
        compare(index, random, seed, uppers, 0, ranks);
    }

    /** @param step of the coordinates, but for the last of them, on a grid; 0 for any coordinates and any question */
    private static void compare(
            DominanceIndex index, KeyedRandom random, long seed, long[] uppers, long step, int ranks) {
        int dimensions = uppers.length;
        double[] none = new double[dimensions];
        DominanceQuery query = new DominanceQuery(dimensions);
        TreeMap<Integer, Item> slow = new TreeMap<>();
        int items = 20 + random.nextInt(400);
        for (int at = 0; at < 1500; at++) {
            int number = random.nextInt(items);
            if (slow.containsKey(number)) {
                index.remove(number);
                slow.remove(number);
            } else {
                long[] x = point(random, uppers, step * (step > 0 && seed % 2 == 0 && at > 1000 ? 0 : 1));
                Item item = ranks == 0
                        ? new Item(number * 7919L % 100_003, 0, x)
                        : new Item(number, random.nextInt(ranks), x);
                if (ranks == 0) {
                    index.insert(number, item.order, item.x, 0);
                } else {
                    index.insertRanked(number, item.rank, item.x);
                }
                slow.put(number, item);
            }
            Question question = new Question(
                    random.nextInt(3) - 1.3,
                    weights(random, dimensions),
                    step > 0 ? none : weights(random, dimensions),
                    step > 0 ? none : weights(random, dimensions),
                    point(random, Arrays.stream(uppers).map(u -> u + u / 4 + 1).toArray(), 0),
                    step == 0 && random.nextInt(3) == 0 ? random.nextInt(3) : -1,
                    ranks == 0 ? 0 : random.nextInt(ranks + 1),
                    ranks > 0 && random.nextInt(4) == 0);
            ask(index, query, question, slow);
            assertThat(query.item())
                    .as("dimensions %d seed %d step %d", dimensions, seed, at)
                    .isEqualTo(slowest(slow, question));
            assertThat(index.size()).isEqualTo(slow.size());
        }
    }

    private static void ask(DominanceIndex index, DominanceQuery query, Question question, Map<Integer, Item> items) {
        query.noLeast();
        for (int d = 0; d < question.limits.length; d++) {
            if (question.slopes[d] > 0) {
                query.least(d, question.slopes[d], -d);
            }
            query.weight(d, question.weights[d]);
            query.secondary(d, question.secondary[d]);
            query.limit(d, question.limits[d]);
        }
        query.leastRank(question.leastRank);
        query.byRank(question.byRank);
        query.bias(question.bias);
        query.filter(question.residue < 0 ? null : item -> question.accepts(items.get(item)));
        query.forget();
        index.search(query);
    }

    private static long[] point(KeyedRandom random, long[] uppers, long step) {
        long[] x = new long[uppers.length];
        for (int d = 0; d < x.length; d++) {
            x[d] = random.nextInt((int) uppers[d] + 1);
            x[d] -= step > 0 ? x[d] % step : 0;
        }
        return x;
    }

    /** All 0, small whole numbers of one sign or both, so that sums tie; or anything. */
    private static double[] weights(KeyedRandom random, int dimensions) {
        double[] weights = new double[dimensions];
        int kind = random.nextInt(4);
        for (int d = 0; d < dimensions; d++) {
            weights[d] = switch (kind) {
                case 0 -> 0;
                case 1 -> random.nextInt(3);
                case 2 -> random.nextInt(5) - 2;
                default -> random.nextDouble();
            };
        }
        return weights;
    }

    private static int slowest(Map<Integer, Item> items, Question question) {
        int best = DominanceQuery.NONE;
        for (Map.Entry<Integer, Item> entry : items.entrySet()) {
            Item item = entry.getValue();
            if (isWithin(item.x, question.limits)
                    && item.rank >= question.leastRank
                    && question.accepts(item)
                    && (best == DominanceQuery.NONE || isBetter(item, items.get(best), question))) {
                best = entry.getKey();
            }
        }
        return best;
    }

    private static boolean isWithin(long[] x, long[] limits) {
        for (int d = 0; d < x.length; d++) {
            if (x[d] > limits[d]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBetter(Item item, Item best, Question question) {
        double score = sum(question.bias, question.weights, item.x) + least(question.slopes, item.x);
        double bestScore = sum(question.bias, question.weights, best.x) + least(question.slopes, best.x);
        double second = sum(0, question.secondary, item.x);
        double bestSecond = sum(0, question.secondary, best.x);
        if (question.byRank) {
            score = item.rank;
            bestScore = best.rank;
        }
        if (score != bestScore) {
            return score > bestScore;
        }
        return second != bestSecond ? second > bestSecond : item.order < best.order;
    }

    /** The least of slope times coordinate minus its number, where the slope is above 0; 0 if none is. */
    private static double least(double[] slopes, long[] x) {
        double least = Double.POSITIVE_INFINITY;
        for (int d = 0; d < x.length; d++) {
            least = slopes[d] > 0 ? Math.min(least, slopes[d] * x[d] - d) : least;
        }
        return least == Double.POSITIVE_INFINITY ? 0 : least;
    }

    private static double sum(double bias, double[] weights, long[] x) {
        double sum = bias;
        for (int d = 0; d < x.length; d++) {
            sum += weights[d] * x[d];
        }
        return sum;
    }
}
