package dev.stowage.study.fgd;

import java.util.Arrays;

/** A server with GPUs of one model, and what of it is free. */
final class GpuServer {
    /** Thousandths of a whole GPU. */
    static final int WHOLE = 1000;

    /** Most GPUs of a server. */
    static final int MOST_GPUS = 8;

    final String name;
    final int cpuMilli;
    final long memoryMib;
    final int model;

    int freeCpuMilli;
    long freeMemoryMib;
    /** Free thousandths of each GPU. */
    final int[] free;

    int freeMilli;
    /** How many requests run here that ask for this many whole GPUs; at 0 those that ask for a part. */
    final int[] kinds = new int[MOST_GPUS + 1];
    /** Counts the requests taken; equal numbers mean the same state. */
    int taken;

    GpuServer(String name, int cpuMilli, long memoryMib, int gpus, int model) {
        this.name = name;
        this.cpuMilli = cpuMilli;
        this.memoryMib = memoryMib;
        this.model = model;
        freeCpuMilli = cpuMilli;
        freeMemoryMib = memoryMib;
        free = new int[gpus];
        Arrays.fill(free, WHOLE);
        freeMilli = gpus * WHOLE;
    }

    /** The same server, empty. */
    GpuServer empty() {
        return new GpuServer(name, cpuMilli, memoryMib, free.length, model);
    }

    /** Whether the request fits now. */
    boolean fits(GpuRequest request) {
        if (freeCpuMilli < request.cpuMilli() || freeMemoryMib < request.memoryMib()) {
            return false;
        }
        if (request.gpus() == 0) {
            return true;
        }
        return freeMilli >= request.milli() && request.mayUse(model) && hasGpus(request.gpus(), request.gpuMilli());
    }

    private boolean hasGpus(int gpus, int milli) {
        int missing = gpus;
        for (int each : free) {
            if (each >= milli && --missing == 0) {
                return true;
            }
        }
        return false;
    }

    /** The fullest GPU that has room for a part, of equal ones the first; -1 if none has. */
    int fullestFor(int milli) {
        int best = -1;
        for (int i = 0; i < free.length; i++) {
            if (free[i] >= milli && (best < 0 || free[i] < free[best])) {
                best = i;
            }
        }
        return best;
    }

    /** Whether an earlier GPU has as much free as this one. */
    boolean repeats(int gpu) {
        for (int i = 0; i < gpu; i++) {
            if (free[i] == free[gpu]) {
                return true;
            }
        }
        return false;
    }

    /** How many GPUs are wholly free. */
    int wholeFree() {
        int count = 0;
        for (int each : free) {
            if (each == WHOLE) {
                count++;
            }
        }
        return count;
    }

    /** Takes a request that fits: a part on the GPU given, whole GPUs where the lowest are free. */
    void take(GpuRequest request, int gpuOfPart) {
        taken++;
        freeCpuMilli -= request.cpuMilli();
        freeMemoryMib -= request.memoryMib();
        if (request.gpus() == 0) {
            return;
        }
        freeMilli -= request.milli();
        if (request.isPart()) {
            kinds[0]++;
            free[gpuOfPart] -= request.gpuMilli();
        } else {
            kinds[request.gpus()]++;
            takeWhole(free, request.gpus());
        }
    }

    /** Marks the lowest wholly free GPUs as taken. */
    static void takeWhole(int[] free, int gpus) {
        int left = gpus;
        for (int i = 0; i < free.length && left > 0; i++) {
            if (free[i] == WHOLE) {
                free[i] = 0;
                left--;
            }
        }
    }
}
