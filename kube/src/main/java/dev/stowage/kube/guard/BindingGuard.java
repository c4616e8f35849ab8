package dev.stowage.kube.guard;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.metrics.Histogram;
import dev.stowage.kube.metrics.MetricsText;
import dev.stowage.kube.schedule.ClusterWatch;
import dev.stowage.kube.schedule.Daemons;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges every binding before it takes effect, whoever sends it: one for which its node has no room is refused. It
 * knows bound pods from its watch, and pods about to be bound because it has allowed their bindings. So it is right as
 * long as it is the only guard; a second one would not know what the first has allowed.
 */
public final class BindingGuard implements AutoCloseable {
    /** The verdict on a binding. */
    enum Judged {
        ALLOWED,
        REFUSED,
        /** It cannot be judged now. */
        UNSURE
    }

    /** The answer to a review, with the reason if it is not allowed. */
    record Judgement(Judged answer, String message) {}

    private static final Logger LOG = LoggerFactory.getLogger(BindingGuard.class);
    private static final Judgement ALLOWED = new Judgement(Judged.ALLOWED, "");
    private static final int LISTS = 2;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final GuardSettings settings;
    private final BindingLedger ledger = new BindingLedger();
    private final Object lock = new Object();
    private final Set<String> listed = new HashSet<>();
    private final ClusterWatch watch;
    private final GuardServer server;
    private final ScheduledExecutorService later =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("stowage-promises"));
    private final LongAdder[] answers = {new LongAdder(), new LongAdder(), new LongAdder()};
    private final Histogram reviews = Histogram.doubling(.0001, 15);
    private volatile @Nullable Long sureFrom;
    private String certificateProblem = "";

    /**
     * A guard that answers from now on, and judges when it knows the cluster.
     *
     * @param client client to read with; stays open
     * @throws IOException if the port is not free, or certificate and key cannot be read
     */
    public BindingGuard(KubernetesClient client, GuardSettings settings) throws IOException {
        this.client = client;
        this.settings = settings;
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

    /** Whether it judges. */
    public boolean isReady() {
        Long from = sureFrom;
        return from != null && System.nanoTime() - from >= 0;
    }

    /** The answer to a binding; if it cannot be judged, the one that the settings give. */
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
        if (!isReady()) {
            return new Judgement(Judged.UNSURE, "the guard does not know the cluster yet");
        }
        try {
            Binding binding = client.getKubernetesSerialization().convertValue(request.getObject(), Binding.class);
            String node = Objects.requireNonNullElse(binding.getTarget().getName(), "");
            String uid = Objects.requireNonNullElse(binding.getMetadata().getUid(), "");
            String name = Objects.requireNonNullElse(
                    request.getName(),
                    Objects.requireNonNullElse(binding.getMetadata().getName(), ""));
            Optional<PodFacts> pod = find(request.getNamespace(), name, uid);
            if (pod.isEmpty()) {
                return new Judgement(Judged.REFUSED, "there is no such pod");
            }
            boolean dryRun = Boolean.TRUE.equals(request.getDryRun());
            synchronized (lock) {
                String why = ledger.ask(pod.get(), node, dryRun, System.nanoTime());
                return why.isEmpty() ? ALLOWED : new Judgement(Judged.REFUSED, why);
            }
        } catch (KubernetesClientException e) {
            return new Judgement(Judged.UNSURE, "the pod cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException | NullPointerException e) {
            return new Judgement(Judged.REFUSED, "the binding cannot be read: " + e.getMessage());
        }
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

    /** Reads the pods whose bindings were allowed so long ago that they cannot take effect any more. */
    private void lookAfterPromises() {
        long before = System.nanoTime() - settings.longestRequest().toNanos();
        List<PodFacts> old;
        synchronized (lock) {
            old = ledger.promisedBefore(before);
        }
        for (PodFacts pod : old) {
            try {
                @Nullable Pod now = read(pod.namespace(), pod.name());
                synchronized (lock) {
                    ledger.isNow(pod, now, before);
                }
            } catch (RuntimeException e) {
                // Any exception is caught: a task that throws is never run again, and promises would hold their room
                // for ever.
                LOG.info("asking again later what became of {}: {}", pod.path(), ServerWords.message(e));
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
        MetricsText text = new MetricsText().head(bindings, "counter", "Bindings reviewed, by the answer.");
        for (Judged answer : Judged.values()) {
            String its = answer.name().toLowerCase(java.util.Locale.ROOT);
            text.sample(bindings, "answer=\"" + its + "\"", answers[answer.ordinal()].sum());
        }
        return text.histogram(
                        "stowage_guard_review_seconds", "Time to judge a binding, without the call's own.", reviews)
                .gauge("stowage_guard_ready", "1 if it knows the cluster and judges, else 0.", ready ? 1 : 0)
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
                    sureFrom = System.nanoTime() + settings.settle().toNanos();
                    LOG.info("judges in {} s", settings.settle().toSeconds());
                }
            }
        }
    }
}
