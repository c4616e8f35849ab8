package dev.stowage.kube.translate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The GPUs of a node that pods share, where a scheme for that is installed; none where pods get whole GPUs from the
 * kubelet. GPUs that are broken, cordoned, or divided by the hardware (MIG) are left out: nothing comes to them.
 *
 * <p>Source: HAMi 2.10.0, {@code docs/develop/protocol.md} and {@code pkg/device/devices.go} (its register is JSON, in
 * older versions text); Alibaba's gpushare-scheduler-extender of March 2023, {@code pkg/utils/node.go}.
 *
 * @param scheme how they are shared
 * @param gpus by number
 * @param problem why they cannot be understood, so that there are none; empty if they can
 */
public record NodeGpus(Scheme scheme, List<Gpu> gpus, String problem) {
    /** How pods share the GPUs of a node. */
    public enum Scheme {
        /** They do not. */
        NONE,
        /** A pod asks for memory and cores of each GPU, by HAMi. */
        HAMI,
        /** A pod asks for memory of one GPU, by Alibaba's gpushare. */
        GPUSHARE
    }

    /**
     * A GPU.
     *
     * @param number its number on the node, 0 to 63
     * @param id as pods' annotations name it
     * @param model words for its model in capitals, perhaps none
     * @param memory in the scheme's unit
     * @param cores hundredths of its computing power; 0 if they are not counted
     * @param most how many containers may share it; 0 for any number
     */
    public record Gpu(int number, String id, String model, long memory, long cores, long most) {
        /** The thousandths that containers take: the largest of their shares, rounded up; above 1000 for too much. */
        long milli(long itsMemory, long itsCores, long itsContainers) {
            long ofContainers = most == 0 ? 1 : share(itsContainers, most);
            return Math.max(Math.max(share(itsMemory, memory), share(itsCores, cores)), ofContainers);
        }

        private static long share(long part, long all) {
            return part == 0 ? 0 : part > all ? PodGpus.WHOLE + 1 : (PodGpus.WHOLE * part + all - 1) / all;
        }
    }

    /** Pods of the node share no GPUs. */
    public static final NodeGpus NONE = new NodeGpus(Scheme.NONE, List.of(), "");

    static final String REGISTER = "hami.io/node-nvidia-register";
    private static final String CORDONED = "hami.io/device-cordon";
    private static final String GPU_COUNT = "aliyun.com/gpu-count";
    /** More cannot be told apart. */
    private static final int MOST = 64;

    private static final String TOO_MANY = "more than " + MOST + " shared GPUs";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Takes a copy. */
    public NodeGpus {
        gpus = gpus.stream().sorted(Comparator.comparingInt(Gpu::number)).toList();
    }

    /** Whether its pods share GPUs. */
    public boolean areShared() {
        return scheme != Scheme.NONE;
    }

    /**
     * The GPUs that a node's pods share.
     *
     * @throws IllegalArgumentException if it has an invalid quantity
     */
    static NodeGpus of(Node node) {
        Map<String, String> notes =
                Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.of());
        String register = notes.getOrDefault(REGISTER, "");
        if (!register.isEmpty()) {
            List<String> cordoned = Arrays.stream(
                            notes.getOrDefault(CORDONED, "").split(",", -1))
                    .map(String::strip)
                    .toList();
            try {
                return new NodeGpus(
                        Scheme.HAMI,
                        hami(register).stream()
                                .filter(gpu -> gpu.memory() > 0 && !cordoned.contains(gpu.id()))
                                .toList(),
                        "");
            } catch (IllegalArgumentException e) {
                return new NodeGpus(Scheme.HAMI, List.of(), String.valueOf(e.getMessage()));
            }
        }
        Map<String, Quantity> all = node.getStatus() == null || node.getStatus().getCapacity() == null
                ? Map.of()
                : node.getStatus().getCapacity();
        Quantity count = all.get(GPU_COUNT);
        Quantity memory = all.get(PodGpus.SHARED_MEMORY);
        if (count == null || memory == null) {
            return NONE;
        }
        int gpus = (int) Math.min(Quantities.amount(GPU_COUNT, count), MOST + 1);
        if (gpus > MOST) {
            return new NodeGpus(Scheme.GPUSHARE, List.of(), TOO_MANY);
        }
        long each = gpus == 0 ? 0 : Quantities.amount(PodGpus.SHARED_MEMORY, memory) / gpus;
        return each == 0
                ? NONE
                : new NodeGpus(
                        Scheme.GPUSHARE,
                        IntStream.range(0, gpus)
                                .mapToObj(number -> new Gpu(number, Integer.toString(number), "", each, 0, 0))
                                .toList(),
                        "");
    }

    /** Those that nothing comes to have no memory. */
    private static List<Gpu> hami(String register) {
        List<Gpu> read = register.startsWith("[") ? ofJson(register) : ofText(register);
        if (read.size() > MOST) {
            throw new IllegalArgumentException(TOO_MANY);
        }
        boolean numbered =
                read.stream().map(Gpu::number).collect(Collectors.toSet()).size() == read.size()
                        && read.stream().allMatch(gpu -> gpu.number() < MOST);
        if (numbered) {
            return read;
        }
        List<Gpu> byId = read.stream().sorted(Comparator.comparing(Gpu::id)).toList();
        return IntStream.range(0, byId.size())
                .mapToObj(number -> {
                    Gpu one = byId.get(number);
                    return new Gpu(number, one.id(), one.model(), one.memory(), one.cores(), one.most());
                })
                .toList();
    }

    private static List<Gpu> ofJson(String register) {
        try {
            List<Gpu> gpus = new ArrayList<>();
            // A field that is 0, false or empty is left out.
            for (JsonNode one : JSON.readTree(register)) {
                gpus.add(gpu(
                        one.path("index").asInt(0),
                        one.path("id").asText(""),
                        one.path("type").asText(""),
                        one.path("devmem").asLong(0),
                        one.path("devcore").asLong(0),
                        one.path("count").asLong(0),
                        one.path("health").asBoolean(false),
                        one.path("mode").asText("hami-core")));
            }
            return gpus;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(REGISTER + ": " + e.getOriginalMessage(), e);
        }
    }

    private static List<Gpu> ofText(String register) {
        List<Gpu> gpus = new ArrayList<>();
        for (String one : register.split(":", -1)) {
            String[] fields = one.split(",", -1);
            if (one.isEmpty()) {
                continue;
            }
            try {
                gpus.add(gpu(
                        fields.length > 7 ? Integer.parseInt(fields[7]) : 0,
                        fields[0],
                        fields[4],
                        Long.parseLong(fields[2]),
                        Long.parseLong(fields[3]),
                        Long.parseLong(fields[1]),
                        Boolean.parseBoolean(fields[6]),
                        fields.length > 8 ? fields[8] : "hami-core"));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(REGISTER + ": '" + one + "' is not a GPU", e);
            }
        }
        return gpus;
    }

    private static Gpu gpu(
            int number, String id, String model, long memory, long cores, long most, boolean healthy, String mode) {
        if (id.isEmpty() || number < 0 || memory < 0 || cores < 0 || most < 0) {
            throw new IllegalArgumentException(REGISTER + ": a GPU without an id, or with an amount below 0");
        }
        return new Gpu(
                number,
                id,
                model.toUpperCase(Locale.ROOT),
                healthy && mode.equals("hami-core") && most > 0 ? memory : 0,
                cores,
                most);
    }
}
