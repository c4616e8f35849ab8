package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A policy in a YAML file: {@code best-fit}, or {@code {policy: best-fit, when-full: queue}}. */
public final class PolicyReader {
    private final PolicyFactory policies;

    /** With what knows the policies. */
    public PolicyReader(PolicyFactory policies) {
        this.policies = policies;
    }

    /** The policy and its label; a problem is noted if there is none such. */
    public LabelledPolicy read(Fields at) {
        Map<String, String> parameters = new TreeMap<>();
        String key;
        String label;
        if (at.node().isObject()) {
            key = at.at("policy").requiredText("key of a policy, e.g. best-fit");
            label = at.at("label").text(key);
            for (String name : at.keys()) {
                if (!List.of("policy", "label").contains(name)) {
                    parameters.put(name, at.at(name).text(""));
                }
            }
        } else {
            key = at.text("");
            label = key;
        }
        PolicySpec spec = PolicySpec.of(key, parameters);
        try {
            policies.create(spec);
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
        }
        return new LabelledPolicy(label, spec);
    }
}
