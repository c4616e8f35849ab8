package dev.stowage.sim.measure;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * When jobs of many tasks arrived and were complete: what {@link JobCompletions} found in a run.
 *
 * @param arrivedAt nanoseconds, by job
 * @param completedAt nanoseconds, or {@link #OPEN} or {@link #TURNED_AWAY}
 */
record JobTimes(long[] arrivedAt, long[] completedAt) {
    static final long OPEN = -1;
    static final long TURNED_AWAY = -2;

    /** How many jobs that arrived from a time on are complete, were turned away, or are neither. */
    long[] counts(long from) {
        long[] counts = new long[3];
        for (int job = 0; job < arrivedAt.length; job++) {
            if (arrivedAt[job] >= from) {
                counts[completedAt[job] >= 0 ? 0 : completedAt[job] == TURNED_AWAY ? 1 : 2]++;
            }
        }
        return counts;
    }

    /** Times from arrival to completion, seconds, in rising order, of jobs that arrived from a time on. */
    double[] seconds(long from) {
        double[] seconds = new double[arrivedAt.length];
        int count = 0;
        for (int job = 0; job < arrivedAt.length; job++) {
            if (arrivedAt[job] >= from && completedAt[job] >= 0) {
                seconds[count++] = (completedAt[job] - arrivedAt[job]) / 1e9;
            }
        }
        double[] result = Arrays.copyOf(seconds, count);
        Arrays.sort(result);
        return result;
    }

    void write(StateWriter out) {
        out.putNumber(arrivedAt.length);
        long last = 0;
        for (int job = 0; job < arrivedAt.length; job++) {
            out.putNumber(arrivedAt[job] - last);
            out.putNumber(completedAt[job]);
            last = arrivedAt[job];
        }
    }

    static JobTimes read(StateReader in) {
        int jobs = (int) in.getNumber();
        JobTimes times = new JobTimes(new long[jobs], new long[jobs]);
        long last = 0;
        for (int job = 0; job < jobs; job++) {
            last += in.getNumber();
            times.arrivedAt[job] = last;
            times.completedAt[job] = in.getNumber();
        }
        return times;
    }
}
