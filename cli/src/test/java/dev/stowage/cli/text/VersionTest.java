package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

final class VersionTest {
    @Test
    void namesTheCommitAndWhetherItIsAll() {
        assertThat(commit(Map.of("commit", "0123456789ab", "committed", "2026-11-23T12:00:00Z", "changed", "false")))
                .isEqualTo(" (commit 0123456789ab of 2026-11-23T12:00:00Z)");
        assertThat(commit(Map.of("commit", "0123456789ab", "committed", "2026-11-23T12:00:00Z", "changed", "true")))
                .isEqualTo(" (commit 0123456789ab of 2026-11-23T12:00:00Z, with changes)");
    }

    @Test
    void saysNothingOfACommitItDoesNotKnow() {
        assertThat(commit(Map.of("commit", "${stowage.commit}", "changed", "${stowage.changed}")))
                .isEmpty();
        assertThat(commit(Map.of("commit", "", "committed", "", "changed", "true")))
                .isEmpty();
        assertThat(commit(Map.of())).isEmpty();
    }

    private static String commit(Map<String, String> values) {
        Properties properties = new Properties();
        properties.putAll(values);
        return Version.commit(properties);
    }
}
