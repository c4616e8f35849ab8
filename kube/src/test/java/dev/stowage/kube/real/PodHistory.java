package dev.stowage.kube.real;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The history of all pods, change by change in the API server's order, checked with independent sums: it shares no code
 * with the scheduler. Changes while the API server is down appear when everything is listed again.
 */
final class PodHistory implements AutoCloseable {
    private final Map<String, String> nodeOf = new TreeMap<>();
    private final Map<String, BigDecimal> usedOf = new TreeMap<>();
    private final BigDecimal coresPerNode;
    private final List<String> wrong = new ArrayList<>();
    private final SharedIndexInformer<Pod> watch;
    private int bindings;

    PodHistory(KubernetesClient client, int coresPerNode) {
        this.coresPerNode = BigDecimal.valueOf(coresPerNode);
        watch = client.pods().inNamespace("default").inform(new ResourceEventHandler<Pod>() {
            @Override
            public void onAdd(Pod pod) {
                changed(pod, false);
            }

            @Override
            public void onUpdate(Pod before, Pod pod) {
                changed(pod, false);
            }

            @Override
            public void onDelete(Pod pod, boolean unknownFinalState) {
                changed(pod, true);
            }
        });
    }

    private synchronized void changed(Pod pod, boolean gone) {
        String uid = pod.getMetadata().getUid();
        String node = pod.getSpec().getNodeName();
        String before = nodeOf.get(uid);
        BigDecimal cores = pod.getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .getRequests()
                .get("cpu")
                .getNumericalAmount();
        if (gone) {
            if (before != null) {
                nodeOf.remove(uid);
                usedOf.merge(before, cores.negate(), BigDecimal::add);
            }
        } else if (before != null && !before.equals(node)) {
            wrong.add(pod.getMetadata().getName() + " was on " + before + " and is on " + node);
        } else if (before == null && node != null) {
            nodeOf.put(uid, node);
            bindings++;
            BigDecimal used = usedOf.merge(node, cores, BigDecimal::add);
            if (used.compareTo(coresPerNode) > 0) {
                wrong.add(node + " holds " + used + " cores at revision "
                        + pod.getMetadata().getResourceVersion() + ", by "
                        + pod.getMetadata().getName());
            }
        }
    }

    synchronized int bindings() {
        return bindings;
    }

    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    synchronized String nodes() {
        return usedOf.toString();
    }

    @Override
    public void close() {
        watch.close();
    }
}
