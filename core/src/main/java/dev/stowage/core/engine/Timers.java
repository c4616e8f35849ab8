package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/** Timers of the policy and ends of dummies, in order of (deadline, setting). Handles are reused. */
final class Timers {
    private static final int NONE = -1;
    /** Stands in place of a dummy: a timer of the engine's own, whose tag is a server and the kind of event. */
    static final int OWN = -2;

    private final DeadlineHeap heap = new DeadlineHeap();
    private long[] tags = new long[0];
    /** The dummy that ends, or -1 for a timer of the policy; for a free handle the next free one. */
    private int[] dummies = new int[0];

    private int used;
    private int freeHead = NONE;
    private long sequence;

    long firstDeadline() {
        return heap.firstDeadline();
    }

    /** The same where timers of the engine's own may come later, by a pause for their tag. */
    long firstDeadline(LongUnaryOperator pauseNanos) {
        return heap.firstDeadline(timer -> dummies[timer] == OWN ? pauseNanos.applyAsLong(tags[timer]) : 0);
    }

    /** Whether some timer is due; none is in an empty heap, not even at {@link DeadlineHeap#NEVER}. */
    boolean isDue(long now) {
        return heap.size() > 0 && heap.firstDeadline() <= now;
    }

    int firstTimer() {
        return heap.firstHandle();
    }

    boolean isSet(int timer) {
        return heap.contains(timer);
    }

    long tag(int timer) {
        return tags[timer];
    }

    int dummy(int timer) {
        return dummies[timer];
    }

    int set(long deadline, long tag, int dummy) {
        int timer = freeHead;
        if (timer == NONE) {
            if (used == tags.length) {
                tags = Arrays.copyOf(tags, used + (used >> 1) + 16);
                dummies = Arrays.copyOf(dummies, tags.length);
            }
            timer = used++;
        } else {
            freeHead = dummies[timer];
        }
        tags[timer] = tag;
        dummies[timer] = dummy;
        heap.put(timer, deadline, sequence++);
        return timer;
    }

    void remove(int timer) {
        heap.remove(timer);
        dummies[timer] = freeHead;
        freeHead = timer;
    }

    /** The timer that ends this dummy. O(timers): only used for the rare early end. */
    int timerOf(int dummy) {
        for (int timer = 0; timer < used; timer++) {
            if (heap.contains(timer) && dummies[timer] == dummy) {
                return timer;
            }
        }
        throw new IllegalStateException("dummy " + dummy + " has no timer");
    }

    /** Removes every timer of the policy; ends of dummies stay. */
    void removePolicyTimers() {
        for (int timer = 0; timer < used; timer++) {
            if (heap.contains(timer) && dummies[timer] == NONE) {
                remove(timer);
            }
        }
    }

    void save(StateWriter out) {
        out.putLongs(tags, used);
        out.putInts(dummies, used);
        out.putInt(freeHead);
        out.putLong(sequence);
        heap.save(out);
    }

    void restore(StateReader in) {
        tags = in.getLongs();
        dummies = in.getInts();
        used = tags.length;
        freeHead = in.getInt();
        sequence = in.getLong();
        heap.restore(in);
    }
}
