package dev.stowage.study.fgd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Our own policy: a request goes where the GPUs that the server will <i>finally</i> leave unused grow least, as a
 * potential estimates them from what has arrived so far. It is told nothing.
 *
 * <p>The potential of a server is the sum of two losses, in thousandths of a GPU.
 *
 * <ul>
 *   <li><b>Rests of GPUs.</b> {@code rest(r)} is what a GPU with r free will finally leave unused, if of each
 *       {@code choice} parts that come, drawn from those seen so far, it gets the one that suits it best: with the
 *       parts m that fit in order of rest(r - m), rest(r) = sum over m of P(m is the first in this order among the
 *       draws) x rest(r - m) + P(no part fits) x r. A wholly free GPU leaves nothing: a request for whole ones can
 *       take it.
 *   <li><b>GPUs without processors.</b> Of g usable thousandths and c of processor, {@code usable(c, g)} can be
 *       used at most, if the server gets requests in the mix seen so far, those that need least processor first:
 *       the concave function of a fractional knapsack. The loss is g - usable(c, g).
 * </ul>
 *
 * Fragmentation as in {@link FragmentationGradient} asks what the <i>next</i> request cannot use; a rest that few
 * requests fit is counted as lost although many requests will still be tried on it. The potential counts the many.
 *
 * <p>The mix is learned: estimated anew when the number of arrivals has grown by a quarter. Before 50 have come,
 * parts are taken to be uniform in steps of .05, and processors to be plenty. No tie is left to chance: differences
 * below one millionth of a thousandth are equal, and the caller's order decides.
 */
final class FillPotential implements GpuPolicy {
    /** From how many parts each GPU gets the one that suits it best; 24 do as well. */
    static final int CHOICE = 16;

    private static final int FIRST_ESTIMATE = 50;
    private static final int ASSUMED_STEP_MILLI = 50;
    private static final double TIE = 1e6;
    private static final double GROWTH = 1.25;

    private final List<GpuRequest> seen = new ArrayList<>();
    private final double[] rest = new double[GpuServer.WHOLE + 1];
    /** Sorted by processor per GPU: the parts of all GPUs asked for, and the processor that they need, summed up. */
    private double[] gpuSum = {0};

    private double[] cpuSum = {0};
    private final int[] after = new int[GpuServer.MOST_GPUS];
    private int nextEstimate = FIRST_ESTIMATE;
    private int version;

    FillPotential() {
        estimate();
    }

    @Override
    public void arrived(GpuRequest request) {
        seen.add(request);
        if (seen.size() >= nextEstimate) {
            nextEstimate = (int) (seen.size() * GROWTH);
            version++;
            estimate();
        }
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public double score(GpuServer server, GpuRequest request) {
        if (request.isPart()) {
            return ofPart(server, request, false);
        }
        System.arraycopy(server.free, 0, after, 0, server.free.length);
        GpuServer.takeWhole(after, request.gpus());
        return decrease(server, request);
    }

    @Override
    public int gpuFor(GpuServer server, GpuRequest request) {
        return (int) ofPart(server, request, true);
    }

    private double ofPart(GpuServer server, GpuRequest request, boolean which) {
        double best = 0;
        int gpu = -1;
        for (int i = 0; i < server.free.length; i++) {
            if (server.free[i] >= request.gpuMilli() && !server.repeats(i)) {
                System.arraycopy(server.free, 0, after, 0, server.free.length);
                after[i] -= request.gpuMilli();
                double score = decrease(server, request);
                if (gpu < 0 || score > best) {
                    best = score;
                    gpu = i;
                }
            }
        }
        return which ? gpu : best;
    }

    /** By how much the potential falls with the free GPUs as in {@code after}. */
    private double decrease(GpuServer server, GpuRequest request) {
        int gpus = server.free.length;
        double before = potential(server.freeCpuMilli, server.free, gpus);
        return Math.rint((before - potential(server.freeCpuMilli - request.cpuMilli(), after, gpus)) * TIE) / TIE;
    }

    private double potential(int cpuMilli, int[] free, int gpus) {
        double rests = 0;
        double room = 0;
        for (int i = 0; i < gpus; i++) {
            rests += rest[free[i]];
            room += free[i] - rest[free[i]];
        }
        return rests + room - usable(cpuMilli, room);
    }

    /** The most of {@code room} that requests in the mix seen so far can use with this much processor. */
    private double usable(double cpuMilli, double room) {
        int last = gpuSum.length - 1;
        if (room <= 0 || cpuMilli >= room * cpuSum[last]) {
            return room;
        }
        double perGpu = cpuMilli / room;
        int low = 0;
        int high = last;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (cpuSum[middle] <= perGpu) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double width = cpuSum[high] - cpuSum[low];
        double within = width > 0 ? (perGpu - cpuSum[low]) / width : 0;
        return room * (gpuSum[low] + within * (gpuSum[high] - gpuSum[low]));
    }

    private void estimate() {
        double[] parts = new double[GpuServer.WHOLE];
        Map<Double, Double> byNeed = new TreeMap<>();
        double asked = 0;
        for (GpuRequest request : seen) {
            if (request.isPart()) {
                parts[request.gpuMilli()]++;
            }
            if (request.gpus() > 0) {
                asked += request.milli();
                byNeed.merge(request.cpuMilli() / (double) request.milli(), (double) request.milli(), Double::sum);
            }
        }
        if (Arrays.stream(parts).sum() == 0) {
            for (int milli = ASSUMED_STEP_MILLI; milli < GpuServer.WHOLE; milli += ASSUMED_STEP_MILLI) {
                parts[milli] = 1;
            }
        }
        estimateRests(parts, Arrays.stream(parts).sum());
        gpuSum = new double[byNeed.size() + 1];
        cpuSum = new double[byNeed.size() + 1];
        int i = 0;
        for (Map.Entry<Double, Double> need : byNeed.entrySet()) {
            double part = need.getValue() / asked;
            gpuSum[i + 1] = gpuSum[i] + part;
            cpuSum[i + 1] = cpuSum[i] + part * need.getKey();
            i++;
        }
        gpuSum[i] = i > 0 ? 1 : 0;
    }

    private void estimateRests(double[] parts, double total) {
        int[] sizes = java.util.stream.IntStream.range(1, parts.length)
                .filter(milli -> parts[milli] > 0)
                .toArray();
        for (int r = 0; r < GpuServer.WHOLE; r++) {
            int room = r;
            int[] fitting = Arrays.stream(sizes)
                    .filter(milli -> milli <= room)
                    .boxed()
                    .sorted(Comparator.comparingDouble(milli -> rest[room - milli]))
                    .mapToInt(milli -> milli)
                    .toArray();
            double none = 1;
            double expected = 0;
            double left = 1;
            for (int milli : fitting) {
                left = Math.max(0, left - parts[milli] / total);
                double later = StrictMath.pow(left, CHOICE);
                expected += rest[r - milli] * (none - later);
                none = later;
            }
            rest[r] = expected + r * none;
        }
    }
}
