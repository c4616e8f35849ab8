package dev.stowage.sim.trace;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What happened to every task of a Google trace: columns of primitives found by a hash of (job, index), about 80 bytes
 * per task, because the whole trace has 25 million of them. Constant time per event.
 */
final class GoogleTasks {
    static final long MISSING = -1;

    private static final int SUBMIT = 0;
    private static final int SCHEDULE = 1;
    private static final int EVICT = 2;
    private static final int FINISH = 4;
    private static final int LOST = 6;

    private static final byte INTERRUPTED = 1;
    private static final byte REPEATED = 2;

    private int size;
    private long[] job = new long[16];
    private long[] index = new long[16];
    private long[] submit = new long[16];
    private long[] schedule = new long[16];
    private long[] finish = new long[16];
    private long[] cpu = new long[16];
    private long[] memory = new long[16];
    private long[] disk = new long[16];
    private int[] events = new int[16];
    private byte[] flags = new byte[16];
    private int[] slots = new int[64];

    GoogleTasks() {
        Arrays.fill(slots, -1);
    }

    int size() {
        return size;
    }

    /** An event of a task; the demand of a task is the largest of its events, resource by resource. */
    void event(long jobId, long taskIndex, int type, long at, long cpuPpm, long memoryPpm, long diskPpm) {
        int t = find(jobId, taskIndex);
        events[t]++;
        cpu[t] = Math.max(cpu[t], cpuPpm);
        memory[t] = Math.max(memory[t], memoryPpm);
        disk[t] = Math.max(disk[t], diskPpm);
        if (type == SUBMIT) {
            once(submit, t, at);
        } else if (type == SCHEDULE) {
            once(schedule, t, at);
        } else if (type == FINISH) {
            once(finish, t, at);
        } else if (type >= EVICT && type <= LOST) {
            flags[t] |= INTERRUPTED;
        }
    }

    private void once(long[] times, int t, long at) {
        if (times[t] == MISSING) {
            times[t] = at;
        } else {
            flags[t] |= REPEATED;
        }
    }

    /** Why a task does not become a request; null if it does. */
    @Nullable
    String whyNot(int t) {
        if ((flags[t] & INTERRUPTED) != 0) {
            return "events of tasks that were evicted, failed, killed or lost";
        }
        if ((flags[t] & REPEATED) != 0) {
            return "events of tasks that were submitted, scheduled or finished again";
        }
        if (submit[t] <= 0) {
            return "events of tasks submitted before the trace began";
        }
        if (schedule[t] == MISSING || finish[t] == MISSING) {
            return "events of tasks that did not finish before the trace ended";
        }
        if (schedule[t] < submit[t] || finish[t] < schedule[t]) {
            return "events of tasks whose times are out of order";
        }
        return cpu[t] == MISSING || memory[t] == MISSING ? "events of tasks without CPU or memory request" : null;
    }

    int events(int t) {
        return events[t];
    }

    long job(int t) {
        return job[t];
    }

    long submitted(int t) {
        return submit[t];
    }

    /** Time from scheduling to finish. */
    long running(int t) {
        return finish[t] - schedule[t];
    }

    long cpu(int t) {
        return cpu[t];
    }

    long memory(int t) {
        return memory[t];
    }

    long disk(int t) {
        return disk[t];
    }

    private int find(long jobId, long taskIndex) {
        int mask = slots.length - 1;
        int slot = hash(jobId, taskIndex) & mask;
        while (slots[slot] >= 0) {
            int t = slots[slot];
            if (job[t] == jobId && index[t] == taskIndex) {
                return t;
            }
            slot = (slot + 1) & mask;
        }
        slots[slot] = size;
        return add(jobId, taskIndex);
    }

    private int add(long jobId, long taskIndex) {
        if (size == job.length) {
            grow(2 * size);
        }
        job[size] = jobId;
        index[size] = taskIndex;
        for (long[] column : new long[][] {submit, schedule, finish, cpu, memory, disk}) {
            column[size] = MISSING;
        }
        size++;
        if (2 * size > slots.length) {
            rehash();
        }
        return size - 1;
    }

    private void grow(int capacity) {
        job = Arrays.copyOf(job, capacity);
        index = Arrays.copyOf(index, capacity);
        submit = Arrays.copyOf(submit, capacity);
        schedule = Arrays.copyOf(schedule, capacity);
        finish = Arrays.copyOf(finish, capacity);
        cpu = Arrays.copyOf(cpu, capacity);
        memory = Arrays.copyOf(memory, capacity);
        disk = Arrays.copyOf(disk, capacity);
        events = Arrays.copyOf(events, capacity);
        flags = Arrays.copyOf(flags, capacity);
    }

    private void rehash() {
        slots = new int[2 * slots.length];
        Arrays.fill(slots, -1);
        int mask = slots.length - 1;
        for (int t = 0; t < size; t++) {
            int slot = hash(job[t], index[t]) & mask;
            while (slots[slot] >= 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = t;
        }
    }

    private static int hash(long jobId, long taskIndex) {
        return (int) (KeyedRandom.mix(KeyedRandom.mix(jobId) + taskIndex) >>> 32);
    }
}
