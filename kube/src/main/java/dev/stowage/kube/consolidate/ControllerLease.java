package dev.stowage.kube.consolidate;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.schedule.Election;
import dev.stowage.kube.watch.Daemons;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a controller of which several replicas may run, renewed in the background, and the ConfigMap of the same
 * name in which the one that holds it says what it does.
 */
public final class ControllerLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerLease.class);
    private static final int TURNS = 8;
    private static final int MARGINS = 3;
    private static final int MISSING = 404;

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final String identity = System.getenv().getOrDefault("HOSTNAME", "stowage") + "-" + UUID.randomUUID();
    private final Election election;
    private final ScheduledExecutorService turns =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("stowage-lease"));
    private volatile String other = "";
    private Map<String, String> written = Map.of();

    ControllerLease(KubernetesClient client, String namespace, String name, Duration duration) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        election = new Election(
                client,
                namespace,
                name,
                identity,
                duration,
                duration.dividedBy(MARGINS),
                System::nanoTime,
                Clock.systemUTC());
        var unused = turns.scheduleWithFixedDelay(this::turn, 0, duration.toMillis() / TURNS, TimeUnit.MILLISECONDS);
    }

    private void turn() {
        try {
            boolean leads = election.turn();
            other = leads || election.leader().equals(identity) ? "" : election.leader();
        } catch (RuntimeException e) {
            // A task that throws is never run again.
            LOG.warn("the lease cannot be read or renewed: {}", ServerWords.message(e));
        }
    }

    /** Whether this replica may act now. */
    public boolean holds() {
        return election.mayAct();
    }

    /** The other replica that holds the lease, as it was read last; empty if none does, or it is not known yet. */
    public String other() {
        return other;
    }

    /**
     * Writes what it does into its ConfigMap, if that has changed; if the API server does not take it, the next call
     * tries again.
     */
    public void say(Map<String, String> data) {
        if (data.equals(written)) {
            return;
        }
        String body = client.getKubernetesSerialization()
                .asJson(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(data)
                        .build());
        // The client's own update reads it before, which needs one more right.
        String path = "/api/v1/namespaces/" + namespace + "/configmaps";
        try {
            try {
                client.raw(path + "/" + name, "PUT", body);
            } catch (KubernetesClientException e) {
                if (e.getCode() != MISSING) {
                    throw e;
                }
                client.raw(path, "POST", body);
            }
            written = Map.copyOf(data);
        } catch (KubernetesClientException e) {
            LOG.warn("ConfigMap {}/{} cannot be written: {}", namespace, name, ServerWords.message(e));
        }
    }

    @Override
    public void close() {
        turns.shutdown();
        try {
            if (turns.awaitTermination(1, TimeUnit.MINUTES)) {
                election.giveUp();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (KubernetesClientException e) {
            LOG.info("the lease was not released and will expire: {}", ServerWords.message(e));
        }
    }
}
