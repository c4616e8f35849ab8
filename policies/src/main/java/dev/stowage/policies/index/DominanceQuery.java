package dev.stowage.policies.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A query of one or several {@link DominanceIndex}es, and its best answer so far: among the points x with
 * {@code x[d] <= limit(d)} in every dimension, the one with the largest score
 * {@code bias + w[0] x[0] + w[1] x[1] + ...}, ties by the larger secondary score {@code s[0] x[0] + ...}, then by the
 * lowest order key. A score may have one more term, the least of some {@code u[d] x[d] + c[d]}. Items with ranks may be
 * asked for a least rank, or for the highest.
 *
 * <p>Scores are doubles, added up in the order written, bias first: another computation in the same order gives the
 * same bits and so the same choice. Reused from query to query.
 */
public final class DominanceQuery {
    /** The answer when no point is below the limit. */
    public static final int NONE = -1;

    private final int dimensions;
    private final double[] weights;
    private final double[] secondary;
    private final double[] limits;
    /** Weights and constants of the last term of the score, and whether there is one. */
    private final double[] slopes;

    private final double[] shifts;
    private boolean least;
    /** Whether the score is of two coordinates, without that term or with a function of each. */
    private boolean linearInTwo;

    private boolean evenInTwo;

    private int leastRank;
    private boolean byRank;

    /** Of two dimensions, during a search: an array might be written to meanwhile, as far as the compiler knows. */
    private double weight0;

    private double weight1;
    private double limit0;
    private double limit1;

    private double bias;
    private @Nullable ItemFilter filter;

    private double bestScore;
    private double bestSecond;
    private long bestOrder;
    private int bestItem;
    /** A set of items with ranks whose lowest one is the best so far; which one that is, only a tie or the end asks. */
    private int bestTop;

    private int bestTopRank;

    private int[] stack = new int[64];
    private double[] stackBounds = new double[64];
    private int height;

    /**
     * A query with all weights 0 and no limit.
     *
     * @param dimensions number of coordinates of a point
     */
    public DominanceQuery(int dimensions) {
        this.dimensions = dimensions;
        weights = new double[dimensions];
        secondary = new double[dimensions];
        limits = new double[dimensions];
        slopes = new double[dimensions];
        shifts = new double[dimensions];
        Arrays.fill(limits, Double.POSITIVE_INFINITY);
        forget();
    }

    /** Forgets the answer, keeps the question. */
    public void forget() {
        bestItem = NONE;
        bestTop = RankedItems.NONE;
        // Lower than any score, and above the bound of a node without candidates.
        bestScore = -Double.MAX_VALUE;
        bestSecond = -Double.MAX_VALUE;
        bestOrder = Long.MAX_VALUE;
    }

    /** Sets the weight of a coordinate in the score, finite, of any sign. */
    public void weight(int d, double weight) {
        weights[d] = weight;
    }

    /** Sets the weight of a coordinate in the secondary score, finite, of any sign. */
    public void secondary(int d, double weight) {
        secondary[d] = weight;
    }

    /**
     * Adds to the score the least of {@code slope * x[d] + shift} over the coordinates for which this was called; a
     * slope is above 0.
     */
    public void least(int d, double slope, double shift) {
        slopes[d] = slope;
        shifts[d] = shift;
        least = true;
    }

    /** Without the least of anything in the score, as at first. */
    public void noLeast() {
        Arrays.fill(slopes, 0);
        least = false;
    }

    /** Sets the largest coordinate allowed; below 0 allows nothing. */
    public void limit(int d, long limit) {
        limits[d] = limit;
    }

    /** Sets the lowest rank allowed, at first 0. */
    public void leastRank(int rank) {
        leastRank = rank;
    }

    /** Sets whether the score is the rank, whatever weights there are: then the answer is one of the highest rank. */
    public void byRank(boolean byRank) {
        this.byRank = byRank;
    }

    /** Sets the constant part of the score, for comparing points of several indexes. */
    public void bias(double bias) {
        this.bias = bias;
    }

    /**
     * Sets or removes a further condition. It is tested on one item per point, for all items of the point, and only if
     * the point would win.
     */
    public void filter(@Nullable ItemFilter filter) {
        this.filter = filter;
    }

    /** The best item so far, or {@link #NONE}. */
    public int item() {
        return bestItem;
    }

    /** Branch and bound, the more promising half first. */
    void search(PointTree tree, int[] tops, @Nullable RankedItems ranked) {
        if (stack.length <= tree.depth()) {
            stack = new int[tree.depth() + 1];
            stackBounds = new double[tree.depth() + 1];
        }
        if (dimensions == 2) {
            weight0 = weights[0];
            weight1 = weights[1];
            limit0 = limits[0];
            limit1 = limits[1];
        }
        linearInTwo = dimensions == 2 && !least && !byRank;
        evenInTwo = dimensions == 2 && slopes[0] > 0 && slopes[1] > 0 && !byRank;
        height = 0;
        int node = PointTree.ROOT;
        double bound = bound(tree, node);
        while (true) {
            int pair = PointTree.NONE;
            if (!isHopeless(bound, tree, node, ranked)) {
                pair = tree.child(node);
                if (pair == PointTree.NONE) {
                    scan(tree, node, tops, ranked);
                }
            }
            if (pair != PointTree.NONE) {
                double left = bound(tree, pair);
                double right = bound(tree, pair + 1);
                boolean rightFirst = right > left || (right == left && tree.earliest(pair + 1) < tree.earliest(pair));
                node = rightFirst ? pair + 1 : pair;
                bound = rightFirst ? right : left;
                push(rightFirst ? pair : pair + 1, rightFirst ? left : right);
            } else if (height == 0) {
                name(ranked);
                return;
            } else {
                node = stack[--height];
                bound = stackBounds[height];
            }
        }
    }

    /** Of a row only the cells at its end may win, the last or the first, and those that tie with it. */
    void search(PointGrid grid, ItemHeaps items) {
        int across = grid.across();
        double rowWeight = weights[across];
        double columnWeight = weights[1 - across];
        int lastRow = grid.last(across, limits[across]);
        int lastColumn = grid.last(1 - across, limits[1 - across]);
        if (lastColumn == PointGrid.NONE) {
            return;
        }
        double best = columnWeight < 0 ? 0 : grid.coordinate(1 - across, lastColumn);
        for (int k = 0; k <= lastRow; k++) {
            int row = rowWeight < 0 ? k : lastRow - k;
            double x = rowWeight * grid.coordinate(across, row);
            if (sum(across, x, columnWeight * best) < bestScore) {
                return;
            }
            int column = columnWeight < 0 ? grid.firstColumn(row, 0, lastColumn) : grid.lastColumn(row, lastColumn);
            while (column != PointGrid.NONE) {
                double score = sum(across, x, columnWeight * grid.coordinate(1 - across, column));
                if (score < bestScore) {
                    break;
                }
                int top = grid.topAt(row, column);
                if (score > bestScore || items.order(top) < bestOrder) {
                    bestScore = score;
                    bestSecond = 0;
                    bestOrder = items.order(top);
                    bestItem = top;
                }
                column = columnWeight < 0
                        ? grid.firstColumn(row, column + 1, lastColumn)
                        : grid.lastColumn(row, column - 1);
            }
        }
    }

    /** The terms in the order of the dimensions. */
    private double sum(int across, double row, double column) {
        return across == 0 ? bias + row + column : bias + column + row;
    }

    private void push(int node, double bound) {
        if (bound >= bestScore) {
            stack[height] = node;
            stackBounds[height++] = bound;
        }
    }

    /** No score of a point in the node's box is larger: rounding is monotone, the terms are added in the same order. */
    private double bound(PointTree tree, int node) {
        if (leastRank > 0 && tree.highest(node) < leastRank) {
            return Double.NEGATIVE_INFINITY;
        }
        double[] bounds = tree.bounds();
        int at = node * 2 * dimensions;
        if (linearInTwo) {
            return boundOfTwo(bounds, at);
        }
        if (evenInTwo) {
            return boundOfEven(bounds, at);
        }
        double sum = bias;
        for (int d = 0; d < dimensions; d++) {
            if (bounds[at + d] > limits[d]) {
                return Double.NEGATIVE_INFINITY;
            }
            sum += weights[d] * extreme(weights[d], bounds[at + d], bounds[at + dimensions + d], limits[d]);
        }
        return byRank ? tree.highest(node) : least ? sum + least(bounds, at + dimensions) : sum;
    }

    /** The last term of the score for coordinates, or for the largest ones of a box. */
    private double least(double[] coordinates, int at) {
        double its = Double.POSITIVE_INFINITY;
        for (int d = 0; d < dimensions; d++) {
            if (slopes[d] > 0) {
                its = Math.min(its, slopes[d] * Math.min(coordinates[at + d], limits[d]) + shifts[d]);
            }
        }
        return its;
    }

    /** The loop above unrolled for the most frequent number of resources: saves a fifth of the time of a search. */
    private double boundOfTwo(double[] bounds, int at) {
        double low0 = bounds[at];
        double low1 = bounds[at + 1];
        if (low0 > limit0 || low1 > limit1) {
            return Double.NEGATIVE_INFINITY;
        }
        return bias
                + weight0 * extreme(weight0, low0, bounds[at + 2], limit0)
                + weight1 * extreme(weight1, low1, bounds[at + 3], limit1);
    }

    /** The general loops unrolled for score even in two resources: half the time of a search. */
    private double boundOfEven(double[] bounds, int at) {
        double low0 = bounds[at];
        double low1 = bounds[at + 1];
        if (low0 > limit0 || low1 > limit1) {
            return Double.NEGATIVE_INFINITY;
        }
        double high0 = bounds[at + 2] < limit0 ? bounds[at + 2] : limit0;
        double high1 = bounds[at + 3] < limit1 ? bounds[at + 3] : limit1;
        double sum = bias + weight0 * (weight0 < 0 ? low0 : high0) + weight1 * (weight1 < 0 ? low1 : high1);
        double one = slopes[0] * high0 + shifts[0];
        double other = slopes[1] * high1 + shifts[1];
        return sum + (one < other ? one : other);
    }

    /** The coordinate that is best for the score. */
    private static double extreme(double weight, double low, double high, double limit) {
        // Comparisons, because Math.min of doubles also handles NaN and the sign of zero, which takes longer.
        if (weight < 0) {
            return low;
        }
        return high < limit ? high : limit;
    }

    private boolean isHopeless(double bound, PointTree tree, int node, @Nullable RankedItems ranked) {
        return bound < bestScore || (bound == bestScore && losesTies(tree, node, ranked));
    }

    private boolean losesTies(PointTree tree, int node, @Nullable RankedItems ranked) {
        name(ranked);
        double[] bounds = tree.bounds();
        int at = node * 2 * dimensions;
        double sum = 0;
        for (int d = 0; d < dimensions; d++) {
            sum += secondary[d] * extreme(secondary[d], bounds[at + d], bounds[at + dimensions + d], limits[d]);
        }
        return sum < bestSecond || (sum == bestSecond && tree.earliest(node) >= bestOrder);
    }

    private void scan(PointTree tree, int leaf, int[] tops, @Nullable RankedItems ranked) {
        double[] coordinates = tree.memberCoordinates();
        int end = tree.start(leaf) + tree.count(leaf);
        for (int at = tree.start(leaf); at < end; at++) {
            if (leastRank > 0 && tree.rank(tree.member(at)) < leastRank) {
                continue;
            }
            double score = score(coordinates, at * dimensions);
            if (byRank && score > Double.NEGATIVE_INFINITY) {
                score = tree.rank(tree.member(at));
            }
            if (score >= bestScore && tree.order(at) != PointTree.VACANT) {
                challenge(score, tree, at, tops, ranked);
            }
        }
    }

    /** Score of the point, minus infinity when it is beyond the limit. */
    private double score(double[] coordinates, int at) {
        if (dimensions == 2 && !least) {
            double x = coordinates[at];
            double y = coordinates[at + 1];
            return x > limit0 || y > limit1 ? Double.NEGATIVE_INFINITY : bias + weight0 * x + weight1 * y;
        }
        if (evenInTwo) {
            return scoreOfEven(coordinates, at);
        }
        double sum = bias;
        for (int d = 0; d < dimensions; d++) {
            double x = coordinates[at + d];
            if (x > limits[d]) {
                return Double.NEGATIVE_INFINITY;
            }
            sum += weights[d] * x;
        }
        return least ? sum + least(coordinates, at) : sum;
    }

    private double scoreOfEven(double[] coordinates, int at) {
        double x = coordinates[at];
        double y = coordinates[at + 1];
        if (x > limit0 || y > limit1) {
            return Double.NEGATIVE_INFINITY;
        }
        double one = slopes[0] * x + shifts[0];
        double other = slopes[1] * y + shifts[1];
        return bias + weight0 * x + weight1 * y + (one < other ? one : other);
    }

    private void challenge(double score, PointTree tree, int at, int[] tops, @Nullable RankedItems ranked) {
        long order = tree.order(at);
        double second = 0;
        for (int d = 0; d < dimensions; d++) {
            second += secondary[d] * tree.memberCoordinates()[at * dimensions + d];
        }
        if (score == bestScore && second < bestSecond) {
            return;
        }
        boolean isTie = score == bestScore && second == bestSecond;
        if (isTie) {
            name(ranked);
            if (order >= bestOrder) {
                return;
            }
        }
        int point = tree.member(at);
        int top = tops[point];
        if (filter != null && !filter.accepts(top)) {
            return;
        }
        if (ranked == null) {
            bestItem = top;
            bestOrder = order;
        } else if (isTie) {
            bestItem = Math.min(bestItem, ranked.lowest(top, rankOf(tree, point)));
            bestOrder = bestItem;
        } else {
            bestTop = top;
            bestTopRank = rankOf(tree, point);
        }
        bestScore = score;
        bestSecond = second;
    }

    private int rankOf(PointTree tree, int point) {
        return byRank ? tree.rank(point) : leastRank;
    }

    /** Finds out which item the best one so far is. */
    private void name(@Nullable RankedItems ranked) {
        if (ranked != null && bestTop != RankedItems.NONE) {
            bestItem = ranked.lowest(bestTop, bestTopRank);
            bestOrder = bestItem;
            bestTop = RankedItems.NONE;
        }
    }
}
