package dev.stowage.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.sim.result.DistributionRow;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Invented results of a chosen size, the same every time. */
final class ResultSample {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final int INTERVALS = 200;
    private static final double HORIZON = 5.7 * 86400;

    List<String> policies = List.of("first-fit", "best-fit", "fifo-ff", "bf-js");
    List<String> sites = List.of("dc1");
    List<Map<String, String>> points = List.of(Map.of());
    List<String> types = List.of("2 vCPU / 3.5 GiB", "4 vCPU / 7 GiB");
    /** Load over bound at each point; empty for none. */
    List<Double> loadsOfBound = List.of();

    /** Nobody waits at the first point. */
    boolean idleAtFirst;

    int replications = 5;
    String unstable = "fifo-ff";
    String experiment = "quickstart";

    static Map<String, String> point(String... pairs) {
        Map<String, String> point = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            point.put(pairs[i], pairs[i + 1]);
        }
        return point;
    }

    ResultSample loads(double... loads) {
        points = java.util.Arrays.stream(loads)
                .mapToObj(load -> point("workload.load", Double.toString(load)))
                .toList();
        return this;
    }

    Path write(Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        for (ResultRow row : rows()) {
            text.append(json(row)).append('\n');
        }
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(ResultsReader.RESULTS), text);
        Files.writeString(
                directory.resolve(ResultsReader.EXPERIMENT),
                "name: " + experiment + "\nhorizon: 5.7 days\n# a < b & c\n");
        return directory;
    }

    static String json(ResultRow row) {
        try {
            return JSON.writeValueAsString(row);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    Results results() {
        return new Results(rows(), "name: " + experiment + "\n", List.of());
    }

    List<ResultRow> rows() {
        List<ResultRow> rows = new ArrayList<>();
        for (int p = 0; p < points.size(); p++) {
            for (int i = 0; i < policies.size(); i++) {
                policy(rows, origin(policies.get(i), points.get(p)), i, p);
            }
        }
        return rows;
    }

    Origin origin(String policy, Map<String, String> point) {
        return new Origin(
                ResultRow.SCHEMA, experiment, "0123456789abcdef", "0.1.0", "17.0.15", policy, Map.of(), point);
    }

    private void policy(List<ResultRow> rows, Origin origin, int i, int p) {
        Random random = new Random(100L * i + p);
        boolean grows = origin.policy().equals(unstable) && p == points.size() - 1;
        Map<String, Double> means = means(i, p);
        for (int r = 0; r < replications; r++) {
            Map<String, Double> noisy = new LinkedHashMap<>();
            means.forEach((name, mean) -> noisy.put(name, mean * (1 + 0.02 * random.nextGaussian())));
            rows.add(new RunRow(origin, r, 42 + r, String.format("%016x", random.nextLong()), 21600, HORIZON, noisy));
        }
        rows.add(series(origin, "queue_length", "requests", random, grows ? 900 : 20 + 5 * i, grows));
        rows.add(series(origin, "occupied_servers", "servers", random, 1200 - 10 * i, false));
        for (String resource : List.of("cpu_milli", "mem_mib")) {
            rows.add(series(origin, "utilization{resource=" + resource + "}", "fraction", random, 0.7, false));
            for (String site : sites) {
                String name = "utilization{site=" + site + ",resource=" + resource + "}";
                rows.add(series(origin, name, "fraction", random, 0.7, false));
            }
            rows.add(occupancy(origin, resource, i));
        }
        rows.add(waits(origin, i));
        Map<String, Estimate> estimates = new LinkedHashMap<>();
        means.forEach((name, mean) -> estimates.put(
                name,
                new Estimate(
                        mean,
                        replications > 1 ? mean * 0.03 : null,
                        0.95,
                        replications > 1 ? "replications" : "single-run",
                        replications)));
        if (!loadsOfBound.isEmpty()) {
            estimates.put("load_of_bound", new Estimate(loadsOfBound.get(p), null, 0.95, "bound", 1));
        }
        Stability stability = grows ? new Stability("unstable", 12.34, 0.8) : new Stability("stable", 0.01, 0.2);
        rows.add(new SummaryRow(origin, replications, "given", stability, estimates));
    }

    private Map<String, Double> means(int i, int p) {
        double scale = Math.pow(3, p);
        Map<String, Double> means = new LinkedHashMap<>();
        means.put("wait_mean_s", idleAtFirst && p == 0 ? 0 : 90.0 * scale / (1 + i));
        means.put("wait_p99_s", 4000.0 * scale / (1 + i));
        means.put("queue_length_mean", 14.5 * scale / (1 + i));
        means.put("queue_length_max", 300.0);
        means.put("occupied_servers_mean", 1200.0 - 40 * i);
        means.put("rejection_fraction", 0.0);
        means.put("migrations", 0.0);
        for (String resource : List.of("cpu_milli", "mem_mib")) {
            means.put("utilization{resource=" + resource + "}", 0.712);
            for (String site : sites) {
                means.put("utilization{site=" + site + ",resource=" + resource + "}", 0.712);
            }
        }
        for (String type : types) {
            means.put("wait_mean_s{type=" + type + "}", 80.0 * scale / (1 + i));
            means.put("rejection_fraction{type=" + type + "}", 0.0);
        }
        return means;
    }

    private static SeriesRow series(
            Origin origin, String name, String unit, Random random, double level, boolean grows) {
        double[] time = new double[INTERVALS];
        double[] mean = new double[INTERVALS];
        double value = level;
        for (int i = 0; i < INTERVALS; i++) {
            time[i] = i * HORIZON / INTERVALS;
            value += (level - value) * 0.05 + level * 0.03 * random.nextGaussian();
            double shown = grows ? level * i / INTERVALS + value * 0.1 : value * (1 + 0.1 * Math.sin(i / 5.6));
            mean[i] = Math.max(0, unit.equals("fraction") ? Math.min(1, shown) : shown);
        }
        return new SeriesRow(origin, 0, name, unit, time, mean, mean, mean);
    }

    /** Waits exponential with a mean that falls with i; 40 % do not wait. */
    private static DistributionRow waits(Origin origin, int i) {
        double[] probability = IntStream.rangeClosed(0, 60)
                .mapToDouble(k -> 1 - Math.pow(10, -k / 12.0))
                .toArray();
        double[] quantile = java.util.Arrays.stream(probability)
                .map(p -> p < 0.4 ? 0 : -600.0 / (1 + i) * Math.log((1 - p) / 0.6))
                .toArray();
        return new DistributionRow(origin, 0, "wait_s", "s", 400_000, probability, quantile);
    }

    private static DistributionRow occupancy(Origin origin, String resource, int i) {
        double[] probability =
                IntStream.rangeClosed(0, 100).mapToDouble(k -> k / 100.0).toArray();
        double[] quantile = java.util.Arrays.stream(probability)
                .map(p -> Math.max(0, Math.min(1, (p - 0.05 * i) * 1.6)))
                .toArray();
        return new DistributionRow(
                origin, 0, "server_occupancy{resource=" + resource + "}", "fraction", 1400, probability, quantile);
    }
}
