package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Buckets in a time that the test makes. */
final class RateLimitsTest {
    private long now;

    private boolean admitted(RateLimits limits, String tenant) {
        try {
            limits.admit(tenant);
            return true;
        } catch (Failure e) {
            assertThat(e.reason()).isEqualTo("RATE_LIMIT");
            return false;
        }
    }

    @Test
    void aBucketHoldsASecondsWorthAndFillsSteadily() {
        RateLimits limits = new RateLimits("submit", Map.of("acme", 10.0), () -> now);
        int at = 0;
        for (int i = 0; i < 30; i++) {
            at += admitted(limits, "acme") ? 1 : 0;
        }
        // Full at the start: ten.
        assertThat(at).isEqualTo(10);
        // A tenth of a second is one more.
        now += 100_000_000;
        assertThat(admitted(limits, "acme")).isTrue();
        assertThat(admitted(limits, "acme")).isFalse();
        // Nobody else is limited.
        assertThat(admitted(limits, "other")).isTrue();
    }

    @Test
    void inTheLongRunItIsTheRate() {
        long seed = 5;
        Random random = new Random(seed);
        RateLimits limits = new RateLimits("submit", Map.of("*", 3.0, "acme", 100.0), () -> now);
        int acme = 0;
        int other = 0;
        for (int i = 0; i < 100_000; i++) {
            now += random.nextInt(2_000_000);
            acme += admitted(limits, "acme") ? 1 : 0;
            other += admitted(limits, "other") ? 1 : 0;
        }
        // At least rate x time less one, because both ask far more often; at most the full bucket more.
        double seconds = now / 1e9;
        assertThat((double) acme).as("seed %s", seed).isBetween(100 * seconds - 2, 100 * seconds + 100);
        assertThat((double) other).as("seed %s", seed).isBetween(3 * seconds - 2, 3 * seconds + 3);
    }
}
