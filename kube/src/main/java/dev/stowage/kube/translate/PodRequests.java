package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a pod takes of a node: for each resource the larger of what its containers take together and what any init
 * container takes while it runs, and its overhead. An init container that is always restarted (a sidecar) keeps
 * running: it counts with the containers, and with the init containers after it.
 *
 * <p>Source: Kubernetes, {@code k8s.io/component-helpers/resource.PodRequests}; without sidecars the rule of 1.20,
 * {@code pkg/scheduler/framework/plugins/noderesources/fit.go}.
 */
final class PodRequests {
    private PodRequests() {}

    static SortedMap<String, Long> of(PodSpec spec) {
        SortedMap<String, Long> sum = new TreeMap<>();
        spec.getContainers().forEach(container -> add(sum, requests(container)));
        SortedMap<String, Long> sidecars = new TreeMap<>();
        SortedMap<String, Long> most = new TreeMap<>();
        for (Container init : spec.getInitContainers()) {
            SortedMap<String, Long> now = new TreeMap<>(sidecars);
            add(now, requests(init));
            if ("Always".equals(init.getRestartPolicy())) {
                add(sum, requests(init));
                sidecars = now;
            }
            now.forEach((resource, amount) -> most.merge(resource, amount, Math::max));
        }
        most.forEach((resource, amount) -> sum.merge(resource, amount, Math::max));
        if (spec.getOverhead() != null) {
            add(sum, Quantities.amounts(spec.getOverhead()));
        }
        sum.values().removeIf(amount -> amount == 0);
        sum.put("pods", 1L);
        return sum;
    }

    private static Map<String, Long> requests(Container container) {
        return container.getResources() == null || container.getResources().getRequests() == null
                ? Map.of()
                : Quantities.amounts(container.getResources().getRequests());
    }

    private static void add(SortedMap<String, Long> sum, Map<String, Long> amounts) {
        amounts.forEach((resource, amount) -> sum.merge(resource, amount, PodRequests::capped));
    }

    private static long capped(long one, long other) {
        return Math.min(one + other, Long.MAX_VALUE / 4);
    }
}
