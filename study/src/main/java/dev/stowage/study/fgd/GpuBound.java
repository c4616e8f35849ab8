package dev.stowage.study.fgd;

import dev.stowage.core.model.NewRequest;
import dev.stowage.optimize.lp.Certificate;
import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The most GPUs that any placement of a sequence's requests could allocate, even one that knows all of them
 * beforehand and refuses what it likes. So it is above what a policy that takes whatever fits can reach.
 *
 * <p>A linear program: how many requests of each shape are placed, at most as many as arrive; they need no more
 * processor than all servers have; and of the GPUs, for several thresholds t, at most one is counted per GPU, where
 * a whole one counts 1, a part of m counts 1 if m is above 1 - t, 0 if below t, and m otherwise. Each of these is a
 * dual feasible function of bin packing (S. P. Fekete, J. Schepers, Mathematical Programming 91, 2001): parts that
 * share one GPU never count more than 1 together. Memory, models and the borders between servers are left out.
 *
 * <p>The bound is that of the prices of the program by weak duality ({@link Certificate}), not the solver's word.
 */
final class GpuBound {
    private static final double WHOLE = GpuLists.WHOLE;
    private static final double[] THRESHOLDS_MILLI = {0, 50, 100, 150, 200, 250, 300, 320, 350, 400, 450, 500};

    /** What requests ask for, but memory and models. */
    private record CpuAndGpu(long cpuMilli, long milli) {}

    private GpuBound() {}

    /** The bound in per cent of all GPUs, rounded up to two digits. */
    static double of(GpuSequence sequence) {
        Map<CpuAndGpu, Integer> shapes =
                new TreeMap<>(Comparator.comparingLong(CpuAndGpu::milli).thenComparingLong(CpuAndGpu::cpuMilli));
        for (NewRequest request : sequence.arrivals()) {
            CpuAndGpu shape = new CpuAndGpu(request.demand()[GpuLists.CPU], GpuLists.milli(request));
            if (shape.milli > 0) {
                shapes.merge(shape, 1, Integer::sum);
            }
        }
        double gpus = sequence.capacityMilli() / WHOLE;
        LinearProgram program = LinearProgram.maximize();
        program.addRow(
                0,
                sequence.servers().stream()
                                .mapToLong(each -> each.capacity().get(GpuLists.CPU))
                                .sum()
                        / WHOLE);
        for (int i = 0; i < THRESHOLDS_MILLI.length; i++) {
            program.addRow(0, gpus);
        }
        shapes.forEach((shape, count) -> addColumn(program, shape, count));
        try (LinearSolver solver = LinearSolvers.best().open(program)) {
            double bound = Certificate.of(program, solver.solve()).bound();
            return Math.min(100, StrictMath.ceil(bound / gpus * 100 * 100) / 100);
        }
    }

    private static void addColumn(LinearProgram program, CpuAndGpu shape, int most) {
        List<Integer> rows = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        if (shape.cpuMilli > 0) {
            rows.add(0);
            values.add(shape.cpuMilli / WHOLE);
        }
        for (int i = 0; i < THRESHOLDS_MILLI.length; i++) {
            double counted = shape.milli < WHOLE ? counted(shape.milli, THRESHOLDS_MILLI[i]) : shape.milli / WHOLE;
            if (counted > 0) {
                rows.add(1 + i);
                values.add(counted);
            }
        }
        program.addColumn(
                shape.milli / WHOLE,
                0,
                most,
                rows.stream().mapToInt(row -> row).toArray(),
                values.stream().mapToDouble(value -> value).toArray());
    }

    private static double counted(long milli, double threshold) {
        if (milli > WHOLE - threshold) {
            return 1;
        }
        return milli < threshold ? 0 : milli / WHOLE;
    }
}
