package dev.stowage.study.fgd;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.ServerBlock;
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
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The published files of openb, in one folder, as they are or packed with gzip. */
public final class GpuLists {
    static final String NODES = "openb_node_list_gpu_node.csv";
    private static final String PODS = "openb_pod_list_";
    private static final String PUBLISHED = "fgd2023_allocation_";
    private static final String MODEL = "gpu";
    private static final int FIRST_POINT = 5;
    /** Places of what requests demand and servers have. */
    static final int CPU = 0;

    static final int GPU = 2;
    /** Thousandths of a whole GPU. */
    static final int WHOLE = 1000;

    /** Most GPUs of a server. */
    static final int MOST_GPUS = 8;

    private final Path folder;
    private final List<ServerBlock> servers;

    /**
     * Reads the servers.
     *
     * @throws IllegalArgumentException if there are none in the folder, or a row is not as published
     */
    public GpuLists(Path folder) {
        this.folder = folder;
        Path file = file(NODES).orElseThrow(() -> new IllegalArgumentException("no " + NODES + " in " + folder));
        servers = new ArrayList<>(rows(file, "sn", "cpu_milli", "memory_mib", "gpu", "model").stream()
                .map(row -> ServerBlock.named(
                        row.get(0),
                        Labels.of(Map.of(MODEL, row.get(4))),
                        number(file, row, 1),
                        number(file, row, 2),
                        (long) number(file, row, 3) * WHOLE))
                .toList());
        servers.sort(Comparator.comparing(server -> server.names().get(0)));
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
    List<ServerBlock> servers() {
        return servers;
    }

    /** The requests of a list, by name. */
    List<NewRequest> requests(String list) {
        String name = PODS + list + ".csv";
        Path file = file(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no " + name + " in " + folder + "; known: " + String.join(", ", names())));
        List<NewRequest> requests = new ArrayList<>();
        boolean namesModels = all(file).get(0).contains("gpu_spec");
        List<List<String>> rows =
                new ArrayList<>(rows(file, "name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"));
        rows.sort(Comparator.comparing(row -> row.get(0)));
        for (List<String> row : rows) {
            int gpus = number(file, row, 3);
            int milli = gpus == 0 ? 0 : number(file, row, 4);
            boolean oneGpu = milli >= 1 && milli <= WHOLE;
            if (gpus > MOST_GPUS || (gpus > 0 && !oneGpu)) {
                throw bad(file, row, "asks for " + gpus + " GPUs at " + milli + " thousandths");
            }
            if (gpus > 1 && milli < WHOLE) {
                throw bad(file, row, "asks for parts of " + gpus + " GPUs");
            }
            String models = gpus > 0 && namesModels && row.size() > 5 ? row.get(5) : "";
            NewRequest request =
                    NewRequest.of(requests.size(), number(file, row, 1), number(file, row, 2), (long) gpus * milli);
            requests.add(models.isEmpty() ? request : request.constrained(ofModels(models)));
        }
        return List.copyOf(requests);
    }

    /**
     * Any of the models. Some rows name a model twice, and the published simulator takes them for another kind of
     * request: the second is a term of its own, which changes nothing else.
     */
    private static Constraints ofModels(String models) {
        List<String> named = List.of(models.split("\\|", -1));
        List<List<Requirement>> terms = new ArrayList<>();
        terms.add(List.of(new Requirement(MODEL, Requirement.Operator.IN, named)));
        for (int i = 1; i < named.size(); i++) {
            if (named.subList(0, i).contains(named.get(i))) {
                terms.add(List.of(new Requirement(MODEL, Requirement.Operator.IN, named.subList(i, i + 1))));
            }
        }
        return new Constraints(List.of(), terms, List.of(), List.of());
    }

    /** Thousandths of all GPUs that a request asks for. */
    static long milli(NewRequest request) {
        return request.demand()[GPU];
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
            throw bad(file, row, "'" + row.get(column) + "' in column " + (column + 1) + " is not a whole number");
        }
    }

    private static IllegalArgumentException bad(Path file, List<String> row, String what) {
        return new IllegalArgumentException(file + ": " + row.get(0) + " " + what);
    }
}
