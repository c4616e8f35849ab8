package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicySpec;
import java.util.Map;

/**
 * A policy of an experiment.
 *
 * @param label unique name in tables and plots: given by the experiment, else that of {@link #label(String, Map)}
 * @param spec key and parameters
 */
public record LabelledPolicy(String label, PolicySpec spec) {

    /**
     * {@code first-fit:when-full=queue}: the key and every parameter that was given, because parameters distinguish
     * policies.
     */
    public static String label(String key, Map<String, String> parameters) {
        return PolicySpec.of(key, parameters).toString();
    }
}
