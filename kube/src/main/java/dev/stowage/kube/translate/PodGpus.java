package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod asks of GPUs that are shared, and which ones it has. On a node of HAMi a pod that asks for {@code
 * nvidia.com/gpu} and nothing else of GPUs gets whole ones, as it does on any other node.
 *
 * <p>A GPU is 1000 thousandths, and a container takes of it the largest of its shares of memory and cores, and of the
 * number of containers that may share the GPU: so whatever fits in thousandths fits in each of these. Containers of
 * one GPU each whose parts fit together share one; of others each has whole GPUs of its own.
 *
 * <p>Source: HAMi 2.10.0, {@code pkg/device/nvidia/device.go} and {@code pkg/device/devices.go}; Alibaba's
 * gpushare-scheduler-extender of March 2023, {@code pkg/utils/pod.go}.
 *
 * @param asks by which scheme
 * @param needs of each container; of Alibaba's gpushare one for the pod
 * @param before how many init containers come before them
 * @param models words of which the model must have one, in capitals; none for any
 * @param notModels words of which the model must have none
 * @param problem what it asks for that is not supported where GPUs are shared; empty if nothing
 * @param notes its annotations that say which GPUs it has
 */
public record PodGpus(
        Asks asks,
        List<Need> needs,
        int before,
        List<String> models,
        List<String> notModels,
        String problem,
        SortedMap<String, String> notes) {
    /** Where a pod can get what it asks of GPUs. */
    public enum Asks {
        /** It asks for none. */
        NONE,
        /** Whole ones of any node that has them. */
        WHOLE,
        /** Parts, of nodes of HAMi. */
        HAMI,
        /** Memory of one, of nodes of Alibaba's gpushare. */
        GPUSHARE
    }

    /**
     * What a container asks for, of each of its GPUs.
     *
     * @param memory in the scheme's unit; 0 if it is given in percent
     * @param percent of the memory
     * @param cores hundredths of the computing power
     */
    public record Need(int gpus, long memory, long percent, long cores) {
        private static final Need NOTHING = new Need(0, 0, 0, 0);

        private long memoryOf(NodeGpus.Gpu gpu) {
            return memory > 0 ? memory : gpu.memory() * percent / 100;
        }

        private long milli(NodeGpus node) {
            // A share of percent is exact, whatever the memory.
            return node.gpus().stream()
                    .mapToLong(gpu -> Math.max(gpu.milli(memoryOf(gpu), cores, 1), memory > 0 ? 0 : 10 * percent))
                    .max()
                    .orElse(WHOLE);
        }
    }

    /** What a pod has of a GPU. */
    public record Held(String gpu, long memory, long cores, long containers) {
        long milli(NodeGpus.Gpu of) {
            return of.milli(memory, cores, containers);
        }
    }

    /** The name of the resource that is counted by GPU, in thousandths. */
    public static final String RESOURCE = "gpu_milli";

    /** A whole GPU. */
    public static final long WHOLE = 1000;

    /** Whole GPUs, or those of which there are parts. */
    public static final String GPU = "nvidia.com/gpu";

    /** Memory of Alibaba's gpushare. */
    static final String SHARED_MEMORY = "aliyun.com/gpu-mem";

    /** On pods of HAMi: the GPUs of each container, in the place of a container: {@code id,type,memory,cores:} each. */
    public static final String ALLOCATED = "hami.io/vgpu-devices-allocated";

    /** On pods of HAMi: the node that they are for. */
    public static final String FOR_NODE = "hami.io/vgpu-node";

    /** On pods of Alibaba's gpushare: the number of the GPU. */
    public static final String INDEX = "ALIYUN_COM_GPU_MEM_IDX";

    /** On pods of Alibaba's gpushare: the memory that they take, and that the GPU has. */
    public static final String OF_POD = "ALIYUN_COM_GPU_MEM_POD";

    /** The memory of the GPU. */
    public static final String OF_GPU = "ALIYUN_COM_GPU_MEM_DEV";

    private static final List<String> NOTES = List.of(ALLOCATED, FOR_NODE, INDEX, OF_POD, OF_GPU);
    private static final String MEMORY = "nvidia.com/gpumem";
    private static final String PERCENT = "nvidia.com/gpumem-percentage";
    private static final String CORES = "nvidia.com/gpucores";
    /** What HAMi counts by GPU, so that no node has an amount of it. */
    static final List<String> OF_HAMI = List.of(MEMORY, PERCENT, CORES, "nvidia.com/priority");

    private static final String USE = "nvidia.com/use-gputype";
    private static final String AVOID = "nvidia.com/nouse-gputype";
    private static final String POLICY = "hami.io/gpu-scheduler-policy";
    private static final long ALL = 100;

    /** None. */
    public static final PodGpus NONE = new PodGpus(Asks.NONE, List.of(), 0, List.of(), List.of(), "", new TreeMap<>());

    /** Takes copies. */
    public PodGpus {
        needs = List.copyOf(needs);
        models = List.copyOf(models);
        notModels = List.copyOf(notModels);
        notes = new TreeMap<>(notes);
    }

    /**
     * What a pod asks for, and has.
     *
     * @throws IllegalArgumentException if it asks for an invalid quantity
     */
    static PodGpus of(Pod pod) {
        List<Container> containers = pod.getSpec().getContainers();
        List<Container> inits = pod.getSpec().getInitContainers();
        if (Stream.concat(containers.stream(), inits.stream()).noneMatch(PodGpus::asksForAny)) {
            return NONE;
        }
        Map<String, String> all = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        SortedMap<String, String> notes = new TreeMap<>(all);
        notes.keySet().retainAll(NOTES);
        long memory =
                containers.stream().mapToLong(one -> amount(one, SHARED_MEMORY)).sum();
        List<Need> needs = containers.stream().map(PodGpus::need).toList();
        boolean parts = Stream.concat(containers.stream(), inits.stream())
                .anyMatch(one -> OF_HAMI.stream().anyMatch(resource -> amount(one, resource) > 0));
        boolean both = memory > 0 && needs.stream().anyMatch(need -> need.gpus() > 0);
        return new PodGpus(
                memory > 0 ? Asks.GPUSHARE : parts ? Asks.HAMI : Asks.WHOLE,
                memory > 0 ? List.of(new Need(1, memory, 0, 0)) : needs,
                inits.size(),
                words(all.get(USE)),
                words(all.get(AVOID)),
                both
                        ? "GPUs by two schemes"
                        : inits.stream().anyMatch(PodGpus::asksForAny)
                                ? "GPUs for an init container"
                                : parts && needs.stream().allMatch(need -> need.gpus() == 0)
                                        ? "parts of GPUs without " + GPU
                                        : unsupported(all),
                notes);
    }

    private static boolean asksForAny(Container container) {
        return amount(container, GPU) > 0
                || amount(container, SHARED_MEMORY) > 0
                || OF_HAMI.stream().anyMatch(resource -> amount(container, resource) > 0);
    }

    private static String unsupported(Map<String, String> all) {
        String mode = all.getOrDefault("nvidia.com/vgpu-mode", "");
        return Stream.of(
                        all.containsKey("nvidia.com/use-gpuuuid") ? "nvidia.com/use-gpuuuid" : "",
                        all.containsKey("nvidia.com/nouse-gpuuuid") ? "nvidia.com/nouse-gpuuuid" : "",
                        Boolean.parseBoolean(all.get("nvidia.com/numa-bind")) ? "nvidia.com/numa-bind" : "",
                        mode.isEmpty() || mode.contains("hami-core") ? "" : "nvidia.com/vgpu-mode " + mode,
                        all.getOrDefault(POLICY, "").contains("mutex") ? POLICY + " mutex" : "")
                .filter(one -> !one.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Preferences of the scheme that are ignored. */
    static List<String> ignored(Pod pod) {
        Map<String, String> all = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        return Stream.of(POLICY, "hami.io/node-scheduler-policy")
                .filter(all::containsKey)
                .toList();
    }

    private static List<String> words(@Nullable String list) {
        return list == null
                ? List.of()
                : Stream.of(list.toUpperCase(Locale.ROOT).split(",", -1))
                        .map(String::strip)
                        .filter(word -> !word.isEmpty())
                        .toList();
    }

    private static Need need(Container container) {
        long gpus = amount(container, GPU);
        if (gpus == 0) {
            return Need.NOTHING;
        }
        long memory = amount(container, MEMORY);
        long percent = Math.min(amount(container, PERCENT), ALL);
        return new Need(
                (int) Math.min(gpus, Integer.MAX_VALUE),
                memory,
                memory > 0 ? 0 : percent > 0 ? percent : ALL,
                Math.min(amount(container, CORES), ALL));
    }

    private static long amount(Container container, String resource) {
        ResourceRequirements its = container.getResources();
        if (its == null) {
            return 0;
        }
        Quantity limit = its.getLimits() == null ? null : its.getLimits().get(resource);
        Quantity wanted = limit != null || its.getRequests() == null
                ? limit
                : its.getRequests().get(resource);
        return wanted == null ? 0 : Quantities.amount(resource, wanted);
    }

    /** Thousandths as a number of GPUs, for people. */
    public static String decimal(long milli) {
        return BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString();
    }

    /** Whether it asks for none. */
    public boolean isNone() {
        return asks == Asks.NONE;
    }

    /** The same, without what it has. */
    public PodGpus asked() {
        return notes.isEmpty() ? this : with(new TreeMap<>());
    }

    private PodGpus with(SortedMap<String, String> newNotes) {
        return new PodGpus(asks, needs, before, models, notModels, problem, newNotes);
    }

    /** How many GPUs it gets, whole or in part. */
    public int count() {
        return needs.stream().mapToInt(Need::gpus).sum();
    }

    /**
     * The thousandths that it takes of GPUs of a node: a part of one, or whole ones; of a node that shares none whole
     * ones.
     */
    public long milli(NodeGpus node) {
        long whole = WHOLE * count();
        if (!node.areShared() || needs.stream().anyMatch(need -> need.gpus() > 1)) {
            return whole;
        }
        long sum = needs.stream()
                .filter(need -> need.gpus() == 1)
                .mapToLong(need -> need.milli(node))
                .sum();
        return sum <= WHOLE ? sum : whole;
    }

    /** Why a node has no GPUs for it, whoever has them now, in words for one node or many. */
    public Optional<Obstacle> obstacle(NodeGpus node) {
        boolean wholeHere = asks == Asks.WHOLE && node.scheme() != NodeGpus.Scheme.GPUSHARE;
        if (isNone() || (wholeHere && !node.areShared())) {
            return Optional.empty();
        }
        if (!wholeHere && !node.scheme().name().equals(asks.name())) {
            return cannotGive(
                    asks == Asks.WHOLE
                            ? "whole GPUs, because pods share them through " + SHARED_MEMORY
                            : "parts of GPUs through " + (asks == Asks.HAMI ? "HAMi" : SHARED_MEMORY));
        }
        if (!node.problem().isEmpty()) {
            return cannotGive("GPUs, which pods share in a way that is not understood (" + node.problem() + ")");
        }
        if (!problem.isEmpty()) {
            return cannotGive(problem + ", which is not supported where pods share GPUs");
        }
        if (!node.gpus().stream().allMatch(gpu -> admits(gpu.model()))) {
            return cannotGive("only GPUs of a model that it admits");
        }
        return needs.stream().anyMatch(need -> need.gpus() > 0 && need.milli(node) > WHOLE)
                ? cannotGive("a GPU that is large enough")
                : Optional.empty();
    }

    private static Optional<Obstacle> cannotGive(String what) {
        return Optional.of(Obstacle.of("cannot give it " + what));
    }

    /** The most that it takes of GPUs on any node that may have some for it: a part of a small GPU is larger. */
    public long most(Collection<NodeFacts> nodes) {
        return isNone()
                ? 0
                : nodes.stream()
                        .map(NodeFacts::gpus)
                        .filter(node -> obstacle(node).isEmpty())
                        .mapToLong(this::milli)
                        .max()
                        .orElse(0);
    }

    /** How many whole GPUs it has of a node that shares none. */
    public int wholes() {
        return asks == Asks.WHOLE ? count() : 0;
    }

    private boolean admits(String model) {
        return (models.isEmpty() || models.stream().anyMatch(model::contains))
                && notModels.stream().noneMatch(model::contains);
    }

    /**
     * The same, with GPUs of a node.
     *
     * @param devices by their numbers, bit i for number i: at least as many as it needs there
     */
    public PodGpus given(String name, NodeGpus node, long devices) {
        if (!node.areShared() || isNone()) {
            return asked();
        }
        List<NodeGpus.Gpu> its = node.gpus().stream()
                .filter(gpu -> (devices >>> gpu.number() & 1) != 0)
                .toList();
        if (node.scheme() == NodeGpus.Scheme.GPUSHARE) {
            NodeGpus.Gpu gpu = its.get(0);
            return with(new TreeMap<>(Map.of(
                    INDEX,
                    gpu.id(),
                    OF_POD,
                    Long.toString(needs.get(0).memory()),
                    OF_GPU,
                    Long.toString(gpu.memory()))));
        }
        boolean together = milli(node) <= WHOLE;
        StringBuilder text = new StringBuilder(";".repeat(before));
        int next = 0;
        for (Need need : needs) {
            for (int n = 0; n < need.gpus(); n++) {
                NodeGpus.Gpu gpu = its.get(together ? 0 : next++);
                text.append(gpu.id())
                        .append(",NVIDIA,")
                        .append(need.memoryOf(gpu))
                        .append(',')
                        .append(need.cores())
                        .append(':');
            }
            text.append(';');
        }
        return with(new TreeMap<>(Map.of(ALLOCATED, text.toString(), FOR_NODE, name)));
    }

    /**
     * Why it is not known which GPUs it has on a node, although its annotations should say so; for people. Empty if
     * that is known, or depends on whether the node shares GPUs.
     */
    String unknown(String node) {
        boolean share = asks == Asks.GPUSHARE;
        String note = share ? INDEX : asks == Asks.HAMI || notes.containsKey(ALLOCATED) ? ALLOCATED : "";
        if (!notes.getOrDefault(FOR_NODE, node).equals(node)) {
            return "annotation " + FOR_NODE + ": '" + notes.get(FOR_NODE) + "'";
        }
        try {
            return note.isEmpty()
                            || !held(share ? NodeGpus.Scheme.GPUSHARE : NodeGpus.Scheme.HAMI)
                                    .isEmpty()
                    ? ""
                    : "annotation " + note + " names no GPU";
        } catch (NumberFormatException e) {
            return "annotation " + note + ": '" + notes.get(note) + "'";
        }
    }

    /** What it has of a node's GPUs; nothing if its annotations are not understood. */
    public List<Held> heldOf(String name, NodeGpus node) {
        return isNone() || !node.areShared() || !unknown(name).isEmpty() ? List.of() : held(node.scheme());
    }

    /**
     * What it has, by the annotations of a scheme.
     *
     * @throws NumberFormatException if they are not understood
     */
    List<Held> held(NodeGpus.Scheme scheme) {
        if (scheme == NodeGpus.Scheme.GPUSHARE) {
            String index = notes.get(INDEX);
            return index == null || asks != Asks.GPUSHARE
                    ? List.of()
                    : Integer.parseInt(index) < 0
                            ? List.of()
                            : List.of(new Held(index, needs.get(0).memory(), 0, 1));
        }
        Map<String, Held> first = new LinkedHashMap<>();
        Map<String, Held> then = new LinkedHashMap<>();
        String[] containers = notes.getOrDefault(ALLOCATED, "").split(";", -1);
        for (int c = 0; c < containers.length; c++) {
            for (String one : containers[c].split(":", -1)) {
                if (one.isBlank()) {
                    continue;
                }
                String[] fields = one.split(",", -1);
                if (fields.length < 4) {
                    throw new NumberFormatException(one);
                }
                Held its = new Held(fields[0], Long.parseLong(fields[2]), Long.parseLong(fields[3]), 1);
                if (c < before) {
                    // Init containers run one after the other.
                    first.merge(its.gpu(), its, PodGpus::larger);
                } else {
                    then.merge(its.gpu(), its, PodGpus::sum);
                }
            }
        }
        first.forEach((gpu, its) -> then.merge(gpu, its, PodGpus::larger));
        return new ArrayList<>(then.values());
    }

    private static Held larger(Held one, Held other) {
        return new Held(
                one.gpu(),
                Math.max(one.memory(), other.memory()),
                Math.max(one.cores(), other.cores()),
                Math.max(one.containers(), other.containers()));
    }

    private static Held sum(Held one, Held other) {
        return new Held(
                one.gpu(),
                one.memory() + other.memory(),
                one.cores() + other.cores(),
                one.containers() + other.containers());
    }
}
