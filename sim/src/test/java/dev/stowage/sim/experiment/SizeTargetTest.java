package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SizeTargetTest {
    private static final long MINUTE = 60_000_000_000L;

    @Test
    void whatMayMissIt() {
        SizeTarget rejected = SizeTarget.parse("rejected <= 0.1 %");
        assertThat(rejected.allowed(1999)).isEqualTo(1);
        assertThat(rejected.allowed(2000)).isEqualTo(2);
        assertThat(rejected.waitsForEver()).isTrue();
        assertThat(rejected.phrase()).isEqualTo("at most 0.1 % of the requests to be turned away");

        SizeTarget longest = SizeTarget.parse("wait max <= 10 min");
        assertThat(longest.allowed(1_000_000)).isZero();
        assertThat(longest.withinNanos()).isEqualTo(10 * MINUTE);
        assertThat(longest.phrase()).isEqualTo("every request to start within 10 min");

        SizeTarget most = SizeTarget.parse("p99.9 wait ≤ 90 s");
        assertThat(most.allowed(14_999)).isEqualTo(14);
        assertThat(most.withinNanos()).isEqualTo(90_000_000_000L);
        assertThat(most.phrase()).isEqualTo("99.9 % of the requests to start within 90 s");

        SizeTarget waited = SizeTarget.parse("waited <= 1 %");
        assertThat(waited.allowed(250)).isEqualTo(2);
        assertThat(waited.withinNanos()).isZero();
        assertThat(SizeTarget.parse("wait p50 <= 0 s").phrase()).isEqualTo("50 % of the requests to start at once");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wait <= 10 min",
                "wait p98 <= 10 min",
                "wait max >= 10 min",
                "rejected <= 100 %",
                "rejected <= -1 %",
                "rejected <= 10 min",
                "waited <= 0.00000005",
                "wait max <= 10",
                "profit <= 1 %"
            })
    void whatIsNoTarget(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SizeTarget.parse(text));
    }
}
