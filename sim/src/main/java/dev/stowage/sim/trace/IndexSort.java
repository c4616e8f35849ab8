package dev.stowage.sim.trace;

/** Stable order of primitive keys without boxing: bottom-up merge sort, n log n, 8 bytes per key while it runs. */
final class IndexSort {
    private IndexSort() {}

    static boolean isSorted(long[] keys, int size) {
        for (int i = 1; i < size; i++) {
            if (keys[i - 1] > keys[i]) {
                return false;
            }
        }
        return true;
    }

    /** The indexes 0..size-1 in ascending order of their keys, equal keys in index order. */
    static int[] byKey(long[] keys, int size) {
        int[] from = new int[size];
        for (int i = 0; i < size; i++) {
            from[i] = i;
        }
        if (isSorted(keys, size)) {
            return from;
        }
        int[] to = new int[size];
        for (long width = 1; width < size; width *= 2) {
            for (long start = 0; start < size; start += 2 * width) {
                int middle = (int) Math.min(start + width, size);
                int end = (int) Math.min(start + 2 * width, size);
                merge(keys, from, to, (int) start, middle, end);
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    private static void merge(long[] keys, int[] from, int[] to, int start, int middle, int end) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            boolean takeLeft = right >= end || (left < middle && keys[from[left]] <= keys[from[right]]);
            to[i] = takeLeft ? from[left++] : from[right++];
        }
    }
}
