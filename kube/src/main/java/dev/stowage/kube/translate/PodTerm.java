package dev.stowage.kube.translate;

import java.util.List;
import java.util.Map;

/**
 * A term of an affinity or anti-affinity, about domains where a pod that it selects runs. A required anti-affinity also
 * keeps such pods away later.
 *
 * @param namespaces namespaces of the pods that it selects, or {@link #EVERY_NAMESPACE}
 * @param selector which pods
 * @param key the label whose values are the domains
 */
public record PodTerm(List<String> namespaces, PodSelector selector, String key) {
    /** All namespaces; a namespace cannot have this name. */
    static final List<String> EVERY_NAMESPACE = List.of("*");

    /** Whether it selects a pod. */
    public boolean selects(String namespace, Map<String, String> labels) {
        return (namespaces.equals(EVERY_NAMESPACE) || namespaces.contains(namespace)) && selector.selects(labels);
    }
}
