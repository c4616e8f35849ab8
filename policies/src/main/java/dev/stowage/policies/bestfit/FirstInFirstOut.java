package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.View;
import java.util.Arrays;

/** Many queues of requests, each in order of entry; a request is in at most one. All steps are O(1). */
final class FirstInFirstOut {
    private final int[] head;
    private final int[] tail;
    private int[] next = new int[16];
    private int[] previous = new int[16];

    FirstInFirstOut(int queues) {
        head = new int[queues];
        tail = new int[queues];
        Arrays.fill(head, View.NONE);
        Arrays.fill(tail, View.NONE);
    }

    /** First of a queue, or {@link View#NONE}. */
    int head(int queue) {
        return head[queue];
    }

    void append(int queue, int job) {
        if (job >= next.length) {
            next = Arrays.copyOf(next, Math.max(job + 1, 2 * next.length));
            previous = Arrays.copyOf(previous, next.length);
        }
        next[job] = View.NONE;
        previous[job] = tail[queue];
        if (tail[queue] == View.NONE) {
            head[queue] = job;
        } else {
            next[tail[queue]] = job;
        }
        tail[queue] = job;
    }

    void remove(int queue, int job) {
        if (previous[job] == View.NONE) {
            head[queue] = next[job];
        } else {
            next[previous[job]] = next[job];
        }
        if (next[job] == View.NONE) {
            tail[queue] = previous[job];
        } else {
            previous[next[job]] = previous[job];
        }
    }
}
