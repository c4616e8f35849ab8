package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A selector of pods by their labels.
 *
 * @param nothing whether it selects no pod at all, as when the API object has no selector; a selector without rules
 *     selects every pod
 * @param rules all must hold
 */
public record PodSelector(boolean nothing, List<LabelRule> rules) {
    /**
     * The selector for one of the API.
     *
     * @throws IllegalArgumentException if it has an operator that is not known
     */
    public static PodSelector of(@Nullable LabelSelector selector) {
        List<LabelRule> rules = new ArrayList<>();
        if (selector != null) {
            selector.getMatchLabels()
                    .forEach((key, value) -> rules.add(new LabelRule(key, LabelRule.Operator.IN, List.of(value))));
            selector.getMatchExpressions()
                    .forEach(one -> rules.add(
                            new LabelRule(one.getKey(), LabelRule.Operator.of(one.getOperator()), one.getValues())));
        }
        return new PodSelector(selector == null, List.copyOf(rules));
    }

    /** Whether it selects a pod with these labels. */
    public boolean selects(Map<String, String> labels) {
        if (nothing) {
            return false;
        }
        for (LabelRule rule : rules) {
            if (!rule.isMetBy(labels)) {
                return false;
            }
        }
        return true;
    }
}
