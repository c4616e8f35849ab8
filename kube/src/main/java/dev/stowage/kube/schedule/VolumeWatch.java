package dev.stowage.kube.schedule;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.Volumes;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists and watches claims, volumes, their classes, and the drivers of nodes, from when the first pod has a claim. */
final class VolumeWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeWatch.class);
    private static final long CHECK_SECONDS = 4;

    private final List<WatchedKind<?>> kinds;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("stowage-volumes"));
    private boolean begun;

    VolumeWatch(KubernetesClient client, Volumes volumes) {
        kinds = List.of(
                new WatchedKind<>(
                        client,
                        "/api/v1/persistentvolumeclaims",
                        () -> client.persistentVolumeClaims().inAnyNamespace(),
                        PersistentVolumeClaim::new,
                        volumes::claim,
                        gone -> volumes.claimGone(gone.path()),
                        () -> volumes.listed("claims")),
                new WatchedKind<>(
                        client,
                        "/api/v1/persistentvolumes",
                        client::persistentVolumes,
                        PersistentVolume::new,
                        volumes::volume,
                        gone -> volumes.volumeGone(gone.name()),
                        () -> volumes.listed("volumes")),
                new WatchedKind<>(
                        client,
                        "/apis/storage.k8s.io/v1/storageclasses",
                        () -> client.storage().v1().storageClasses(),
                        StorageClass::new,
                        volumes::storageClass,
                        gone -> volumes.storageClassGone(gone.name()),
                        () -> volumes.listed("classes")),
                new WatchedKind<>(
                        client,
                        "/apis/storage.k8s.io/v1/csinodes",
                        () -> client.storage().v1().csiNodes(),
                        CSINode::new,
                        volumes::drivers,
                        gone -> volumes.driversGone(gone.name()),
                        () -> volumes.listed("limits")));
    }

    /** Begins, unless it has. */
    synchronized void begin() {
        if (!begun && !thread.isShutdown()) {
            begun = true;
            kinds.forEach(kind -> thread.execute(kind::begin));
            var unused = thread.scheduleWithFixedDelay(this::check, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void check() {
        try {
            kinds.forEach(WatchedKind::check);
        } catch (RuntimeException e) {
            // A task that throws is never run again.
            LOG.warn("the watch of volumes could not be checked: {}", ServerWords.message(e));
        }
    }

    @Override
    public synchronized void close() {
        thread.shutdownNow();
        kinds.forEach(WatchedKind::end);
    }
}
