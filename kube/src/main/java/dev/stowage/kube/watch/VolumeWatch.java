package dev.stowage.kube.watch;

import dev.stowage.kube.translate.Volumes;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/** Lists and watches claims, volumes, their classes, and the drivers of nodes, from when the first pod has a claim. */
public final class VolumeWatch implements AutoCloseable {
    private final List<WatchedKind<?>> kinds;
    private final Watches watches = new Watches("volumes");
    private boolean begun;

    /** A watch that has not begun; what it sees goes to {@code volumes}. */
    public VolumeWatch(KubernetesClient client, Volumes volumes) {
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
    public synchronized void begin() {
        if (!begun) {
            begun = true;
            watches.begin(kinds);
        }
    }

    @Override
    public void close() {
        watches.close();
    }
}
