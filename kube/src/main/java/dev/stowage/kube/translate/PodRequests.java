package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of a node: for each resource the larger of what its containers take together and what any init
 * container takes while it runs, and its overhead. An init container that is always restarted (a sidecar) keeps
 * running: it counts with the containers, and with the init containers after it. What is asked for the pod as a whole
 * ({@code spec.resources}) counts in place of what its containers ask for. While a pod is resized, the largest counts
 * of what is wanted, what is allocated and what its containers have; if the resize is infeasible on its node, what is
 * wanted does not.
 *
 * <p>Source: Kubernetes, {@code k8s.io/component-helpers/resource.PodRequests} with {@code UseStatusResources}, as
 * kube-scheduler and kubelet call it; without sidecars the rule of 1.20, {@code
 * pkg/scheduler/framework/plugins/noderesources/fit.go}.
 */
public final class PodRequests {
    private final PodSpec spec;
    private final @Nullable PodStatus status;
    private final boolean infeasible;

    private PodRequests(Pod pod) {
        spec = pod.getSpec();
        status = pod.getStatus();
        infeasible = status != null
                && ("Infeasible".equals(status.getResize())
                        || status.getConditions().stream()
                                .anyMatch(condition -> "PodResizePending".equals(condition.getType())
                                        && "Infeasible".equals(condition.getReason())));
    }

    /** Amounts by resource, as {@link Quantities} counts them. */
    public static SortedMap<String, Long> of(Pod pod) {
        return new PodRequests(pod).sum();
    }

    /** Whether a resource can be asked for a pod as a whole. */
    static boolean isOfWholePods(String resource) {
        return resource.equals(Quantities.CPU) || resource.equals("memory") || resource.startsWith("hugepages-");
    }

    private SortedMap<String, Long> sum() {
        List<ContainerStatus> now = status == null ? List.of() : status.getContainerStatuses();
        List<ContainerStatus> initsNow = status == null ? List.of() : status.getInitContainerStatuses();
        SortedMap<String, Long> sum = new TreeMap<>();
        spec.getContainers().forEach(container -> add(sum, requests(container, now)));
        SortedMap<String, Long> sidecars = new TreeMap<>();
        SortedMap<String, Long> most = new TreeMap<>();
        for (Container init : spec.getInitContainers()) {
            Map<String, Long> its = requests(init, initsNow);
            SortedMap<String, Long> beside = new TreeMap<>(sidecars);
            add(beside, its);
            if ("Always".equals(init.getRestartPolicy())) {
                add(sum, its);
                sidecars = beside;
            }
            largest(most, beside);
        }
        largest(sum, most);
        ofWholePod().forEach((resource, amount) -> {
            if (isOfWholePods(resource)) {
                sum.put(resource, amount);
            }
        });
        if (spec.getOverhead() != null) {
            add(sum, Quantities.amounts(spec.getOverhead()));
        }
        sum.values().removeIf(amount -> amount == 0);
        sum.keySet().removeAll(PodGpus.OF_HAMI);
        sum.put("pods", 1L);
        return sum;
    }

    private Map<String, Long> ofWholePod() {
        Map<String, Long> wanted = amounts(spec.getResources());
        return wanted.isEmpty() || status == null
                ? wanted
                : counted(wanted, status.getResources(), status.getAllocatedResources());
    }

    private Map<String, Long> requests(Container container, List<ContainerStatus> statuses) {
        Map<String, Long> wanted = amounts(container.getResources());
        return statuses.stream()
                .filter(one ->
                        container.getName() != null && container.getName().equals(one.getName()))
                .findFirst()
                .map(one -> counted(wanted, one.getResources(), one.getAllocatedResources()))
                .orElse(wanted);
    }

    private Map<String, Long> counted(
            Map<String, Long> wanted, @Nullable ResourceRequirements has, @Nullable Map<String, Quantity> allocated) {
        SortedMap<String, Long> given = new TreeMap<>(amounts(has));
        largest(given, allocated == null ? Map.of() : Quantities.amounts(allocated));
        if (!infeasible || given.isEmpty()) {
            largest(given, wanted);
        }
        return given;
    }

    private static Map<String, Long> amounts(@Nullable ResourceRequirements resources) {
        return resources == null || resources.getRequests() == null
                ? Map.of()
                : Quantities.amounts(resources.getRequests());
    }

    private static void largest(SortedMap<String, Long> of, Map<String, Long> and) {
        and.forEach((resource, amount) -> of.merge(resource, amount, Math::max));
    }

    private static void add(SortedMap<String, Long> sum, Map<String, Long> amounts) {
        amounts.forEach((resource, amount) -> sum.merge(resource, amount, PodRequests::capped));
    }

    private static long capped(long one, long other) {
        return Math.min(one + other, Long.MAX_VALUE / 4);
    }
}
