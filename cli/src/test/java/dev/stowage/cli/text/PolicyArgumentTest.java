package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Policies on the command line. */
final class PolicyArgumentTest {
    @Test
    void parametersAreSeparatedByColons() {
        assertThat(PolicyArgument.parse("best-fit:when-full=queue:score=even").parameters())
                .isEqualTo(Map.of("when-full", "queue", "score", "even"));
        assertThatThrownBy(() -> PolicyArgument.parse("best-fit:when-full=queue,score=even"))
                .isInstanceOf(BadInputException.class)
                .hasMessage("policy 'best-fit:when-full=queue,score=even': parameters are separated by ':', as in"
                        + " best-fit:when-full=queue:score=even");
    }
}
