package dev.stowage.kube.watch;

import dev.stowage.kube.evict.ServerWords;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several kinds that are watched, with a thread that begins them and asks every few seconds whether one is silent. */
final class Watches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);
    private static final long CHECK_SECONDS = 4;

    private final String what;
    private final List<WatchedKind<?>> kinds = new ArrayList<>();
    private final List<Supplier<Optional<WatchedKind<?>>>> sought = new ArrayList<>();
    private final ScheduledExecutorService thread;
    private boolean begun;
    private String complaint = "";

    /** @param what is watched, for people */
    Watches(String what) {
        this.what = what;
        thread = Executors.newSingleThreadScheduledExecutor(Daemons.named("stowage-watch"));
    }

    /** Lists these, and watches them from then on. */
    synchronized void begin(List<WatchedKind<?>> now) {
        if (!thread.isShutdown()) {
            kinds.addAll(now);
            now.forEach(kind -> thread.execute(kind::begin));
            turn();
        }
    }

    /** Asks for a kind every few seconds, until the API server has it; then lists and watches it. */
    synchronized void seek(Supplier<Optional<WatchedKind<?>>> kind) {
        sought.add(kind);
        turn();
    }

    private void turn() {
        if (!begun && !thread.isShutdown()) {
            begun = true;
            var unused = thread.scheduleWithFixedDelay(this::check, 0, CHECK_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void check() {
        try {
            for (Supplier<Optional<WatchedKind<?>>> one : copy(sought)) {
                one.get().ifPresent(kind -> found(one, kind));
            }
            copy(kinds).forEach(WatchedKind::check);
        } catch (RuntimeException e) {
            // A task that throws is never run again.
            complain(what + " cannot be watched: " + ServerWords.message(e));
        }
    }

    private synchronized <T> List<T> copy(List<T> list) {
        return List.copyOf(list);
    }

    private synchronized void found(Supplier<Optional<WatchedKind<?>>> seeker, WatchedKind<?> kind) {
        sought.remove(seeker);
        begin(List.of(kind));
    }

    /** Versions of a group of the API, the preferred one first; none if the API server does not have it. */
    static List<String> versions(KubernetesClient client, String group) {
        String answer = client.raw("/apis/" + group);
        return answer == null
                ? List.of()
                : client.getKubernetesSerialization().unmarshal(answer, APIGroup.class).getVersions().stream()
                        .map(version -> version.getVersion())
                        .toList();
    }

    /** Says what is wrong, once. */
    synchronized void complain(String now) {
        if (!now.equals(complaint)) {
            complaint = now;
            LOG.warn("{}", now);
        }
    }

    @Override
    public synchronized void close() {
        thread.shutdownNow();
        kinds.forEach(WatchedKind::end);
    }
}
