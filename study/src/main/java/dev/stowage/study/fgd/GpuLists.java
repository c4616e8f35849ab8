package dev.stowage.study.fgd;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The published files of openb, in one folder, as they are or packed with gzip. */
public final class GpuLists {
    static final String NODES = "openb_node_list_gpu_node.csv";
    private static final String PODS = "openb_pod_list_";
    private static final String PUBLISHED = "fgd2023_allocation_";
    private static final int FIRST_POINT = 5;

    private final Path folder;
    private final List<String> models = new ArrayList<>();
    private final List<GpuServer> servers;

    /**
     * Reads the servers.
     *
     * @throws IllegalArgumentException if there are none in the folder, or a row is not as published
     */
    public GpuLists(Path folder) {
        this.folder = folder;
        Path file = file(NODES).orElseThrow(() -> new IllegalArgumentException("no " + NODES + " in " + folder));
        servers = new ArrayList<>(rows(file, "sn", "cpu_milli", "memory_mib", "gpu", "model").stream()
                .map(row -> new GpuServer(
                        row.get(0),
                        number(file, row, 1),
                        number(file, row, 2),
                        number(file, row, 3),
                        model(row.get(4))))
                .toList());
        servers.sort(Comparator.comparing(server -> server.name));
    }

    /** Whether the folder has the servers. */
    public static boolean present(Path folder) {
        return Stream.of(NODES, NODES + ".gz").anyMatch(name -> Files.exists(folder.resolve(name)));
    }

    /** Names of the lists of requests in the folder, sorted, as "default". */
    public List<String> names() {
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.map(each -> String.valueOf(each.getFileName()))
                    .filter(name -> name.startsWith(PODS) && name.contains(".csv"))
                    .forEach(name -> names.add(name.substring(PODS.length(), name.indexOf(".csv"))));
        } catch (IOException e) {
            throw new UncheckedIOException(folder + ": cannot be listed: " + e.getMessage(), e);
        }
        return List.copyOf(names);
    }

    /** The servers, by name. */
    List<GpuServer> servers() {
        return servers;
    }

    /** The requests of a list, by name. */
    List<GpuRequest> requests(String list) {
        String name = PODS + list + ".csv";
        Path file = file(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no " + name + " in " + folder + "; there are " + String.join(", ", names())));
        Map<String, Integer> shapes = new TreeMap<>();
        List<GpuRequest> requests = new ArrayList<>();
        boolean namesModels = all(file).get(0).contains("gpu_spec");
        for (List<String> row : rows(file, "name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli")) {
            int cpu = number(file, row, 1);
            int gpus = number(file, row, 3);
            int milli = gpus == 0 ? 0 : number(file, row, 4);
            boolean oneGpu = milli >= 1 && milli <= GpuServer.WHOLE;
            if (gpus > GpuServer.MOST_GPUS || (gpus > 0 && !oneGpu)) {
                throw bad(file, row, "asks for " + gpus + " GPUs at " + milli + " thousandths");
            }
            if (gpus > 1 && milli < GpuServer.WHOLE) {
                throw bad(file, row, "asks for parts of " + gpus + " GPUs");
            }
            String wanted = namesModels && row.size() > 5 ? row.get(5) : "";
            String shape = cpu + " " + gpus + " " + milli + " " + wanted;
            requests.add(new GpuRequest(
                    row.get(0),
                    cpu,
                    number(file, row, 2),
                    gpus,
                    milli,
                    wanted,
                    wanted.isEmpty() ? -1 : models(wanted),
                    shapes.computeIfAbsent(shape, key -> shapes.size())));
        }
        requests.sort(Comparator.comparing(GpuRequest::name));
        return List.copyOf(requests);
    }

    /**
     * What was published: per list, policy and seed ("default 06-FGD 42") the per cent of GPUs allocated at each
     * whole per cent asked for. Empty if the file is not in the folder.
     */
    Map<String, double[]> published() {
        Map<String, double[]> all = new LinkedHashMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(
                            each -> String.valueOf(each.getFileName()).startsWith(PUBLISHED))
                    .sorted()
                    .toList()) {
                for (List<String> row : rows(file, "workload", "sc_policy", "tune", "seed", "total_gpus", "0")) {
                    double[] points = row.subList(FIRST_POINT, row.size()).stream()
                            .mapToDouble(Double::parseDouble)
                            .toArray();
                    all.put(row.get(0).replace(PODS, "") + " " + row.get(1) + " " + row.get(3), points);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(folder + ": cannot be listed: " + e.getMessage(), e);
        }
        return all;
    }

    private Optional<Path> file(String name) {
        return Stream.of(name, name + ".gz")
                .map(folder::resolve)
                .filter(Files::exists)
                .findFirst();
    }

    private int model(String name) {
        if (!models.contains(name)) {
            models.add(name);
        }
        return models.indexOf(name);
    }

    private long models(String names) {
        long set = 0;
        for (String name : names.split("\\|", -1)) {
            int model = models.indexOf(name);
            set |= model < 0 ? 0 : 1L << model;
        }
        return set;
    }

    private static List<List<String>> rows(Path file, String... columns) {
        List<List<String>> all = all(file);
        if (all.isEmpty()
                || all.get(0).size() < columns.length
                || !all.get(0).subList(0, columns.length).equals(List.of(columns))) {
            throw new IllegalArgumentException(file + ": does not begin with the columns " + String.join(",", columns));
        }
        return all.subList(1, all.size());
    }

    private static List<List<String>> all(Path file) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> List.of(line.split(",", -1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file));
        return file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
    }

    private static int number(Path file, List<String> row, int column) {
        try {
            return Integer.parseInt(row.get(column));
        } catch (NumberFormatException e) {
            throw bad(file, row, "'" + row.get(column) + "' in column " + (column + 1) + " is no whole number");
        }
    }

    private static IllegalArgumentException bad(Path file, List<String> row, String what) {
        return new IllegalArgumentException(file + ": " + row.get(0) + " " + what);
    }
}
