package dev.stowage.kube.schedule;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the GPUs that were chosen for a pod into its annotations before it is bound, where the device plugin of its
 * node reads them, and takes them back where it is not bound. HAMi's device plugin learns from the lock of its node
 * which pod the kubelet means, and releases the lock: so one pod after the other is bound to a node of HAMi.
 *
 * <p>Source: HAMi 2.10.0, {@code pkg/scheduler/scheduler.go} ({@code Filter}, then {@code Bind}: lock, annotations,
 * binding) and {@code pkg/util/nodelock/nodelock.go}; Alibaba's gpushare-scheduler-extender of March 2023, {@code
 * pkg/cache/nodeinfo.go} ({@code Allocate}: annotations, binding).
 */
final class GpuBinder {
    /** On a node of HAMi: when, and for which pod, it was locked, {@code time,namespace,name}. */
    static final String LOCK = "hami.io/mutex.lock";

    private static final Logger LOG = LoggerFactory.getLogger(GpuBinder.class);
    private static final ClaimBinder.Standing READY = new ClaimBinder.Standing(ClaimBinder.State.READY, "");
    private static final ClaimBinder.Standing WAITING = new ClaimBinder.Standing(ClaimBinder.State.WAITING, "");
    /** HAMi's own, after which anybody may take the lock. */
    private static final Duration LOCK_ENDS = Duration.ofMinutes(5);
    /** So long a pod waits for its turn on a node: longer than a lock holds that nobody releases. */
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    private static final int GONE = 404;
    private static final int CONFLICT = 409;
    private static final int FIRST_REFUSAL = 400;
    private static final int FIRST_FAILURE = 500;

    private final ClusterApi api;
    private final String scheduler;
    /** By node of HAMi: the pod that is being bound to it. */
    private final Map<String, String> turns = new ConcurrentHashMap<>();
    /** Pods whose annotations are written: their device plugin may have read them since, and changes them. */
    private final Set<String> written = ConcurrentHashMap.newKeySet();
    /** By pod: since when it waits for its turn. */
    private final Map<String, Long> since = new ConcurrentHashMap<>();

    /** @param scheduler the name in the pods that only this program binds */
    GpuBinder(ClusterApi api, String scheduler) {
        this.api = api;
        this.scheduler = scheduler;
    }

    /** How it stands with what the device plugin needs. Used by one thread for a pod. */
    ClaimBinder.Standing look(PodFacts pod, String node) {
        Map<String, String> notes = pod.gpus().notes();
        if (notes.isEmpty() || written.contains(pod.uid())) {
            return READY;
        }
        boolean locks = notes.containsKey(PodGpus.ALLOCATED);
        try {
            if (locks && !isItsTurn(pod, node)) {
                return waits(pod, node);
            }
            api.annotate(pod, annotations(notes), labels(notes));
            since.remove(pod.uid());
            written.add(pod.uid());
            return READY;
        } catch (KubernetesClientException e) {
            LOG.info("the GPUs of {} cannot be written: {}", pod.path(), ServerWords.message(e));
            // After a conflict something has changed, and what is done now is looked up again.
            boolean refused = e.getCode() >= FIRST_REFUSAL && e.getCode() < FIRST_FAILURE && e.getCode() != CONFLICT;
            return refused ? failed(pod, node, ServerWords.message(e)) : waits(pod, node);
        }
    }

    private ClaimBinder.Standing waits(PodFacts pod, String node) {
        long first = since.computeIfAbsent(pod.uid(), one -> System.nanoTime());
        return System.nanoTime() - first < PATIENCE.toNanos()
                ? WAITING
                : failed(pod, node, "the lock " + LOCK + " of the node was not released");
    }

    private ClaimBinder.Standing failed(PodFacts pod, String node, String why) {
        notBound(pod, node);
        return new ClaimBinder.Standing(ClaimBinder.State.FAILED, why);
    }

    private static Map<String, @Nullable String> annotations(Map<String, String> notes) {
        Map<String, @Nullable String> all = new LinkedHashMap<>(notes);
        Instant now = Instant.now();
        if (notes.containsKey(PodGpus.ALLOCATED)) {
            all.put("hami.io/vgpu-devices-to-allocate", notes.get(PodGpus.ALLOCATED));
            all.put("hami.io/vgpu-time", Long.toString(now.getEpochSecond()));
            all.put("hami.io/bind-phase", "allocating");
            all.put("hami.io/bind-time", Long.toString(now.getEpochSecond()));
        } else {
            all.put("ALIYUN_COM_GPU_MEM_ASSIGNED", "false");
            all.put("ALIYUN_COM_GPU_MEM_ASSUME_TIME", Long.toString(ChronoUnit.NANOS.between(Instant.EPOCH, now)));
        }
        return all;
    }

    private static Map<String, @Nullable String> labels(Map<String, String> notes) {
        Map<String, @Nullable String> labels = new LinkedHashMap<>();
        if (notes.containsKey(PodGpus.FOR_NODE)) {
            labels.put(PodGpus.FOR_NODE, notes.get(PodGpus.FOR_NODE));
        }
        return labels;
    }

    /** Whether a pod has the lock of its node, perhaps from now on. */
    private boolean isItsTurn(PodFacts pod, String name) {
        String turn = turns.putIfAbsent(name, pod.uid());
        if (turn != null && !turn.equals(pod.uid())) {
            return false;
        }
        Node node = api.node(name);
        if (node == null) {
            throw new KubernetesClientException("there is no node " + name, GONE, null);
        }
        String lock = lock(node);
        if (isOf(lock, pod)) {
            return true;
        }
        if (!lock.isEmpty() && !hasEnded(lock, name)) {
            return false;
        }
        api.annotate(
                node, LOCK, Instant.now().truncatedTo(ChronoUnit.SECONDS) + "," + pod.namespace() + "," + pod.name());
        return true;
    }

    private static String lock(Node node) {
        return Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(LOCK, "");
    }

    private static boolean isOf(String lock, PodFacts pod) {
        return lock.endsWith("," + pod.namespace() + "," + pod.name());
    }

    /** Whether a lock is too old, its pod is gone or elsewhere, or it was left by this scheduler when it ended. */
    private boolean hasEnded(String lock, String node) {
        String[] parts = lock.split(",", -1);
        try {
            if (OffsetDateTime.parse(parts[0]).toInstant().plus(LOCK_ENDS).isBefore(Instant.now())) {
                return true;
            }
        } catch (DateTimeException e) {
            LOG.warn("a lock that is not understood is left as it is: {}", lock);
            return false;
        }
        if (parts.length < 3) {
            return false;
        }
        Pod holder = api.pod(parts[1], parts[2]);
        if (holder == null) {
            return true;
        }
        String where = holder.getSpec().getNodeName();
        return where == null
                ? scheduler.equals(holder.getSpec().getSchedulerName())
                        && !turns.containsValue(holder.getMetadata().getUid())
                : !where.equals(node);
    }

    /** A pod is bound: the device plugin does the rest. */
    void bound(PodFacts pod, String node) {
        written.remove(pod.uid());
        turns.remove(node, pod.uid());
    }

    /** A pod is not bound to the node: what was written for it is taken back. */
    void notBound(PodFacts pod, String node) {
        Map<String, String> notes = pod.gpus().notes();
        if (notes.isEmpty()) {
            return;
        }
        try {
            Map<String, @Nullable String> annotations = annotations(notes);
            annotations.replaceAll((key, value) -> null);
            Map<String, @Nullable String> labels = labels(notes);
            labels.replaceAll((key, value) -> null);
            api.annotate(pod, annotations, labels);
        } catch (KubernetesClientException e) {
            LOG.info("the GPU annotations and labels of {} were not removed: {}", pod.path(), ServerWords.message(e));
        }
        elsewhere(pod, node);
    }

    /** A pod is bound elsewhere, by somebody else, whose annotations it has: the node is free for others. */
    void elsewhere(PodFacts pod, String node) {
        since.remove(pod.uid());
        written.remove(pod.uid());
        if (turns.remove(node, pod.uid())) {
            try {
                Node now = api.node(node);
                if (now != null && isOf(lock(now), pod)) {
                    api.annotate(now, LOCK, null);
                }
            } catch (KubernetesClientException e) {
                LOG.info("the lock of node {} was not released and will expire: {}", node, ServerWords.message(e));
            }
        }
    }
}
