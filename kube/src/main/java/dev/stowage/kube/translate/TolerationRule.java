package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Toleration;

/**
 * A toleration of a pod.
 *
 * @param key key, empty for every key
 * @param exists whether any value will do
 * @param value value if it must be equal
 * @param effect effect, empty for every effect
 */
public record TolerationRule(String key, boolean exists, String value, String effect) {
    /** The rule of a toleration; the duration of a toleration does not concern a scheduler. */
    public static TolerationRule of(Toleration toleration) {
        return new TolerationRule(
                text(toleration.getKey()),
                "Exists".equals(toleration.getOperator()),
                text(toleration.getValue()),
                text(toleration.getEffect()));
    }

    private static String text(@org.jspecify.annotations.Nullable String value) {
        return value == null ? "" : value;
    }

    /** Whether it tolerates a taint. */
    public boolean tolerates(Taint taint) {
        return (effect.isEmpty() || effect.equals(taint.effect()))
                && (key.isEmpty() || key.equals(taint.key()))
                && (exists || value.equals(taint.value()));
    }
}
