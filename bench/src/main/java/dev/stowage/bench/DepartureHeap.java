package dev.stowage.bench;

import java.util.Arrays;

/** Departures to come, earliest first (equal times: smaller number first). A binary heap in two arrays. */
public final class DepartureHeap {
    private long[] times = new long[1024];
    private int[] requests = new int[1024];
    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    /** Is a departure due by that time? */
    public boolean due(long timeNanos) {
        return size > 0 && times[0] <= timeNanos;
    }

    /** Time of the earliest departure. The heap must not be empty. */
    public long firstNanos() {
        return times[0];
    }

    public void add(long timeNanos, int request) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            requests = Arrays.copyOf(requests, 2 * size);
        }
        int child = size++;
        while (child > 0) {
            int parent = (child - 1) >>> 1;
            if (!before(timeNanos, request, parent)) {
                break;
            }
            move(parent, child);
            child = parent;
        }
        times[child] = timeNanos;
        requests[child] = request;
    }

    /** Removes the earliest departure and returns its request. The heap must not be empty. */
    public int poll() {
        int first = requests[0];
        size--;
        long time = times[size];
        int request = requests[size];
        int parent = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && before(times[child + 1], requests[child + 1], child)) {
                child++;
            }
            if (!before(times[child], requests[child], time, request)) {
                break;
            }
            move(child, parent);
            parent = child;
            child = 2 * parent + 1;
        }
        times[parent] = time;
        requests[parent] = request;
        return first;
    }

    private boolean before(long timeNanos, int request, int node) {
        return before(timeNanos, request, times[node], requests[node]);
    }

    private static boolean before(long timeNanos, int request, long otherNanos, int other) {
        return timeNanos < otherNanos || (timeNanos == otherNanos && request < other);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        requests[to] = requests[from];
    }
}
