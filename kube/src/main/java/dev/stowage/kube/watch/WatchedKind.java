package dev.stowage.kube.watch;

import dev.stowage.kube.evict.ServerWords;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All objects of one kind, listed and watched. A watch may fall silent: its connection has ended, or is open without
 * events, and the client's informer does not notice (seen with fabric8 7.8 over the JDK's web sockets, after the API
 * server was killed: the socket stays in CLOSE_WAIT). So {@link #check} regularly asks the API server for events since
 * the last version that the informer knows; if the informer keeps missing some, a new one replaces it.
 *
 * @param <T> the kind
 */
final class WatchedKind<T extends HasMetadata> {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedKind.class);
    /**
     * Number of checks within which an informer must have listed once: some minutes, whereas a request is given up
     * after one.
     */
    private static final int LONGEST_LIST = 40;

    private static final String NO_NEWS = "{\"type\":\"BOOKMARK\"";
    /** Objects in one answer of a list, as kube-scheduler asks for them. */
    private static final long PAGE = 500;

    /** What is known of an object that is gone. */
    record Gone(String namespace, String name, String uid) {
        static Gone of(HasMetadata object) {
            return new Gone(
                    Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""),
                    object.getMetadata().getName(),
                    Objects.requireNonNullElse(object.getMetadata().getUid(), ""));
        }

        /** Namespace and name. */
        String path() {
            return namespace + "/" + name;
        }
    }

    private final KubernetesClient client;
    private final String path;
    private final Supplier<Informable<T>> informers;
    private final Supplier<T> blank;
    private final Consumer<T> present;
    private final Consumer<Gone> gone;
    private final Runnable listed;
    /** The objects that the listener knows, by namespace and name. */
    private final Map<String, Gone> known = new LinkedHashMap<>();

    private @Nullable Turn turn;
    private boolean ended;
    /** The version after which the informer had missed something at the last check. */
    private String missedSince = "";
    /** Number of checks so far in which the informer had not listed yet. */
    private int notListed;

    /**
     * A kind whose watch has not been started.
     *
     * @param path of the kind, with the selectors of the informers if they have any: {@code /api/v1/nodes}
     * @param informers where an informer can be had
     * @param blank makes an object without fields
     * @param listed is called after each list, when all objects have been delivered
     */
    WatchedKind(
            KubernetesClient client,
            String path,
            Supplier<Informable<T>> informers,
            Supplier<T> blank,
            Consumer<T> present,
            Consumer<Gone> gone,
            Runnable listed) {
        this.client = client;
        this.path = path;
        this.informers = informers;
        this.blank = blank;
        this.present = present;
        this.gone = gone;
        this.listed = listed;
    }

    /**
     * Lists, and watches from then on; deletions since an earlier list are reported after the new one. Does nothing
     * once this has ended.
     */
    void begin() {
        Turn next = new Turn(informers
                .get()
                .withLimit(PAGE)
                .runnableInformer(0)
                .removeNamespaceIndex()
                .itemStore(new Identities<>(blank)));
        Turn before;
        synchronized (this) {
            if (ended) {
                return;
            }
            before = turn;
            turn = next;
        }
        if (before != null) {
            stop(before);
        }
        next.informer.addEventHandler(next);
        next.informer.exceptionHandler((started, failure) -> {
            LOG.warn("watching {} failed; trying again: {}", path, ServerWords.message(client.getMasterUrl(), failure));
            return true;
        });
        try {
            next.informer.start();
        } catch (IllegalStateException e) {
            // The informer refuses to start, because it was stopped before.
            if (isCurrent(next)) {
                throw e;
            }
        } finally {
            if (!isCurrent(next)) {
                // It was ended, or replaced, while it started, which may also have failed for that reason.
                stop(next);
            }
        }
    }

    private synchronized boolean isCurrent(Turn one) {
        return turn == one;
    }

    /**
     * Starts anew if the watch still misses what it had missed at the last check, or if its first list does not come;
     * must be called every few seconds.
     */
    void check() {
        Turn now;
        synchronized (this) {
            now = turn;
        }
        if (now == null) {
            return;
        }
        String version = now.informer.lastSyncResourceVersion();
        if (version == null || version.isEmpty()) {
            if (++notListed > LONGEST_LIST) {
                LOG.warn("listing {} took too long; starting again", path);
                notListed = 0;
                begin();
            }
            return;
        }
        notListed = 0;
        if (version.equals(missedSince)) {
            LOG.warn("no news from the watch of {} since version {}; starting it again", path, version);
            missedSince = "";
            begin();
        } else {
            missedSince = hasNews(version) ? version : "";
        }
    }

    private boolean hasNews(String version) {
        String url = path + (path.contains("?") ? "&" : "?") + "watch=true&timeoutSeconds=1&resourceVersion=" + version;
        try {
            return client.raw(url).lines().anyMatch(line -> !line.isBlank() && !line.startsWith(NO_NEWS));
        } catch (KubernetesClientException e) {
            return e.getCode() == HttpURLConnection.HTTP_GONE;
        }
    }

    /** Stops watching for good. */
    synchronized void end() {
        ended = true;
        if (turn != null) {
            stop(turn);
            turn = null;
        }
    }

    /** Stops an informer; later events of it are ignored. */
    private void stop(Turn ended) {
        try {
            ended.informer.stop();
        } catch (RuntimeException e) {
            LOG.warn("the watch of {} could not be stopped: {}", path, ServerWords.message(e));
        }
    }

    private static <O> void tell(Consumer<O> consumer, O object) {
        try {
            consumer.accept(object);
        } catch (IllegalArgumentException e) {
            LOG.error("an object cannot be read and is left out: {}", e.toString());
        }
    }

    private void isThere(T object) {
        Gone now = Gone.of(object);
        Gone before = known.put(now.path(), now);
        // It was deleted and created again under the same name while the watch was down; nodes are known by name.
        if (before != null && !before.equals(now)) {
            tell(gone, before);
        }
        tell(present, object);
    }

    private void isGone(Gone object) {
        known.remove(object.path());
        tell(gone, object);
    }

    /** The life of one informer, from its list until it is replaced. */
    private final class Turn implements ResourceEventHandler<T> {
        private final SharedIndexInformer<T> informer;
        private @Nullable Set<String> seen = new HashSet<>();

        Turn(SharedIndexInformer<T> informer) {
            this.informer = informer;
        }

        private void inTurn(Runnable task) {
            synchronized (WatchedKind.this) {
                if (turn == this) {
                    task.run();
                }
            }
        }

        @Override
        public void onAdd(T object) {
            inTurn(() -> {
                if (seen != null) {
                    seen.add(Gone.of(object).path());
                }
                isThere(object);
            });
        }

        @Override
        public void onUpdate(T before, T object) {
            onAdd(object);
        }

        @Override
        public void onDelete(T object, boolean unknownFinalState) {
            inTurn(() -> isGone(Gone.of(object)));
        }

        @Override
        public void onList(String version, boolean isEmpty) {
            inTurn(() -> {
                if (seen != null) {
                    Map<String, Gone> missing = new LinkedHashMap<>(known);
                    missing.keySet().removeAll(seen);
                    missing.values().forEach(WatchedKind.this::isGone);
                    seen = null;
                }
                listed.run();
            });
        }
    }
}
