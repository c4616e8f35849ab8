package dev.stowage.study.fgd;

import java.util.Arrays;

/**
 * The policies that the paper compares with (section 6.1), scored as in its published simulator, whose scores are
 * whole numbers: they round down, and so make ties.
 */
final class GpuBaselines {
    private static final double MOST_CPU_MILLI = 128_000;
    private static final double MOST_GPU_MILLI = 8_000;
    private static final double HALF = 0.5;

    private GpuBaselines() {}

    /** The first server in the order. */
    static double firstFit(GpuServer server, GpuRequest request) {
        return 0;
    }

    /** The least left over of processor and GPUs, each as a part of the largest server's. */
    static double bestFit(GpuServer server, GpuRequest request) {
        double left = (server.freeCpuMilli - request.cpuMilli()) / MOST_CPU_MILLI * HALF
                + (server.freeMilli - request.milli()) / MOST_GPU_MILLI * HALF;
        return (long) ((1.0 - left) * 100);
    }

    /** The least product of what is free and what is asked for (the paper prefers the smallest). */
    static double dotProduct(GpuServer server, GpuRequest request) {
        double product = server.freeCpuMilli / MOST_CPU_MILLI * (request.cpuMilli() / MOST_CPU_MILLI)
                + server.freeMilli / MOST_GPU_MILLI * (request.milli() / MOST_GPU_MILLI);
        return (long) (100 * (1 - product / 2));
    }

    /** Servers that run requests for as many GPUs, before empty ones, before others; the fuller first. */
    static double clustering(GpuServer server, GpuRequest request) {
        if (request.gpus() == 0) {
            return 0;
        }
        long kinds = Arrays.stream(server.kinds).filter(count -> count > 0).count();
        long fill = 25L * ((long) MOST_GPU_MILLI - server.freeMilli) / (long) MOST_GPU_MILLI;
        if (server.kinds[request.isPart() ? 0 : request.gpus()] > 0) {
            return fill + (kinds == 1 ? 75 : 50);
        }
        return fill + (kinds == 0 ? 25 : 0);
    }

    /** GPUs in use, before free GPUs of servers in use, before empty servers. */
    static double packing(GpuServer server, GpuRequest request) {
        if (request.gpus() == 0) {
            return 0;
        }
        int whole = server.wholeFree();
        if (whole == server.free.length) {
            return Math.max(100 / 3 - whole, whole);
        }
        int[] sorted = server.free.clone();
        Arrays.sort(sorted);
        int left = request.gpus();
        int opened = 0;
        long room = 0;
        for (int i = 0; i < sorted.length && left > 0; i++) {
            if (sorted[i] >= request.gpuMilli()) {
                left--;
                opened += sorted[i] == GpuServer.WHOLE ? 1 : 0;
                room += sorted[i] * 100L / GpuServer.WHOLE;
            }
        }
        return opened > 0 ? Math.max(50 - opened, 33) : Math.max(100 - room / 10, 50);
    }
}
