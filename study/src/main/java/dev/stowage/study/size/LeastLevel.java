package dev.stowage.study.size;

import java.util.function.LongPredicate;

/**
 * The least level that passes while one less fails, by bisection between a level that fails and one that passes.
 *
 * @param level 0 or less if none was found up to {@code tried}
 * @param found whether one was found
 * @param tried the largest number that was tried
 */
record LeastLevel(long level, boolean found, long tried) {
    /**
     * Seeks it.
     *
     * @param start is tried first
     * @param lowest levels below are known to fail
     * @param highest nothing above is tried
     * @param step first step away from the start; later steps double
     */
    static LeastLevel of(long start, long lowest, long highest, long step, LongPredicate holds) {
        return of(start, lowest, highest, step, 1, holds);
    }

    /**
     * The same if an answer near the least is enough.
     *
     * @param gap greatest distance between a level that fails and the answer
     */
    static LeastLevel of(long start, long lowest, long highest, long step, long gap, LongPredicate holds) {
        long at = Math.min(Math.max(start, lowest), highest);
        long width = Math.max(1, step);
        long good;
        long bad;
        if (holds.test(at)) {
            good = at;
            width = Math.max(1, gap);
            bad = Math.max(lowest - 1, good - width);
            while (bad >= lowest && holds.test(bad)) {
                good = bad;
                bad = Math.max(lowest - 1, bad - width);
                width *= 2;
            }
        } else {
            bad = at;
            do {
                if (at == highest) {
                    return new LeastLevel(0, false, highest);
                }
                bad = at;
                at = Math.min(highest, at + width);
                width *= 2;
            } while (!holds.test(at));
            good = at;
        }
        while (good - bad > gap) {
            long middle = bad + (good - bad) / 2;
            if (holds.test(middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return new LeastLevel(good, true, good);
    }
}
