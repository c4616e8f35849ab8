package dev.stowage.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LoadSourceTest {
    /** The last of n arrives after a time of mean n / rate and standard deviation sqrt(n) / rate: within 6 of it. */
    @Test
    void generatedRequestsComeAtTheirRate() {
        for (long seed = 0; seed < 20; seed++) {
            LoadSource source = LoadSource.generated(300, 200_000_000, seed);
            for (int i = 1; i < 10_000; i++) {
                source.next();
            }
            double seconds = source.next().dueNanos() / 1e9;
            assertThat(seconds).isBetween((10_000 - 6 * 100) / 300.0, (10_000 + 6 * 100) / 300.0);
        }
    }
}
