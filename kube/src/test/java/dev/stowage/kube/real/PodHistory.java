package dev.stowage.kube.real;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of all pods, change by change in the API server's order, judged by sums of its own: it shares nothing
 * with what it judges.
 */
final class PodHistory implements AutoCloseable {
    private final Map<String, String> nodeOf = new TreeMap<>();
    private final Map<String, BigDecimal> usedOf = new TreeMap<>();
    private final BigDecimal coresPerNode;
    private final List<String> wrong = new ArrayList<>();
    private final Watch watch;
    private int bindings;

    PodHistory(KubernetesClient client, int coresPerNode) {
        this.coresPerNode = BigDecimal.valueOf(coresPerNode);
        watch = client.pods().inNamespace("default").watch(new Watcher<Pod>() {
            @Override
            public void eventReceived(Action action, Pod pod) {
                changed(action, pod);
            }

            @Override
            public void onClose(@Nullable WatcherException cause) {
                if (cause != null) {
                    wrong("the watch ended: " + cause);
                }
            }
        });
    }

    private synchronized void wrong(String what) {
        wrong.add(what);
    }

    private synchronized void changed(Watcher.Action action, Pod pod) {
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
        if (action == Watcher.Action.DELETED) {
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
                        + pod.getMetadata().getResourceVersion() + ", by " + pod.getMetadata().getName());
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
