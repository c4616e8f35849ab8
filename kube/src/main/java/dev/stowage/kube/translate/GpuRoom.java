package dev.stowage.kube.translate;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What the pods on a node have of each GPU that they share, and what is left of each. */
public final class GpuRoom {
    private final NodeGpus node;
    /** By GPU: thousandths, and what the node's scheme counts. */
    private final long[] milli;

    private final long[] memory;
    private final long[] cores;
    private final long[] containers;
    /** A pod of which it is not known which GPUs it has, empty for none. */
    private String unknown = "";

    private GpuRoom(NodeGpus node) {
        this.node = node;
        int gpus = node.gpus().size();
        milli = new long[gpus];
        memory = new long[gpus];
        cores = new long[gpus];
        containers = new long[gpus];
    }

    /** The room of a node, as if a pod were not there. */
    public static GpuRoom of(NodeFacts node, Collection<PodFacts> there, String uid) {
        GpuRoom room = new GpuRoom(node.gpus());
        if (node.gpus().areShared()) {
            there.stream().filter(pod -> !pod.uid().equals(uid)).forEach(room::add);
        }
        return room;
    }

    /** Counts what another pod is to have, too. */
    public void hold(List<PodGpus.Held> held) {
        held.forEach(one -> add(one, held.size() > 1));
    }

    private void add(PodFacts pod) {
        PodGpus gpus = pod.gpus();
        if (gpus.isNone() || !gpus.unknown(pod.node()).isEmpty()) {
            // The node of such a pod is closed.
            return;
        }
        List<PodGpus.Held> held = gpus.held(node.scheme());
        if (held.isEmpty() && unknown.isEmpty()) {
            unknown = pod.path();
        }
        hold(held);
    }

    private void add(PodGpus.Held held, boolean whole) {
        for (int g = 0; g < milli.length; g++) {
            NodeGpus.Gpu gpu = node.gpus().get(g);
            if (gpu.id().equals(held.gpu())) {
                milli[g] += whole ? PodGpus.WHOLE : held.milli(gpu);
                memory[g] += held.memory();
                cores[g] += held.cores();
                containers[g] += held.containers();
            }
        }
    }

    /** Whether the pods have more of some GPU than there is, in thousandths. */
    boolean isOverfull() {
        return Arrays.stream(milli).anyMatch(its -> its > PodGpus.WHOLE);
    }

    /** The GPUs that a pod on a node has, bit i for number i; all if it may have any, none if its node is closed. */
    public static long devices(PodFacts pod, NodeGpus node) {
        if (pod.gpus().isNone() || !pod.gpus().unknown(pod.node()).isEmpty()) {
            return 0;
        }
        List<PodGpus.Held> held = pod.gpus().held(node.scheme());
        return node.gpus().stream()
                .filter(gpu -> held.isEmpty()
                        || held.stream().anyMatch(one -> one.gpu().equals(gpu.id())))
                .mapToLong(gpu -> 1L << gpu.number())
                .sum();
    }

    /** The thousandths that a pod has of these GPUs: a part of one, or whole ones. */
    public static long milli(PodGpus pod, NodeGpus node, long devices) {
        if (Long.bitCount(devices) != 1) {
            return PodGpus.WHOLE * Long.bitCount(devices);
        }
        NodeGpus.Gpu gpu = node.gpus().stream()
                .filter(one -> devices == 1L << one.number())
                .findFirst()
                .orElseThrow();
        long its = pod.held(node.scheme()).stream()
                .filter(one -> one.gpu().equals(gpu.id()))
                .mapToLong(one -> one.milli(gpu))
                .findFirst()
                .orElse(PodGpus.WHOLE);
        return pod.held(node.scheme()).size() > 1 ? PodGpus.WHOLE : Math.min(its, PodGpus.WHOLE);
    }

    /** Why there is no room for what a pod asks for now, if there is none. */
    Optional<Obstacle> obstacle(PodGpus pod) {
        if (pod.isNone() || !node.areShared()) {
            return Optional.empty();
        }
        List<String> lacks = lacks(pod);
        return lacks.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        unknown.isEmpty()
                                ? new Obstacle("have " + lacks.get(0), PodGpus.RESOURCE, pod.milli(node) - free(pod))
                                : Obstacle.of("have " + lacks.get(0)));
    }

    /** The most that is free for a pod, in thousandths: of one GPU, or in whole ones. */
    private long free(PodGpus pod) {
        return pod.milli(node) < PodGpus.WHOLE
                ? Arrays.stream(milli).map(its -> PodGpus.WHOLE - its).max().orElse(0)
                : PodGpus.WHOLE * Arrays.stream(milli).filter(its -> its == 0).count();
    }

    /**
     * Why there is no room for what a pod asks for now, in words that follow "the node has", and what there is; none if
     * there is room, or the node shares no GPUs.
     */
    public List<String> lacks(PodGpus pod) {
        if (pod.isNone() || !node.areShared()) {
            return List.of();
        }
        if (!unknown.isEmpty()) {
            return List.of("a pod whose GPUs are not known");
        }
        long wanted = pod.milli(node);
        long free = free(pod);
        if (free >= wanted) {
            return List.of();
        }
        if (wanted < PodGpus.WHOLE) {
            return List.of(
                    "no GPU with " + PodGpus.decimal(wanted) + " free",
                    "at most " + PodGpus.decimal(Math.max(free, 0)) + " of a GPU free");
        }
        long gpus = wanted / PodGpus.WHOLE;
        return List.of(
                gpus == 1 ? "no GPU that is entirely free" : "fewer than " + gpus + " GPUs that are entirely free",
                free / PodGpus.WHOLE + " such");
    }

    /**
     * Why a pod that asks for GPUs must not be bound to the node with those that its annotations name, by what the
     * node's scheme itself counts (memory, cores and containers of each); empty if it may.
     */
    public String refusal(PodGpus pod, String name) {
        String unreadable = pod.unknown(name);
        List<PodGpus.Held> held = unreadable.isEmpty() ? pod.held(node.scheme()) : List.of();
        if (held.isEmpty()) {
            return "shares GPUs, and the pod's annotations name none of them"
                    + (unreadable.isEmpty() ? "" : " (" + unreadable + ")");
        }
        for (PodGpus.Held one : held) {
            String why = refusal(one);
            if (!why.isEmpty()) {
                return why;
            }
        }
        return "";
    }

    private String refusal(PodGpus.Held wanted) {
        for (int g = 0; g < milli.length; g++) {
            NodeGpus.Gpu gpu = node.gpus().get(g);
            if (!gpu.id().equals(wanted.gpu())) {
                continue;
            }
            if (wanted.memory() > gpu.memory() - memory[g]) {
                return lacks(gpu, "memory", wanted.memory(), gpu.memory() - memory[g]);
            }
            if (wanted.cores() > gpu.cores() - cores[g]) {
                return lacks(gpu, "cores", wanted.cores(), gpu.cores() - cores[g]);
            }
            if (gpu.most() > 0 && containers[g] + wanted.containers() > gpu.most()) {
                return "has GPU " + gpu.id() + " shared by " + containers[g] + " containers; the limit is "
                        + gpu.most();
            }
            return unknown.isEmpty() ? "" : "runs " + unknown + ", whose GPUs are not known";
        }
        return "shares no GPU " + wanted.gpu();
    }

    private static String lacks(NodeGpus.Gpu gpu, String what, long wanted, long free) {
        return "lacks " + what + " of GPU " + gpu.id() + ": " + wanted + " wanted, " + free + " free";
    }
}
