package dev.stowage.policies.devices;

import java.util.Arrays;

/**
 * Scores that were worked out, by what a request demands and by the number of a state. They are kept for the demands
 * that came last, at most {@value #MOST}, in 8 bytes for each of them and each state.
 */
final class KnownScores {
    /** A score that is to be worked out. */
    static final double UNKNOWN = Double.NaN;
    /** The score of a state without room, and of a number that no state has. */
    static final double NO_ROOM = Double.NEGATIVE_INFINITY;

    private static final int MOST = 128;

    private long[] others = {};
    private long[] demands = {};
    private double[][] scores = {};
    private boolean[] states = new boolean[16];
    private int size;
    private int oldest;

    /** No state, and no score. */
    void clear() {
        size = 0;
        oldest = 0;
        Arrays.fill(states, false);
    }

    /** There is a state with this number, or there is none any more. */
    void set(int state, boolean exists) {
        if (state >= states.length) {
            states = Arrays.copyOf(states, 2 * state);
            for (int i = 0; i < size; i++) {
                int old = scores[i].length;
                scores[i] = Arrays.copyOf(scores[i], states.length);
                Arrays.fill(scores[i], old, states.length, NO_ROOM);
            }
        }
        states[state] = exists;
        for (int i = 0; i < size; i++) {
            scores[i][state] = exists ? UNKNOWN : NO_ROOM;
        }
    }

    /** The scores for what a request demands, by state, to be read and filled in until the next other call. */
    double[] of(long other, long demand) {
        for (int i = 0; i < size; i++) {
            if (others[i] == other && demands[i] == demand) {
                return scores[i];
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
        }
        others[number] = other;
        demands[number] = demand;
        scores[number] = new double[states.length];
        for (int state = 0; state < states.length; state++) {
            scores[number][state] = states[state] ? UNKNOWN : NO_ROOM;
        }
        return scores[number];
    }
}
