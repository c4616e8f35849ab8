package dev.stowage.kube.watch;

import dev.stowage.kube.translate.PodBudget;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lists and watches the disruption budgets, in the version that the API server has: {@code policy/v1} since 1.21,
 * {@code policy/v1beta1} until 1.24.
 */
public final class BudgetWatch implements AutoCloseable {
    private static final String GROUP = "policy";

    private final KubernetesClient client;
    private final Consumer<List<PodBudget>> listener;
    private final Map<String, PodBudget> known = new TreeMap<>();
    private final Watches watches = new Watches("disruption budgets");
    private boolean listed;

    /**
     * A watch that has not begun.
     *
     * @param listener receives all budgets whenever one has changed, in a thread of the client
     */
    public BudgetWatch(KubernetesClient client, Consumer<List<PodBudget>> listener) {
        this.client = client;
        this.listener = listener;
    }

    /** Asks for the version until there is an answer, lists, and watches from then on. */
    public void start() {
        watches.seek(this::find);
    }

    private Optional<WatchedKind<?>> find() {
        List<String> versions = Watches.versions(client, GROUP);
        if (versions.contains("v1")) {
            return Optional.of(watch(
                    "v1",
                    () -> client.policy().v1().podDisruptionBudget().inAnyNamespace(),
                    PodDisruptionBudget::new,
                    PodBudget::of));
        }
        if (versions.contains("v1beta1")) {
            return Optional.of(watch(
                    "v1beta1",
                    () -> client.policy().v1beta1().podDisruptionBudget().inAnyNamespace(),
                    io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget::new,
                    PodBudget::of));
        }
        watches.complain("the API server has no disruption budgets (/apis/" + GROUP + ": " + versions
                + "), so no pod is evicted for another");
        return Optional.empty();
    }

    private <T extends HasMetadata> WatchedKind<T> watch(
            String version, Supplier<Informable<T>> informers, Supplier<T> blank, Function<T, PodBudget> read) {
        return new WatchedKind<>(
                client,
                "/apis/" + GROUP + "/" + version + "/poddisruptionbudgets",
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

    @Override
    public void close() {
        watches.close();
    }
}
