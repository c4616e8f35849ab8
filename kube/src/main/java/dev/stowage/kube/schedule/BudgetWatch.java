package dev.stowage.kube.schedule;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.PodBudget;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches the disruption budgets, in the version that the API server has: {@code policy/v1} since 1.21,
 * {@code policy/v1beta1} until 1.24.
 */
final class BudgetWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BudgetWatch.class);
    private static final long CHECK_SECONDS = 4;
    private static final String PATH = "/apis/policy";

    private final KubernetesClient client;
    private final Consumer<List<PodBudget>> listener;
    private final Map<String, PodBudget> known = new TreeMap<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("stowage-budgets"));

    private @Nullable WatchedKind<?> budgets;
    private boolean listed;
    private String complaint = "";

    /** @param listener receives all budgets whenever one has changed, in a thread of the client */
    BudgetWatch(KubernetesClient client, Consumer<List<PodBudget>> listener) {
        this.client = client;
        this.listener = listener;
    }

    /** Asks for the version until there is an answer, lists, and watches from then on. */
    void start() {
        var unused = thread.scheduleWithFixedDelay(this::turn, 0, CHECK_SECONDS, TimeUnit.SECONDS);
    }

    private void turn() {
        try {
            WatchedKind<?> begun = watched();
            if (begun != null) {
                begun.check();
            } else {
                begin();
            }
        } catch (RuntimeException e) {
            // A task that throws is never run again.
            complain("disruption budgets cannot be watched: " + ServerWords.message(e));
        }
    }

    private synchronized @Nullable WatchedKind<?> watched() {
        return budgets;
    }

    private void begin() {
        String answer = client.raw(PATH);
        List<String> versions = answer == null
                ? List.of()
                : client.getKubernetesSerialization().unmarshal(answer, APIGroup.class).getVersions().stream()
                        .map(version -> version.getVersion())
                        .toList();
        WatchedKind<?> chosen;
        if (versions.contains("v1")) {
            chosen = watch(
                    "v1",
                    () -> client.policy().v1().podDisruptionBudget().inAnyNamespace(),
                    PodDisruptionBudget::new,
                    PodBudget::of);
        } else if (versions.contains("v1beta1")) {
            chosen = watch(
                    "v1beta1",
                    () -> client.policy().v1beta1().podDisruptionBudget().inAnyNamespace(),
                    io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget::new,
                    PodBudget::of);
        } else {
            complain("the API server has no disruption budgets (" + PATH + ": " + versions
                    + "), so no pod is evicted for another");
            return;
        }
        synchronized (this) {
            if (thread.isShutdown()) {
                return;
            }
            budgets = chosen;
        }
        chosen.begin();
    }

    private <T extends HasMetadata> WatchedKind<T> watch(
            String version, Supplier<Informable<T>> informers, Supplier<T> blank, Function<T, PodBudget> read) {
        return new WatchedKind<>(
                client,
                PATH + "/" + version + "/poddisruptionbudgets",
                informers,
                blank,
                budget -> changed(read.apply(budget)),
                this::gone,
                this::listed);
    }

    private synchronized void changed(PodBudget budget) {
        known.put(budget.path(), budget);
        tell();
    }

    private synchronized void gone(WatchedKind.Gone budget) {
        known.remove(budget.path());
        tell();
    }

    private synchronized void listed() {
        listed = true;
        tell();
    }

    private void tell() {
        if (listed) {
            listener.accept(List.copyOf(known.values()));
        }
    }

    private void complain(String now) {
        if (!now.equals(complaint)) {
            complaint = now;
            LOG.warn("{}", now);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        WatchedKind<?> begun = watched();
        if (begun != null) {
            begun.end();
        }
    }
}
