package dev.stowage.sim.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Prints the tables of docs/workloads.md: the public trace beside the generator. */
final class AzureLikeDocs {
    static final int SEEDS = 20;
    static final int HOURS = 136;

    public static void main(String[] args) {
        VmLog trace = VmLog.trace().orElseThrow();
        VmLog[] generated = IntStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> VmLog.generated(AzureLikeWorkload.of(1, VmLog.TRACE_SECONDS / 86_400), seed))
                .toArray(VmLog[]::new);
        row("requests", trace, generated, VmLog::size);
        row("batches", trace, generated, log -> log.batchSizes().length);
        row(
                "requests per hour",
                trace,
                generated,
                log -> Arrays.stream(log.perHour(false, HOURS)).average().orElseThrow());
        row("dispersion batches", trace, generated, log -> VmLog.dispersion(log.perHour(true, HOURS)));
        row("dispersion requests", trace, generated, log -> VmLog.dispersion(log.perHour(false, HOURS)));
        row(
                "cores mean",
                trace,
                generated,
                log -> Arrays.stream(log.concurrent(log.vcpus)).average().orElseThrow());
        row(
                "cores peak",
                trace,
                generated,
                log -> Arrays.stream(log.concurrent(log.vcpus)).max().orElseThrow());
        row("cores end", trace, generated, log -> log.concurrent(log.vcpus)[1637]);
        row(
                "GiB mean",
                trace,
                generated,
                log -> Arrays.stream(log.concurrent(log.gib)).average().orElseThrow());
        row(
                "GiB peak",
                trace,
                generated,
                log -> Arrays.stream(log.concurrent(log.gib)).max().orElseThrow());
        row("uniform batches", trace, generated, VmLog::uniformBatches);
        row("batch correlation", trace, generated, VmLog::batchCorrelation);
        row(
                "mean batch",
                trace,
                generated,
                log -> Arrays.stream(log.batchSizes()).average().orElseThrow());
        for (int p = 0; p < VmLog.PERCENTS.length; p++) {
            int index = p;
            row("batch size p" + VmLog.PERCENTS[p], trace, generated, log -> VmLog.quantiles(log.batchSizes())[index]);
        }
        for (int s = 0; s <= VmLog.COMMON_SHAPES; s++) {
            int index = s;
            row("share of shape " + s, trace, generated, log -> log.mix()[index]);
        }
        for (int s = -1; s < VmLog.COMMON_SHAPES; s++) {
            for (int p = 0; p < VmLog.PERCENTS.length; p++) {
                int shape = s;
                int index = p;
                row("shape " + s + " p" + VmLog.PERCENTS[p], trace, generated, log -> log.durations(shape)[index]);
            }
        }
    }

    private static void row(String name, VmLog trace, VmLog[] generated, ToDoubleFunction<VmLog> figure) {
        double[] values = Arrays.stream(generated).mapToDouble(figure).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.4g | %.4g | %.4g to %.4g |%n",
                name,
                figure.applyAsDouble(trace),
                Arrays.stream(values).average().orElseThrow(),
                values[0],
                values[values.length - 1]);
    }

    private AzureLikeDocs() {}
}
