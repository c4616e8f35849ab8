package dev.stowage.sim.workload;

import de.siegmar.fastcsv.reader.CsvReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * VM requests as columns, from the generator or from the public trace, and the figures by which the two are compared.
 * For a fair comparison the generator's service times are rounded to the steps of the trace, and both are cut at its
 * end.
 */
final class VmLog {
    static final double TRACE_SECONDS = 491_400;
    static final double[] PERCENTS = {10, 25, 50, 75, 90, 95, 99};
    static final int COMMON_SHAPES = 6;
    private static final int[] SHAPE_VCPUS = {1, 2, 4, 8, 8, 1};
    private static final double[] SHAPE_GIB = {1.75, 3.5, 7, 14, 56, 0.75};

    final double[] arrival;
    final double[] duration;
    final double[] vcpus;
    final double[] gib;
    final long[] batch;
    final int[] shape;

    private VmLog(List<double[]> rows) {
        arrival = column(rows, 0);
        double[] whole = column(rows, 1);
        vcpus = column(rows, 2);
        gib = column(rows, 3);
        batch = Arrays.stream(column(rows, 4)).mapToLong(x -> (long) x).toArray();
        duration = IntStream.range(0, arrival.length)
                .mapToDouble(i -> Math.min(whole[i], TRACE_SECONDS - arrival[i]))
                .toArray();
        shape = IntStream.range(0, arrival.length).map(this::shapeOf).toArray();
    }

    private static double[] column(List<double[]> rows, int column) {
        return rows.stream().mapToDouble(row -> row[column]).toArray();
    }

    private int shapeOf(int i) {
        for (int s = 0; s < COMMON_SHAPES; s++) {
            if (vcpus[i] == SHAPE_VCPUS[s] && gib[i] == SHAPE_GIB[s]) {
                return s;
            }
        }
        return COMMON_SHAPES;
    }

    static VmLog generated(Workload workload, long seed) {
        var rows = new ArrayList<double[]>();
        RequestStream stream = workload.open(seed);
        while (stream.next()) {
            // batches have distinct arrival times, which name them
            rows.add(new double[] {
                stream.arrivalNanos() / 1e9,
                onStepsOfTheTrace(stream.workNanos() / 1e9),
                stream.demand(0) / 1000.0,
                stream.demand(1) / 1024.0,
                stream.arrivalNanos()
            });
        }
        return new VmLog(rows);
    }

    /** 300 s up to an hour (150 s for what is below), then the middle of an hour, after a day the middle of a day. */
    private static double onStepsOfTheTrace(double seconds) {
        if (seconds < 3750) {
            return Math.max(150, Math.rint(seconds / 300) * 300);
        }
        double step = seconds < 86_550 ? 3600 : 86_400;
        return Math.floor((seconds - 150) / step) * step + step / 2 + 150;
    }

    /** The public trace, if the data directory is beside the repository. */
    static Optional<VmLog> trace() {
        Path file = Path.of("").toAbsolutePath();
        while (file != null) {
            Path candidate = file.resolveSibling("shared").resolve("data/azure2017_vms_5.7d.csv.gz");
            if (Files.isReadable(candidate)) {
                return Optional.of(read(candidate));
            }
            file = file.getParent();
        }
        return Optional.empty();
    }

    private static VmLog read(Path path) {
        try (Reader reader =
                        new InputStreamReader(new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8);
                var csv = CsvReader.builder().ofNamedCsvRecord(reader)) {
            return new VmLog(csv.stream()
                    .map(row -> new double[] {
                        number(row.getField("arrival_s")),
                        number(row.getField("duration_s")),
                        number(row.getField("vcpus")),
                        number(row.getField("mem_gib")),
                        number(row.getField("batch_id"))
                    })
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double number(String field) {
        return field.isEmpty() ? Double.POSITIVE_INFINITY : Double.parseDouble(field);
    }

    int size() {
        return arrival.length;
    }

    /** Arrivals per hour: requests, or the first requests of batches. */
    double[] perHour(boolean batches, int hours) {
        double[] counts = new double[hours];
        long before = -1;
        for (int i = 0; i < size(); i++) {
            int hour = (int) (arrival[i] / 3600);
            if (hour < hours && (!batches || batch[i] != before)) {
                counts[hour]++;
            }
            before = batch[i];
        }
        return counts;
    }

    /** Variance over mean of the counts around their mean per hour of the day. */
    static double dispersion(double[] hourly) {
        double[] profile = profile(hourly);
        double sum = 0;
        for (int h = 0; h < hourly.length; h++) {
            double expected = profile[h % 24];
            sum += (hourly[h] - expected) * (hourly[h] - expected) / expected;
        }
        return sum / (hourly.length - 24);
    }

    /** Mean per hour of the day. */
    static double[] profile(double[] hourly) {
        double[] sums = new double[24];
        int[] counts = new int[24];
        for (int h = 0; h < hourly.length; h++) {
            sums[h % 24] += hourly[h];
            counts[h % 24]++;
        }
        return IntStream.range(0, 24).mapToDouble(h -> sums[h] / counts[h]).toArray();
    }

    /** Sum of a weight over the running requests, at every fifth minute. */
    double[] concurrent(double[] weight) {
        double[] change = new double[(int) (TRACE_SECONDS / 300) + 1];
        for (int i = 0; i < size(); i++) {
            change[(int) (arrival[i] / 300)] += weight[i];
            change[(int) ((arrival[i] + duration[i]) / 300)] -= weight[i];
        }
        Arrays.parallelPrefix(change, Double::sum);
        return Arrays.copyOf(change, change.length - 1);
    }

    /** Quantiles of the (cut) service time of one shape, or of all for shape -1. */
    double[] durations(int wanted) {
        double[] sorted = IntStream.range(0, size())
                .filter(i -> wanted < 0 || shape[i] == wanted)
                .mapToDouble(i -> duration[i])
                .sorted()
                .toArray();
        return quantiles(sorted);
    }

    /** Largest difference of the shares of requests that are no longer than x, over all x (Kolmogorov's distance). */
    double durationDistance(VmLog other) {
        double[] ours = Arrays.stream(duration).sorted().toArray();
        double[] theirs = Arrays.stream(other.duration).sorted().toArray();
        double distance = 0;
        int i = 0;
        int j = 0;
        while (i < ours.length && j < theirs.length) {
            double x = Math.min(ours[i], theirs[j]);
            while (i < ours.length && ours[i] <= x) {
                i++;
            }
            while (j < theirs.length && theirs[j] <= x) {
                j++;
            }
            distance = Math.max(distance, Math.abs((double) i / ours.length - (double) j / theirs.length));
        }
        return distance;
    }

    double[] batchSizes() {
        return Arrays.stream(sizes()).asDoubleStream().sorted().toArray();
    }

    static double[] quantiles(double[] sorted) {
        return Arrays.stream(PERCENTS)
                .map(p -> sorted[(int) (p / 100 * (sorted.length - 1))])
                .toArray();
    }

    /** Share of each common shape, then of all others. */
    double[] mix() {
        double[] shares = new double[COMMON_SHAPES + 1];
        for (int s : shape) {
            shares[s] += 1.0 / size();
        }
        return shares;
    }

    /** Share of batches of at least two requests whose requests all have one shape. */
    double uniformBatches() {
        int[] sizes = sizes();
        int uniform = 0;
        int several = 0;
        int at = 0;
        for (int size : sizes) {
            int from = at;
            if (size > 1) {
                several++;
                uniform += IntStream.range(from, from + size).allMatch(i -> shape[i] == shape[from]) ? 1 : 0;
            }
            at += size;
        }
        return (double) uniform / several;
    }

    private int[] sizes() {
        var sizes = IntStream.builder();
        int start = 0;
        for (int i = 1; i <= size(); i++) {
            if (i == size() || batch[i] != batch[start]) {
                sizes.add(i - start);
                start = i;
            }
        }
        return sizes.build().toArray();
    }

    /** Correlation of the logarithms of two service times of a batch: intraclass, by analysis of variance. */
    double batchCorrelation() {
        double[] logs =
                Arrays.stream(duration).map(d -> Math.log(Math.max(d, 1))).toArray();
        double mean = Arrays.stream(logs).average().orElseThrow();
        double between = 0;
        double within = 0;
        double squares = 0;
        int at = 0;
        int[] sizes = sizes();
        for (int size : sizes) {
            double own = Arrays.stream(logs, at, at + size).average().orElseThrow();
            between += size * (own - mean) * (own - mean);
            within += Arrays.stream(logs, at, at + size)
                    .map(x -> (x - own) * (x - own))
                    .sum();
            squares += (double) size * size;
            at += size;
        }
        int groups = sizes.length;
        double meanBetween = between / (groups - 1);
        double meanWithin = within / (size() - groups);
        double typical = (size() - squares / size()) / (groups - 1);
        return (meanBetween - meanWithin) / (meanBetween + (typical - 1) * meanWithin);
    }
}
