package dev.stowage.policies;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.testkit.Fuzz;
import dev.stowage.testkit.LawDigests;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The decisions of every policy on random logs, as pinned: the same on every JVM, and in every version. */
class PolicyDigestsTest {
    private static final PolicyFactory POLICIES = new Policies();

    @Test
    void decisionsAreTheSameOnEveryJvm() {
        PolicySpec another = PolicySpec.of("first-fit", Map.of("when-full", "queue"));
        LawDigests.check(
                getClass(),
                PolicyLawsTest.specs()
                        .map(spec -> Fuzz.of(getClass(), POLICIES, spec)
                                .handingOverTo(spec, another)
                                .digest(20))
                        .toList());
    }
}
