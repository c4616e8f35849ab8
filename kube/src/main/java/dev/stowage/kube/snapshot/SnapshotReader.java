package dev.stowage.kube.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.stowage.kube.translate.PodBudget;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Reads the output of {@code kubectl get nodes,pods,pdb -A -o json} (or {@code -o yaml}, or several such files, or the
 * directory of {@code kubectl cluster-info dump}). Objects of other kinds are counted and left out; fields that are not
 * known are ignored, as Kubernetes does, except in the spec of a pod, where one could forbid a node
 * ({@link dev.stowage.kube.translate.PodReader}).
 */
public final class SnapshotReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML =
            new ObjectMapper(YAMLFactory.builder().loaderOptions(unlimited()).build());
    private static final String POLICY_BETA = "policy/v1beta1";
    private static final Map<String, List<String>> VERSIONS = Map.of(
            "Node", List.of("v1"),
            "Pod", List.of("v1"),
            "PodDisruptionBudget", List.of("policy/v1", POLICY_BETA));

    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<PodBudget> budgets = new ArrayList<>();
    private final Map<String, Integer> others = new TreeMap<>();
    /** Kinds that are taken as they are, and the objects of each. */
    private final Set<String> raw;

    private final Map<String, List<JsonNode>> objects = new TreeMap<>();

    private SnapshotReader(Set<String> raw) {
        this.raw = raw;
    }

    private static LoaderOptions unlimited() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        return options;
    }

    /**
     * The cluster in files and directories.
     *
     * @throws SnapshotException if a file cannot be read, is cut short, or has no node in it
     */
    public static NodesAndPods read(List<Path> sources) {
        SnapshotReader reader = new SnapshotReader(Set.of());
        reader.all(sources);
        if (reader.nodes.isEmpty()) {
            throw new SnapshotException("there is no node in "
                    + String.join(", ", sources.stream().map(Path::toString).toList())
                    + "; write one with: kubectl get nodes,pods,pdb -A -o json > cluster.json");
        }
        List<String> notes = new ArrayList<>();
        reader.others.forEach((kind, count) -> notes.add(count + " objects of kind " + kind + " are not looked at"));
        return NodesAndPods.of(reader.nodes, reader.pods, reader.budgets, notes);
    }

    /**
     * The objects of some kinds in files and directories, as they are.
     *
     * @throws SnapshotException if a file cannot be read or is cut short
     */
    public static Map<String, List<JsonNode>> objects(List<Path> sources, Set<String> kinds) {
        SnapshotReader reader = new SnapshotReader(kinds);
        reader.all(sources);
        return reader.objects;
    }

    private void all(List<Path> sources) {
        for (Path source : sources) {
            for (Path file : files(source)) {
                file(file);
            }
        }
    }

    private static List<Path> files(Path source) {
        if (!Files.exists(source)) {
            throw new SnapshotException(source + ": there is no such file or directory");
        }
        if (!Files.isDirectory(source)) {
            return List.of(source);
        }
        try (Stream<Path> all = Files.walk(source)) {
            List<Path> found = all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().matches("(?i).*\\.(json|ya?ml)"))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new SnapshotException(source + ": there is no .json, .yaml or .yml in this directory");
            }
            return found;
        } catch (IOException e) {
            throw new SnapshotException(source + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private void file(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            ObjectMapper mapper = isJson(file) ? JSON : YAML;
            try (MappingIterator<JsonNode> documents =
                    mapper.readerFor(JsonNode.class).readValues(in)) {
                int count = 0;
                for (int number = 1; documents.hasNextValue(); number++) {
                    JsonNode document = documents.nextValue();
                    // Nothing, or comments alone, between two lines of ---, as kubectl takes it.
                    boolean empty = document.isNull()
                            || document.isMissingNode()
                            || (document.isTextual() && document.textValue().isBlank());
                    count += empty ? 0 : 1;
                    if (!empty) {
                        object(file, document, "", "document " + number);
                    }
                }
                if (count == 0) {
                    throw new SnapshotException(file + ": is empty");
                }
            }
        } catch (JsonEOFException e) {
            throw new SnapshotException(
                    file + ": is truncated at line " + e.getLocation().getLineNr() + "; write it again", e);
        } catch (JsonProcessingException e) {
            throw new SnapshotException(
                    file + ": is not JSON or YAML: " + e.getOriginalMessage()
                            + (e.getLocation() == null
                                    ? ""
                                    : ", at line " + e.getLocation().getLineNr()),
                    e);
        } catch (IOException e) {
            throw new SnapshotException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Judges by the first character, whatever the file's name. */
    private static boolean isJson(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            for (int sign = in.read(); sign >= 0; sign = in.read()) {
                if (!Character.isWhitespace(sign)) {
                    return sign == '{' || sign == '[';
                }
            }
        }
        return false;
    }

    private void object(Path file, JsonNode node, String kindOfList, String place) {
        if (!node.isObject()) {
            throw new SnapshotException(
                    file + ": " + place + " is " + node.getNodeType().toString().toLowerCase(java.util.Locale.ROOT)
                            + " where an object with kind and metadata is expected");
        }
        String kind = node.path("kind").asText(kindOfList);
        if (node.path("items").isArray() && (kind.isEmpty() || kind.endsWith("List"))) {
            list(file, node, kind.replaceFirst("List$", ""));
            return;
        }
        if (kind.isEmpty()) {
            throw new SnapshotException(file + ": " + place + " has no kind; use the output of kubectl get -o json");
        }
        if (raw.contains(kind)) {
            objects.computeIfAbsent(kind, first -> new ArrayList<>()).add(node);
            return;
        }
        List<String> versions = VERSIONS.get(kind);
        if (versions == null || !raw.isEmpty()) {
            others.merge(kind, 1, Integer::sum);
            return;
        }
        String version = node.path("apiVersion").asText(kindOfList.isEmpty() ? "" : versions.get(0));
        String what =
                file + ": " + kind + " " + node.path("metadata").path("name").asText("without a name");
        if (!versions.contains(version)) {
            throw new SnapshotException(
                    what + " is of version '" + version + "', must be " + String.join(" or ", versions));
        }
        switch (kind) {
            case "Node" -> nodes.add(convert(what, node, Node.class));
            case "Pod" -> pods.add(convert(what, node, Pod.class));
            default -> budgets.add(budget(what, node, version));
        }
    }

    private void list(Path file, JsonNode list, String kind) {
        JsonNode meta = list.path("metadata");
        if (!meta.path("continue").asText("").isEmpty()
                || meta.path("remainingItemCount").asLong(0) > 0) {
            throw new SnapshotException(file + ": the list is truncated ("
                    + meta.path("remainingItemCount").asText("some")
                    + " more items are at the API server); write it again without a limit");
        }
        int number = 0;
        for (JsonNode item : list.path("items")) {
            object(file, item, kind, "item " + ++number + " of the list");
        }
    }

    private static <T extends HasMetadata> T convert(String what, JsonNode node, Class<T> type) {
        try {
            T read = JSON.treeToValue(node, type);
            if (read.getMetadata() == null || read.getMetadata().getName() == null) {
                throw new SnapshotException(what + ": has no metadata.name");
            }
            return read;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            String message = e instanceof JsonProcessingException broken ? broken.getOriginalMessage() : e.getMessage();
            throw new SnapshotException(what + ": " + message, e);
        }
    }

    private static PodBudget budget(String what, JsonNode node, String version) {
        try {
            return version.equals(POLICY_BETA)
                    ? PodBudget.of(convert(
                            what, node, io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget.class))
                    : PodBudget.of(convert(what, node, PodDisruptionBudget.class));
        } catch (IllegalArgumentException e) {
            throw new SnapshotException(what + ": " + e.getMessage(), e);
        }
    }
}
