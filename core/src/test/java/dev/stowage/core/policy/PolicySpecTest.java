package dev.stowage.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicySpecTest {
    @Test
    void readsAsNameAndSortedParameters() {
        assertThat(PolicySpec.of("bf-js")).hasToString("bf-js");
        assertThat(PolicySpec.of("power-of-d", Map.of("d", "2", "at", "round"))).hasToString("power-of-d:at=round:d=2");
    }

    @Test
    void keepsACopy() {
        Map<String, String> parameters = new HashMap<>(Map.of("d", "2"));
        PolicySpec spec = PolicySpec.of("p", parameters);
        parameters.put("d", "3");
        assertThat(spec).isEqualTo(PolicySpec.of("p", Map.of("d", "2")));
    }
}
