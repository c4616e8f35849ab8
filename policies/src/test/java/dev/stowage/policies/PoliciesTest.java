package dev.stowage.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoliciesTest {
    private final Policies policies = new Policies();

    @Test
    void makesEveryPolicyWithItsDefaults() {
        assertThat(Policies.all())
                .extracting(PolicyInfo::key)
                .doesNotHaveDuplicates()
                .contains("first-fit", "ontapra");
        for (PolicyInfo info : Policies.all()) {
            assertThat(policies.create(PolicySpec.of(info.key()))).isNotNull();
            assertThat(info.summary()).isNotBlank();
            assertThat(info.paper()).isNotBlank();
            assertThat(info.guarantee()).isNotBlank();
        }
    }

    /** Its proof is for slotted time; in continuous time randomized figure 1 shows it unstable at high load. */
    @Test
    void maxWeightPromisesStabilityInSlottedTimeOnly() {
        PolicyInfo maxWeight = Policies.all().stream()
                .filter(info -> info.key().equals("max-weight"))
                .findFirst()
                .orElseThrow();
        assertThat(maxWeight.guarantee())
                .startsWith("in slotted time only")
                .contains("In continuous time global is unstable at high load");
    }

    @Test
    void makesEveryPolicyWithEveryValue() {
        for (PolicyInfo info : Policies.all()) {
            for (Parameter parameter : info.parameters()) {
                for (String value : parameter.samples()) {
                    assertThat(policies.create(PolicySpec.of(info.key(), Map.of(parameter.name(), value))))
                            .isNotNull();
                }
            }
        }
    }

    @Test
    void unknownPolicy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies.create(PolicySpec.of("bestfit")))
                .withMessage(
                        "unknown policy \"bestfit\"; did you mean best-fit? 'stowage policies' lists all; one of your own needs --plugins JAR");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies.create(PolicySpec.of("quantum-annealing")))
                .withMessageMatching("unknown policy \"quantum-annealing\"; known: ([a-z-]+, ){9}[a-z-]+ and "
                        + (Policies.all().size() - 10)
                        + " more. 'stowage policies' lists all; one of your own needs --plugins JAR");
    }

    @Test
    void unknownParameter() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies.create(PolicySpec.of("best-fit", Map.of("when_full", "queue"))))
                .withMessage("policy best-fit has no parameter \"when_full\"; it has when-full, score;"
                        + " did you mean when-full?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies.create(PolicySpec.of("fifo-ff", Map.of("score", "mix"))))
                .withMessage("policy fifo-ff has no parameter \"score\"; it has none");
    }

    @Test
    void valueThatIsNotAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies.create(PolicySpec.of("bf-j", Map.of("score", "Leftovers"))))
                .withMessage("parameter score of policy bf-j is \"Leftovers\";"
                        + " allowed: occupied | available | mix | leftover | even; did you mean leftover?");
    }
}
