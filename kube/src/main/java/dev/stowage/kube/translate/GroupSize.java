package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of a group are bound at once, as an object of the API says.
 *
 * <p>Source: Kubernetes, {@code PodGroup} of {@code scheduling.k8s.io} (KEP-5832), {@code v1alpha2} to {@code v1beta1};
 * kubernetes-sigs/scheduler-plugins, {@code PodGroup} of {@code scheduling.x-k8s.io/v1alpha1}.
 *
 * @param api the group of the API, one of {@link #APIS}
 * @param path namespace and name of the object
 * @param least how many are bound at once, at least 1; 1 if each may be bound alone; 0 if it does not say, or is gone
 * @param problem what it asks for that is not supported, empty if nothing; for people
 * @param ignored fields that have no effect here and may have one elsewhere, empty if none; for people
 */
public record GroupSize(String api, String path, int least, String problem, String ignored) {
    private static final String OF_KUBERNETES = "scheduling.k8s.io";
    private static final String OF_PLUGINS = "scheduling.x-k8s.io";

    /** The groups of the API that have such objects. */
    public static final List<String> APIS = List.of(OF_KUBERNETES, OF_PLUGINS);

    /** Fields of the two specs that name something, or need nothing of whoever places pods. */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("schedulingPolicy", "podGroupTemplateRef", "workloadRef", "minMember", "minResources");
    /** Fields about evictions and patience; pods of a group are placed at once whatever they say. */
    private static final Set<String> NOT_KEPT =
            Set.of("disruptionMode", "preemptionPolicy", "priority", "priorityClassName", "scheduleTimeoutSeconds");

    /** An object that is gone. */
    public static GroupSize gone(String api, String path) {
        return new GroupSize(api, path, 0, "", "");
    }

    /** What an object says. */
    public static GroupSize of(String api, GenericKubernetesResource object) {
        String path = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "") + "/"
                + object.getMetadata().getName();
        Map<String, Object> spec = Objects.requireNonNullElse(object.get("spec"), Map.of());
        Set<String> ignored = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        spec.keySet().stream()
                .filter(field -> !WITHOUT_EFFECT.contains(field))
                .forEach(field -> (NOT_KEPT.contains(field) ? ignored : unknown).add("spec." + field));
        int least = api.equals(OF_PLUGINS) ? number(spec.get("minMember")) : byPolicy(object);
        String problem = !unknown.isEmpty()
                ? String.join(", ", unknown)
                : least > 0 ? "" : "a number of pods that is missing or not 1 to " + PodGroup.MOST;
        return new GroupSize(api, path, least, problem, String.join(", ", ignored));
    }

    private static int byPolicy(GenericKubernetesResource object) {
        Object gang = object.get("spec", "schedulingPolicy", "gang");
        return gang == null
                ? object.get("spec", "schedulingPolicy", "basic") == null ? 0 : 1
                : number(object.get("spec", "schedulingPolicy", "gang", "minCount"));
    }

    private static int number(@Nullable Object value) {
        return value instanceof Number number && number.longValue() >= 1 && number.longValue() <= PodGroup.MOST
                ? number.intValue()
                : 0;
    }
}
