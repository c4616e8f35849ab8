package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Handles (small numbers) ordered by (deadline, order). A handle's deadline can be changed or removed. A 4-ary heap
 * with positions, on flat arrays: O(log n) per change, allocation only for growth.
 */
public final class DeadlineHeap {
    /** Deadline of an empty heap. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int ABSENT = -1;

    private long[] deadlines = new long[16];
    private long[] orders = new long[16];
    private int[] handles = new int[16];
    private int[] positions = new int[0];
    private int size;

    /** Number of handles in the heap. */
    public int size() {
        return size;
    }

    /** Earliest deadline, or {@link #NEVER}. */
    public long firstDeadline() {
        return size == 0 ? NEVER : deadlines[0];
    }

    /** Earliest deadline, or {@link #NEVER}, where handles may come later by some time. O(those that do). */
    long firstDeadline(IntToLongFunction later) {
        return first(0, NEVER, later);
    }

    private long first(int at, long least, IntToLongFunction later) {
        if (at >= size || deadlines[at] >= least) {
            return least;
        }
        long more = later.applyAsLong(handles[at]);
        long first = Math.min(least, deadlines[at] + Math.min(more, NEVER - deadlines[at]));
        for (int child = 4 * at + 1; more > 0 && child <= 4 * at + 4; child++) {
            first = first(child, first, later);
        }
        return first;
    }

    /** Handle with the earliest deadline. Only if not empty. */
    public int firstHandle() {
        return handles[0];
    }

    /** Whether the handle is in the heap. */
    public boolean contains(int handle) {
        return handle >= 0 && handle < positions.length && positions[handle] != ABSENT;
    }

    /** Puts a handle in, or moves it if it is there. */
    public void put(int handle, long deadline, long order) {
        if (handle >= positions.length) {
            int from = positions.length;
            positions = Arrays.copyOf(positions, Math.max(handle + 1, from + (from >> 1) + 16));
            Arrays.fill(positions, from, positions.length, ABSENT);
        }
        int at = positions[handle];
        if (at == ABSENT) {
            if (size == handles.length) {
                grow(size + (size >> 1) + 16);
            }
            siftUp(size++, handle, deadline, order);
        } else {
            siftDown(siftUp(at, handle, deadline, order));
        }
    }

    /** Takes the handle out; it must be in. */
    public void remove(int handle) {
        int at = positions[handle];
        positions[handle] = ABSENT;
        size--;
        if (at < size) {
            siftDown(siftUp(at, handles[size], deadlines[size], orders[size]));
        }
    }

    /** Takes everything out. */
    public void clear() {
        Arrays.fill(positions, ABSENT);
        size = 0;
    }

    void save(StateWriter out) {
        out.putLongs(deadlines, size);
        out.putLongs(orders, size);
        out.putInts(handles, size);
    }

    void restore(StateReader in) {
        clear();
        long[] savedDeadlines = in.getLongs();
        long[] savedOrders = in.getLongs();
        int[] savedHandles = in.getInts();
        for (int i = 0; i < savedHandles.length; i++) {
            put(savedHandles[i], savedDeadlines[i], savedOrders[i]);
        }
    }

    private int siftUp(int start, int handle, long deadline, long order) {
        int at = start;
        while (at > 0) {
            int parent = (at - 1) >> 2;
            if (!before(deadline, order, parent)) {
                break;
            }
            set(at, handles[parent], deadlines[parent], orders[parent]);
            at = parent;
        }
        set(at, handle, deadline, order);
        return at;
    }

    private void siftDown(int start) {
        int at = start;
        int handle = handles[at];
        long deadline = deadlines[at];
        long order = orders[at];
        while (true) {
            int first = (at << 2) + 1;
            if (first >= size) {
                break;
            }
            int least = leastChild(first, Math.min(first + 4, size));
            if (before(deadline, order, least)) {
                break;
            }
            set(at, handles[least], deadlines[least], orders[least]);
            at = least;
        }
        set(at, handle, deadline, order);
    }

    private int leastChild(int from, int to) {
        int least = from;
        for (int child = from + 1; child < to; child++) {
            if (before(deadlines[child], orders[child], least)) {
                least = child;
            }
        }
        return least;
    }

    private boolean before(long deadline, long order, int position) {
        return deadline < deadlines[position] || (deadline == deadlines[position] && order < orders[position]);
    }

    private void set(int at, int handle, long deadline, long order) {
        handles[at] = handle;
        deadlines[at] = deadline;
        orders[at] = order;
        positions[handle] = at;
    }

    private void grow(int capacity) {
        deadlines = Arrays.copyOf(deadlines, capacity);
        orders = Arrays.copyOf(orders, capacity);
        handles = Arrays.copyOf(handles, capacity);
    }
}
