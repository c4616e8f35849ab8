package dev.stowage.study.fgd;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Fragmentation gradient descent: Q. Weng and others, USENIX ATC 2023, section 5. A server's fragmentation is what
 * of its free GPUs a request of the target workload could not use, on average; a request goes where that grows least.
 *
 * <p>The target workload is what the authors' simulator takes: the commonest shapes of the <i>whole</i> list, up to
 * 95 % of its requests, those without GPUs included. So the policy is told the workload.
 *
 * <p>The simulator makes a whole number of the decrease d (thousandths of a GPU): floor(100 / (1 + exp(-d /
 * 1000))). Without rounding the score is d. Sums are in the simulator's order, so that they are the same bits.
 */
final class FragmentationGradient implements GpuPolicy {
    private static final double POPULAR = 95;

    private final boolean rounded;
    private final List<GpuRequest> shapes = new ArrayList<>();
    private final double[] parts;
    private final int[] after = new int[GpuServer.MOST_GPUS];

    FragmentationGradient(List<GpuRequest> list, boolean rounded) {
        this.rounded = rounded;
        Map<Integer, List<GpuRequest>> byShape = new TreeMap<>();
        list.forEach(each ->
                byShape.computeIfAbsent(each.shape(), key -> new ArrayList<>()).add(each));
        List<List<GpuRequest>> sorted = new ArrayList<>(byShape.values());
        Comparator<List<GpuRequest>> order = Comparator.<List<GpuRequest>>comparingInt(List::size)
                .thenComparing(
                        same -> same.get(0),
                        Comparator.comparingInt(GpuRequest::cpuMilli)
                                .thenComparingInt(GpuRequest::gpuMilli)
                                .thenComparingInt(GpuRequest::gpus)
                                .thenComparing(GpuRequest::models));
        sorted.sort(Collections.reverseOrder(order));
        double total = list.size();
        double wanted = POPULAR * total / 100;
        double sum = 0;
        while (sum < wanted) {
            List<GpuRequest> same = sorted.get(shapes.size());
            shapes.add(same.get(0));
            sum += same.size();
        }
        parts = new double[shapes.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = sorted.get(i).size() / total;
            if (parts.length < sorted.size()) {
                parts[i] /= sum / total;
            }
        }
    }

    @Override
    public double score(GpuServer server, GpuRequest request) {
        double before = fragmentation(server, server.freeCpuMilli, server.free);
        return request.isPart() ? ofPart(server, request, before, false) : ofWhole(server, request, before);
    }

    @Override
    public int gpuFor(GpuServer server, GpuRequest request) {
        return (int) ofPart(server, request, fragmentation(server, server.freeCpuMilli, server.free), true);
    }

    private double ofWhole(GpuServer server, GpuRequest request, double before) {
        System.arraycopy(server.free, 0, after, 0, server.free.length);
        GpuServer.takeWhole(after, request.gpus());
        return score(before - fragmentation(server, server.freeCpuMilli - request.cpuMilli(), after));
    }

    /** The best score of its GPUs, or the first GPU that has it. */
    private double ofPart(GpuServer server, GpuRequest request, double before, boolean which) {
        double best = 0;
        int gpu = -1;
        for (int i = 0; i < server.free.length; i++) {
            if (server.free[i] >= request.gpuMilli() && !server.repeats(i)) {
                System.arraycopy(server.free, 0, after, 0, server.free.length);
                after[i] -= request.gpuMilli();
                double score = score(before - fragmentation(server, server.freeCpuMilli - request.cpuMilli(), after));
                if (gpu < 0 || score > best) {
                    best = score;
                    gpu = i;
                }
            }
        }
        return which ? gpu : best;
    }

    private double score(double decrease) {
        return rounded ? (long) (1.0 / (1.0 + StrictMath.exp(-(decrease / 1000))) * 100) : decrease;
    }

    /** Thousandths of GPUs that a request of the target workload could not use, on average. */
    private double fragmentation(GpuServer server, int cpuMilli, int[] free) {
        int gpus = server.free.length;
        int total = 0;
        for (int i = 0; i < gpus; i++) {
            total += free[i];
        }
        double neither = 0;
        double noGpu = 0;
        double noCpu = 0;
        double withoutGpuFits = 0;
        double withoutGpu = 0;
        double otherModel = 0;
        for (int j = 0; j < parts.length; j++) {
            GpuRequest shape = shapes.get(j);
            boolean cpuFits = cpuMilli >= shape.cpuMilli();
            double all = parts[j] * total;
            if (shape.gpus() == 0) {
                withoutGpuFits += cpuFits ? all : 0;
                withoutGpu += cpuFits ? 0 : all;
                continue;
            }
            if (!shape.mayUse(server.model)) {
                otherModel += all;
                continue;
            }
            int missing = shape.gpus();
            int tooSmall = 0;
            for (int i = 0; i < gpus; i++) {
                if (free[i] >= shape.gpuMilli()) {
                    missing--;
                } else {
                    tooSmall += free[i];
                }
            }
            if (missing > 0) {
                noGpu += cpuFits ? all : 0;
                neither += cpuFits ? 0 : all;
            } else if (cpuFits) {
                noGpu += parts[j] * tooSmall;
            } else {
                noCpu += all;
            }
        }
        return neither + noGpu + noCpu + withoutGpuFits + withoutGpu + otherModel;
    }
}
