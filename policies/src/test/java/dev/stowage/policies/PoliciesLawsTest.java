package dev.stowage.policies;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.testkit.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws that every policy must keep, alone and handing over to one another. */
class PoliciesLawsTest {
    private static final Policies POLICIES = new Policies();

    /** Every policy with every value of its first parameter. */
    static List<PolicySpec> specs() {
        List<PolicySpec> specs = new ArrayList<>();
        for (PolicyInfo info : Policies.all()) {
            if (info.parameters().isEmpty()) {
                specs.add(PolicySpec.of(info.key()));
            } else {
                Parameter first = info.parameters().get(0);
                first.allowed().forEach(value -> specs.add(PolicySpec.of(info.key(), Map.of(first.name(), value))));
            }
        }
        return specs;
    }

    @ParameterizedTest
    @MethodSource("specs")
    void keepsTheLaws(PolicySpec spec) {
        Fuzz.of(getClass(), POLICIES, spec).seeds(40).run();
    }

    @Test
    void keepTheLawsWhenTheyHandOver() {
        Fuzz.of(getClass(), POLICIES, specs().toArray(PolicySpec[]::new))
                .seeds(120)
                .run();
    }
}
