package dev.stowage.study.fgd;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Small clusters and lists for tests. */
final class GpuCases {
    private GpuCases() {}

    /** A request for GPUs of any model, whose shape is what it asks for. */
    static GpuRequest request(int cpuMilli, int gpus, int gpuMilli, int shape) {
        return new GpuRequest("r", cpuMilli, 1, gpus, gpuMilli, "", -1, shape);
    }

    /** Requests one after the other on given servers. */
    static GpuSequence sequence(List<GpuServer> servers, List<GpuRequest> arrivals) {
        return new GpuSequence(arrivals, arrivals, servers, new GoRandom(1));
    }

    /** A random case: up to eight servers of two models, a hundred requests of up to six shapes. */
    static GpuSequence random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<GpuServer> servers = new ArrayList<>();
        for (int i = random.nextInt(2, 9); i > 0; i--) {
            servers.add(new GpuServer(
                    "s" + i, random.nextInt(8, 64) * 1000, random.nextInt(20, 60), random.nextInt(1, 9), i % 2));
        }
        List<GpuRequest> shapes = new ArrayList<>();
        for (int shape = 0; shape < 6; shape++) {
            int gpus = random.nextInt(0, 3);
            int milli = gpus == 1 ? random.nextInt(1, 21) * 50 : gpus == 0 ? 0 : GpuServer.WHOLE;
            long models = random.nextInt(4) == 0 ? 1 : -1;
            shapes.add(new GpuRequest(
                    "r" + shape, random.nextInt(9) * 1000, 1, gpus, milli, models == 1 ? "a" : "", models, shape));
        }
        List<GpuRequest> arrivals = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            arrivals.add(shapes.get(random.nextInt(shapes.size())));
        }
        return sequence(servers, arrivals);
    }
}
