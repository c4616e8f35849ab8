package dev.stowage.policies.devices;

import dev.stowage.policies.index.EqualPoints;
import java.util.Arrays;

/**
 * Scores that were worked out, by what a request demands and by state. They are kept for the demands that came last,
 * at most {@value #MOST}: the memory is 16 bytes for each of them and each state.
 */
final class KnownScores {
    private static final int MOST = 128;

    private long[] others = {};
    private long[] demands = {};
    private double[][] scores = {};
    /** The point that each score is of; a number of a point is used again. */
    private long[][] births = {};

    private int size;
    private int oldest;

    void clear() {
        size = 0;
        oldest = 0;
    }

    /** A number for what a request demands, until the next call. */
    int find(long other, long demand) {
        for (int i = 0; i < size; i++) {
            if (others[i] == other && demands[i] == demand) {
                return i;
            }
        }
        int number = size;
        if (size < MOST) {
            size++;
        } else {
            number = oldest;
            oldest = (oldest + 1) % MOST;
        }
        if (number == others.length) {
            int length = Math.min(MOST, 2 * number + 4);
            others = Arrays.copyOf(others, length);
            demands = Arrays.copyOf(demands, length);
            scores = Arrays.copyOf(scores, length);
            births = Arrays.copyOf(births, length);
            Arrays.fill(scores, number, length, new double[0]);
            Arrays.fill(births, number, length, new long[0]);
        }
        others[number] = other;
        demands[number] = demand;
        Arrays.fill(births[number], EqualPoints.NONE);
        return number;
    }

    /** Whether the score of a point is known. */
    boolean has(int number, int point, long birth) {
        long[] its = births[number];
        return point < its.length && its[point] == birth;
    }

    double get(int number, int point) {
        return scores[number][point];
    }

    void put(int number, int point, long birth, double score) {
        if (point >= births[number].length) {
            int old = births[number].length;
            int length = point + (point >> 1) + 16;
            births[number] = Arrays.copyOf(births[number], length);
            scores[number] = Arrays.copyOf(scores[number], length);
            Arrays.fill(births[number], old, length, EqualPoints.NONE);
        }
        births[number][point] = birth;
        scores[number][point] = score;
    }
}
