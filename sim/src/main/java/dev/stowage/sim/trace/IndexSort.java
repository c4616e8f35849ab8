package dev.stowage.sim.trace;

/** Stable order of keys without boxing: bottom-up merge sort, n log n, 16 bytes per key while it runs. */
final class IndexSort {
    private IndexSort() {}

    static boolean isSorted(LongColumn keys) {
        for (int i = 1; i < keys.size(); i++) {
            if (keys.get(i - 1) > keys.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** The places 0, 1, ... in ascending order of their keys, equal keys in order of place. */
    static LongColumn byKey(LongColumn keys, ColumnSpace space) {
        int size = keys.size();
        LongColumn from = new LongColumn(space);
        for (int i = 0; i < size; i++) {
            from.add(i);
        }
        if (isSorted(keys)) {
            return from;
        }
        LongColumn to = LongColumn.filled(space, size, 0);
        for (long width = 1; width < size; width *= 2) {
            for (long start = 0; start < size; start += 2 * width) {
                int middle = (int) Math.min(start + width, size);
                int end = (int) Math.min(start + 2 * width, size);
                merge(keys, from, to, (int) start, middle, end);
            }
            LongColumn swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    private static void merge(LongColumn keys, LongColumn from, LongColumn to, int start, int middle, int end) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            boolean takeLeft = right >= end
                    || (left < middle && keys.get((int) from.get(left)) <= keys.get((int) from.get(right)));
            to.set(i, takeLeft ? from.get(left++) : from.get(right++));
        }
    }
}
