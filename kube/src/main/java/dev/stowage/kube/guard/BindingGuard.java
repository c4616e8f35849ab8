package dev.stowage.kube.guard;

import dev.stowage.core.metrics.PrometheusText;
import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.guard.BindingLedger.Open;
import dev.stowage.kube.guard.BindingLedger.Promise;
import dev.stowage.kube.metrics.Histogram;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.kube.watch.ClusterWatch;
import dev.stowage.kube.watch.Daemons;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every binding before it takes effect, whoever sends it: one for which its node has no room is refused. It
 * knows bound pods from its watch, and pods about to be bound because each guard writes down what it allows before it
 * says so. Of several guards none overfills a node: of two that write for one node at once one has to read what the
 * other wrote and check anew, and what is written is counted until it is seen bound, or cannot take effect any more.
 */
public final class BindingGuard implements AutoCloseable {
    /** The verdict on a binding. */
    enum Judged {
        ALLOWED,
        REFUSED,
        /** It cannot be checked now. */
        UNSURE
    }

    /** The answer to a review, with the reason if it is not allowed. */
    record Judgement(Judged answer, String message) {}

    private static final Logger LOG = LoggerFactory.getLogger(BindingGuard.class);
    private static final Judgement ALLOWED = new Judgement(Judged.ALLOWED, "");
    private static final int LISTS = 2;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /** Looks from one list of all promises to the next. */
    private static final int LIST_EVERY = 15;
    /** Of many bindings to one node by several guards at once, one succeeds each time. */
    private static final int MOST_TRIES = 50;
    /**
     * What has been seen bound stays written for so many times the longest request: a guard whose watch is behind by
     * less than that counts it.
     */
    private static final int KEPT = 5;

    private final KubernetesClient client;
    private final GuardSettings settings;
    private final BindingLedger ledger = new BindingLedger();
    private final Object lock = new Object();
    private final Set<String> listed = new HashSet<>();
    private final ClusterWatch watch;
    private final SharedPromises shared;
    /** What was read or written last of each node; changed under the lock of the node. */
    private final Map<String, SharedPromises.Written> known = new ConcurrentHashMap<>();

    private final Map<String, Object> nodeLocks = new ConcurrentHashMap<>();
    private final GuardServer server;
    private final ScheduledExecutorService later =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("stowage-promises"));
    private final LongAdder[] answers = {new LongAdder(), new LongAdder(), new LongAdder()};
    private final Histogram reviews = Histogram.doubling(.0001, 15);
    private volatile boolean sure;
    private volatile boolean drains;
    private int looks;
    private String certificateProblem = "";

    /**
     * A guard that answers from now on, and checks bindings when it knows the cluster.
     *
     * @param client client to read with; stays open
     * @throws IOException if the port is not free, or certificate and key cannot be read
     */
    public BindingGuard(KubernetesClient client, GuardSettings settings) throws IOException {
        this.client = client;
        this.settings = settings;
        shared = new SharedPromises(client, settings.namespace());
        watch = new ClusterWatch(client, new Watched());
        server = new GuardServer(settings, client.getKubernetesSerialization(), this);
        watch.start();
        var unused = later.scheduleWithFixedDelay(
                this::lookAfter, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Its port. */
    public int port() {
        return server.port();
    }

    /** Whether it checks bindings, and will for a while. */
    public boolean isReady() {
        return sure && !drains;
    }

    /** It ends soon: it continues, reports that it is not ready, and closes each connection after an answer. */
    public void drain() {
        drains = true;
    }

    boolean drains() {
        return drains;
    }

    /** The answer to a binding; if it cannot be checked, the one that the settings give. */
    Judgement review(AdmissionRequest request) {
        long began = System.nanoTime();
        Judgement verdict = judge(request);
        reviews.addSince(began);
        answers[verdict.answer().ordinal()].increment();
        if (verdict.answer() != Judged.ALLOWED) {
            LOG.info("{}/{}: {} {}", request.getNamespace(), request.getName(), verdict.answer(), verdict.message());
        }
        return verdict.answer() == Judged.UNSURE && settings.allowsWhenUnsure() ? ALLOWED : verdict;
    }

    private Judgement judge(AdmissionRequest request) {
        if (!sure) {
            return new Judgement(Judged.UNSURE, "the guard does not know the cluster yet");
        }
        String node;
        String uid;
        String name;
        try {
            Binding binding = client.getKubernetesSerialization().convertValue(request.getObject(), Binding.class);
            node = Objects.requireNonNullElse(binding.getTarget().getName(), "");
            uid = Objects.requireNonNullElse(binding.getMetadata().getUid(), "");
            name = Objects.requireNonNullElse(
                    request.getName(),
                    Objects.requireNonNullElse(binding.getMetadata().getName(), ""));
        } catch (IllegalArgumentException | NullPointerException e) {
            return new Judgement(Judged.REFUSED, "the binding cannot be read: " + e.getMessage());
        }
        try {
            Optional<PodFacts> pod = find(request.getNamespace(), name, uid);
            return pod.isEmpty()
                    ? new Judgement(Judged.REFUSED, "there is no such pod")
                    : judge(pod.get(), node, Boolean.TRUE.equals(request.getDryRun()));
        } catch (KubernetesClientException e) {
            return new Judgement(Judged.UNSURE, "asking the API server failed: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            return new Judgement(Judged.REFUSED, "the pod cannot be read: " + e.getMessage());
        }
    }

    /** Allows a binding only after it has been written down, on top of all that is written. */
    private Judgement judge(PodFacts pod, String node, boolean dryRun) {
        synchronized (lock) {
            if (!ledger.hasNode(node)) {
                return new Judgement(Judged.REFUSED, "there is no node " + node);
            }
        }
        synchronized (nodeLocks.computeIfAbsent(node, first -> new Object())) {
            SharedPromises.@Nullable Written written = known.get(node);
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                boolean fresh = written == null;
                SharedPromises.Written now = written == null ? learn(node, shared.read(node)) : written;
                String why;
                List<PodGpus.Held> gpus;
                boolean bound;
                synchronized (lock) {
                    why = ledger.ask(pod, node);
                    gpus = ledger.gpus(pod, node);
                    bound = ledger.isBound(pod.uid());
                }
                if (why.isEmpty() && (dryRun || bound)) {
                    return ALLOWED;
                } else if (!why.isEmpty() && fresh) {
                    return new Judgement(Judged.REFUSED, why);
                } else if (why.isEmpty()) {
                    Map<String, Promise> next = new LinkedHashMap<>(now.promises());
                    next.put(
                            pod.uid(),
                            new Promise(
                                    pod.path(),
                                    pod.requests(),
                                    gpus,
                                    UUID.randomUUID().toString()));
                    SharedPromises.@Nullable Written after = shared.write(node, now, next);
                    if (after != null) {
                        learn(node, after);
                        return ALLOWED;
                    }
                }
                // Somebody else may have written since.
                written = null;
            }
        }
        return new Judgement(Judged.UNSURE, "too many bindings to node " + node + " at the same time");
    }

    private SharedPromises.Written learn(String node, SharedPromises.Written written) {
        known.put(node, written);
        synchronized (lock) {
            ledger.promises(node, written.promises(), System.nanoTime());
        }
        return written;
    }

    /**
     * A pod that is about to be bound. If the binding names its unique id, it cannot be another pod of the same name.
     */
    private Optional<PodFacts> find(String namespace, String name, String uid) {
        synchronized (lock) {
            PodFacts known = uid.isEmpty() ? null : ledger.find(uid);
            // Which GPUs a pod gets is written just before its binding, and may not have been seen yet.
            if (known != null
                    && known.path().equals(namespace + "/" + name)
                    && (known.isBound() || !ledger.sharesGpus(known))) {
                return Optional.of(known);
            }
        }
        return Optional.ofNullable(read(namespace, name))
                .map(PodReader::read)
                .filter(pod -> uid.isEmpty() || pod.uid().equals(uid));
    }

    private @Nullable Pod read(String namespace, String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    private void lookAfter() {
        lookAfterCertificate();
        lookAfterPromises();
    }

    private void lookAfterCertificate() {
        String problem = "";
        try {
            if (server.certificate().reload()) {
                LOG.info("has read a new certificate");
            }
        } catch (IOException | RuntimeException e) {
            problem = e.toString();
        }
        if (problem.isEmpty() && !certificateProblem.isEmpty()) {
            LOG.info("certificate and key are readable again");
        } else if (!problem.equals(certificateProblem)) {
            LOG.warn("keeping the present certificate: {}", problem);
        }
        certificateProblem = problem;
    }

    /**
     * Takes back promises that cannot take effect any more, and those long settled. Any exception is caught: a task
     * that throws is never run again, and promises would hold their room for ever.
     */
    private void lookAfterPromises() {
        try {
            if (looks++ % LIST_EVERY == 0) {
                shared.list().forEach(this::relearn);
            }
            long now = System.nanoTime();
            long request = settings.longestRequest().toNanos();
            List<Open> open;
            List<Open> over;
            synchronized (lock) {
                open = ledger.openSince(now - request);
                over = new ArrayList<>(ledger.settledSince(now - KEPT * request));
            }
            for (Open one : open) {
                String[] pod = one.promise().pod().split("/", -1);
                @Nullable Pod is = read(pod[0], pod[1]);
                boolean there = is != null
                        && one.uid().equals(is.getMetadata().getUid())
                        && !PodReader.hasFinished(is)
                        && PodReader.read(is).isBound();
                if (!there) {
                    // A pod that is bound is left to the watch.
                    over.add(one);
                }
            }
            over.stream().map(Open::node).distinct().forEach(node -> takeBack(node, over));
            known.keySet().forEach(this::forgetNode);
        } catch (RuntimeException e) {
            LOG.info("checking promises failed; trying again later: {}", ServerWords.message(e));
        }
    }

    /** What another guard has written is asked for again, because a list may be older than what is known. */
    private void relearn(String node, SharedPromises.Written listed) {
        synchronized (nodeLocks.computeIfAbsent(node, first -> new Object())) {
            SharedPromises.@Nullable Written last = known.get(node);
            if (last == null || !last.version().equals(listed.version())) {
                learn(node, shared.read(node));
            }
        }
    }

    private void takeBack(String node, List<Open> over) {
        synchronized (nodeLocks.computeIfAbsent(node, first -> new Object())) {
            SharedPromises.@Nullable Written before = known.get(node);
            if (before != null) {
                Map<String, Promise> left = new LinkedHashMap<>(before.promises());
                over.stream()
                        .filter(one -> one.node().equals(node))
                        .forEach(one -> left.remove(one.uid(), one.promise()));
                SharedPromises.@Nullable Written after = shared.write(node, before, left);
                learn(node, after == null ? shared.read(node) : after);
            }
        }
    }

    /** Nothing is left of a node that is gone, once nothing is promised on it. */
    private void forgetNode(String node) {
        synchronized (nodeLocks.computeIfAbsent(node, first -> new Object())) {
            SharedPromises.@Nullable Written last = known.get(node);
            boolean there;
            synchronized (lock) {
                there = ledger.hasNode(node);
            }
            if (!there && last != null && last.promises().isEmpty()) {
                if (!last.version().isEmpty()) {
                    shared.delete(node, last);
                }
                known.remove(node);
            }
        }
    }

    /** The metrics, in the text form of Prometheus. */
    public String metrics() {
        synchronized (lock) {
            return exposition(answers, reviews, isReady(), ledger.promises());
        }
    }

    static String exposition(LongAdder[] answers, Histogram reviews, boolean ready, int promises) {
        String bindings = "stowage_guard_bindings_total";
        PrometheusText text = new PrometheusText().head(bindings, "counter", "Bindings reviewed, by answer.");
        for (Judged answer : Judged.values()) {
            String its = answer.name().toLowerCase(java.util.Locale.ROOT);
            text.sample(bindings, "answer=\"" + its + "\"", answers[answer.ordinal()].sum());
        }
        return text.histogram(
                        "stowage_guard_review_seconds",
                        "Time to check a binding, without the time of the call.",
                        reviews.values())
                .gauge("stowage_guard_ready", "1 if it knows the cluster and checks bindings, else 0.", ready ? 1 : 0)
                .gauge("stowage_guard_promises", "Bindings allowed and not seen yet: they hold room.", promises)
                .toString();
    }

    @Override
    public void close() {
        server.close();
        watch.close();
        later.shutdownNow();
    }

    private final class Watched implements ClusterWatch.Listener {
        @Override
        public void node(NodeFacts node) {
            synchronized (lock) {
                ledger.node(node);
            }
        }

        @Override
        public void nodeGone(String name) {
            synchronized (lock) {
                ledger.nodeGone(name);
            }
        }

        @Override
        public void pod(PodFacts pod) {
            synchronized (lock) {
                ledger.pod(pod);
            }
        }

        @Override
        public void podGone(String uid) {
            synchronized (lock) {
                ledger.podGone(uid);
            }
        }

        @Override
        public void listed(String what) {
            synchronized (lock) {
                if (listed.add(what) && listed.size() == LISTS) {
                    sure = true;
                    LOG.info("the guard knows the cluster, and checks bindings");
                }
            }
        }
    }
}
