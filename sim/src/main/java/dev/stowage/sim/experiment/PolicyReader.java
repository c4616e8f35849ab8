package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A policy in a YAML file: {@code best-fit}, or {@code {policy: best-fit, when-full: queue}}. */
public final class PolicyReader {
    /** What every policy assumes by default. */
    private static final String EQUAL = "equal";

    private final PolicyFactory policies;

    /** With the factory that knows the policies. */
    public PolicyReader(PolicyFactory policies) {
        this.policies = policies;
    }

    /** The policy and its label; a problem is noted if it does not exist. */
    public LabelledPolicy read(YamlFields at) {
        return read(at, Map.of(), Set.of());
    }

    /**
     * The policy and its label, with parameters from the workload.
     *
     * @param ofWorkload parameters that describe the workload; those that the policy does not have are left out
     * @param swept paths of the experiment that a sweep changes: these parameters are in the point, not in the label
     */
    LabelledPolicy read(YamlFields at, Map<String, String> ofWorkload, Set<String> swept) {
        Map<String, String> parameters = new TreeMap<>();
        Map<String, String> told = new TreeMap<>();
        String key;
        String label;
        if (at.node().isObject()) {
            if (!at.has("policy")) {
                String other = at.keys().stream()
                        .filter(each -> NearestName.isMisspelling(each, List.of("policy")))
                        .findFirst()
                        .map(each -> "; did you mean it by '" + each + "'?")
                        .orElse("");
                at.at("policy").problem("is missing: key of a policy, e.g. best-fit" + other);
                return new LabelledPolicy("", PolicySpec.of("", parameters));
            }
            key = at.at("policy").requiredText("key of a policy, e.g. best-fit");
            for (String name : at.keys()) {
                if (!List.of("policy", "label").contains(name)) {
                    parameters.put(name, at.at(name).text(""));
                    if (!swept.contains(at.at(name).path())) {
                        told.put(name, at.at(name).text(""));
                    }
                }
            }
            label = at.at("label").text(LabelledPolicy.label(key, told));
        } else {
            key = at.text("");
            label = key;
            int colon = key.indexOf(':');
            if (colon > 0 && policies.names().contains(key.substring(0, colon))) {
                at.problem("parameters of a policy are keys of their own here: {policy: "
                        + key.replaceFirst(":", ", ").replace("=", ": ").replaceAll(",(?! )", ", ") + "}");
                return new LabelledPolicy(label, PolicySpec.of(key, parameters));
            }
        }
        PolicySpec spec = PolicySpec.of(key, parameters);
        try {
            policies.create(spec);
            spec = policies.pinned(spec);
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return new LabelledPolicy(label, spec);
        }
        return new LabelledPolicy(label, told(at, spec, ofWorkload));
    }

    private PolicySpec told(YamlFields at, PolicySpec spec, Map<String, String> ofWorkload) {
        ofWorkload.forEach((name, value) -> {
            if (!spec.parameters().getOrDefault(name, value).equals(value)) {
                at.at(name)
                        .problem("'" + spec.parameters().get(name) + "' contradicts the workload, where it is '" + value
                                + "'; leave it out: the policy gets it from the workload");
            }
        });
        if (ofWorkload.containsValue(EQUAL)) {
            return spec;
        }
        Map<String, String> all = new TreeMap<>(spec.parameters());
        all.putAll(ofWorkload);
        PolicySpec told = PolicySpec.of(spec.name(), all);
        try {
            policies.create(told);
            return told;
        } catch (IllegalArgumentException e) {
            // A policy without parameters about the workload.
            return spec;
        }
    }
}
