package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes the table and the pictures of docs/workloads.md: the public trace beside the generator. Not part of a normal
 * test run; docs/workloads.md has the command.
 */
@EnabledIfSystemProperty(named = "stowage.docs", matches = ".+")
class AzureLikeDocs {
    private static final int SEEDS = 20;
    private static final int HOURS = 136;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;

    private final VmLog trace = VmLog.trace().orElseThrow();
    private final List<VmLog> generated = IntStream.rangeClosed(1, SEEDS)
            .mapToObj(seed -> VmLog.generated(AzureLikeWorkload.of(1, VmLog.TRACE_SECONDS / DAY), seed))
            .toList();
    private final List<String> rows = new ArrayList<>();

    @Test
    void write() throws IOException {
        Path docs = Path.of(System.getProperty("stowage.docs"));
        Path images = Files.createDirectories(docs.resolve("images"));
        Files.write(docs.resolve("internals").resolve("azure-like-figures.md"), table());
        pictures(images);
        assertThat(images).isDirectoryContaining("glob:**/azure-like-*.svg");
    }

    private List<String> table() {
        rows.add("# `azure-like`: the trace beside the generator");
        rows.add("");
        rows.add("How closely the workload `azure-like` follows Azure's public trace of 2017, in every figure; the"
                + " summary and how to repeat it are in");
        rows.add("[workloads](../workloads.md). The generator's mean and range are over seeds 1 to " + SEEDS + ".");
        rows.add("");
        rows.add("| figure | trace | generator, mean | generator, least to most |");
        rows.add("|---|---:|---:|---:|");
        arrivalRows();
        demandRows();
        batchRows();
        for (int s = 0; s <= VmLog.COMMON_SHAPES; s++) {
            int shape = s;
            row("share of requests: " + shapeName(s) + ", %", log -> 100 * log.mix()[shape]);
        }
        for (int s = -1; s < VmLog.COMMON_SHAPES; s++) {
            int shape = s;
            quantileRows("service time, " + shapeName(s) + ", s", log -> log.durations(shape));
        }
        return rows;
    }

    private void arrivalRows() {
        row("requests", VmLog::size);
        row("batches", log -> log.batchSizes().length);
        row("requests per hour", log -> average(log.perHour(false, HOURS)));
        row("dispersion of batches per hour", log -> VmLog.dispersion(log.perHour(true, HOURS)));
        row("dispersion of requests per hour", log -> VmLog.dispersion(log.perHour(false, HOURS)));
    }

    private void demandRows() {
        row("concurrent cores, mean", log -> average(log.concurrent(log.vcpus)));
        row("concurrent cores, peak", log -> max(log.concurrent(log.vcpus)));
        row("concurrent cores, end", log -> last(log.concurrent(log.vcpus)));
        row("concurrent GiB, mean", log -> average(log.concurrent(log.gib)));
        row("concurrent GiB, peak", log -> max(log.concurrent(log.gib)));
        row("concurrent GiB, end", log -> last(log.concurrent(log.gib)));
    }

    private void batchRows() {
        row("requests per batch, mean", log -> average(log.batchSizes()));
        quantileRows("requests per batch", log -> VmLog.quantiles(log.batchSizes()));
        row("batches (of 2 and more) of one shape, %", log -> 100 * log.uniformBatches());
        row("correlation of log service times within a batch", VmLog::batchCorrelation);
        row("service time, all, largest distance from the trace, %", log -> 100 * log.durationDistance(trace));
    }

    private void quantileRows(String name, Function<VmLog, double[]> quantiles) {
        for (int p = 0; p < VmLog.PERCENTS.length; p++) {
            int index = p;
            row(name + ", p" + (int) VmLog.PERCENTS[p], log -> quantiles.apply(log)[index]);
        }
    }

    private void row(String name, ToDoubleFunction<VmLog> figure) {
        double[] values = generated.stream().mapToDouble(figure).sorted().toArray();
        rows.add("| " + name + " | " + rounded(figure.applyAsDouble(trace)) + " | " + rounded(average(values)) + " | "
                + rounded(values[0]) + " to " + rounded(values[values.length - 1]) + " |");
    }

    private static String rounded(double value) {
        String format = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    private static String shapeName(int shape) {
        if (shape < 0) {
            return "all";
        }
        return shape < VmLog.COMMON_SHAPES ? AzureLikeWorkload.of(1, 1).types().get(shape) : "all other shapes";
    }

    private void pictures(Path images) throws IOException {
        double[] days = IntStream.range(0, HOURS).mapToDouble(h -> h / 24.0).toArray();
        new LinePicture("Requests per hour", "days from the start", "requests per hour")
                .line("trace", days, trace.perHour(false, HOURS))
                .line("generator, seed 1", days, generated.get(0).perHour(false, HOURS))
                .write(images.resolve("azure-like-arrivals.svg"));
        new LinePicture("Batches per hour", "days from the start", "batches per hour")
                .line("trace", days, trace.perHour(true, HOURS))
                .line("generator, mean of 20 seeds", days, mean(log -> log.perHour(true, HOURS)))
                .write(images.resolve("azure-like-batches.svg"));
        concurrent("Running cores", "cores", log -> log.concurrent(log.vcpus), images.resolve("azure-like-cores.svg"));
        concurrent("Running memory", "GiB", log -> log.concurrent(log.gib), images.resolve("azure-like-memory.svg"));
        double[] shares =
                IntStream.rangeClosed(1, 200).mapToDouble(i -> i / 200.0).toArray();
        double[] percents = Arrays.stream(shares).map(share -> 100 * share).toArray();
        new LinePicture("Service times, cut at the end of the trace", "hours", "requests that are shorter, %")
                .percentages()
                .line("trace", durationQuantiles(trace, shares), percents)
                .line("generator, seed 1", durationQuantiles(generated.get(0), shares), percents)
                .write(images.resolve("azure-like-durations.svg"));
    }

    private void concurrent(String title, String unit, Function<VmLog, double[]> series, Path file) throws IOException {
        Function<VmLog, double[]> hourly = log -> {
            double[] all = series.apply(log);
            return IntStream.range(0, HOURS).mapToDouble(h -> all[12 * h]).toArray();
        };
        double[] days = IntStream.range(0, HOURS).mapToDouble(h -> h / 24.0).toArray();
        List<double[]> all = generated.stream().map(hourly).toList();
        new LinePicture(title, "days from the start", unit)
                .line("trace", days, hourly.apply(trace))
                .line("generator, mean of 20 seeds", days, mean(hourly))
                .line("generator, least", days, extreme(all, Math::min))
                .line("generator, most", days, extreme(all, Math::max))
                .write(file);
    }

    private double[] mean(Function<VmLog, double[]> series) {
        List<double[]> all = generated.stream().map(series).toList();
        return IntStream.range(0, all.get(0).length)
                .mapToDouble(i -> all.stream().mapToDouble(x -> x[i]).average().orElseThrow())
                .toArray();
    }

    private static double[] extreme(List<double[]> all, DoubleBinaryOperator choice) {
        return IntStream.range(0, all.get(0).length)
                .mapToDouble(
                        i -> all.stream().mapToDouble(x -> x[i]).reduce(choice).orElseThrow())
                .toArray();
    }

    private static double[] durationQuantiles(VmLog log, double[] shares) {
        double[] sorted = Arrays.stream(log.duration).sorted().toArray();
        return Arrays.stream(shares)
                .map(s -> Math.max(60, sorted[(int) (s * (sorted.length - 1))]) / HOUR)
                .toArray();
    }

    private static double average(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    private static double last(double[] values) {
        return values[values.length - 1];
    }
}
