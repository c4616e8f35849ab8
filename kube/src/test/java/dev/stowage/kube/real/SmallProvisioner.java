package dev.stowage.kube.real;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plays the controller of volumes and an external provisioner: makes a volume in the zone of the node that a claim
 * names, and binds claims to volumes that are given to them.
 */
final class SmallProvisioner implements AutoCloseable {
    static final String DRIVER = "disk.example";
    private static final String SELECTED = "volume.kubernetes.io/selected-node";

    /** Nodes for which it makes nothing and says nothing. */
    final Set<String> silent = ConcurrentHashMap.newKeySet();
    /** Nodes for which it takes the choice back. */
    final Set<String> refused = ConcurrentHashMap.newKeySet();

    private final KubernetesClient client;
    private final Thread thread = new Thread(this::run, "provisioner");
    private volatile boolean closed;

    SmallProvisioner(KubernetesClient client) {
        this.client = client;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                for (PersistentVolumeClaim claim : client.persistentVolumeClaims()
                        .inNamespace("default")
                        .list()
                        .getItems()) {
                    if (claim.getSpec().getVolumeName() == null) {
                        look(claim);
                    }
                }
            } catch (KubernetesClientException e) {
                System.out.println("the provisioner tries again: " + e.getMessage());
            }
            RealCluster.sleep();
        }
    }

    private void look(PersistentVolumeClaim claim) {
        String name = claim.getMetadata().getName();
        for (PersistentVolume volume : client.persistentVolumes().list().getItems()) {
            if (volume.getSpec().getClaimRef() != null
                    && name.equals(volume.getSpec().getClaimRef().getName())) {
                bind(name, volume.getMetadata().getName());
                return;
            }
        }
        String node = claim.getMetadata().getAnnotations() == null
                ? null
                : claim.getMetadata().getAnnotations().get(SELECTED);
        if (node == null || silent.contains(node)) {
            return;
        }
        if (refused.contains(node)) {
            patch(name, "{\"metadata\":{\"annotations\":{\"" + SELECTED + "\":null}}}");
            return;
        }
        String zone =
                client.nodes().withName(node).get().getMetadata().getLabels().get("zone");
        client.resource(Serialization.unmarshal(
                        "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: for-" + name
                                + "}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: "
                                + claim.getSpec().getStorageClassName() + ", csi: {driver: " + DRIVER
                                + ", volumeHandle: " + name + "}, claimRef: {namespace: default, name: " + name
                                + ", uid: " + claim.getMetadata().getUid()
                                + "}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone,"
                                + " operator: In, values: [" + zone + "]}]}]}}}}",
                        PersistentVolume.class))
                .create();
    }

    private void bind(String claim, String volume) {
        patch(
                claim,
                "{\"metadata\":{\"annotations\":{\"pv.kubernetes.io/bind-completed\":\"yes\"}},"
                        + "\"spec\":{\"volumeName\":\""
                        + volume + "\"}}");
    }

    private void patch(String claim, String patch) {
        client.persistentVolumeClaims()
                .inNamespace("default")
                .withName(claim)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
