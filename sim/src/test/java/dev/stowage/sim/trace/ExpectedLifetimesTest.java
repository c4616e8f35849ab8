package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A column of a table of one's own that says how long requests expect to run. */
final class ExpectedLifetimesTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private LoadedTrace read(String text) throws IOException {
        return TraceReader.read(Files.writeString(directory.resolve("own.csv"), text), ReadOptions.defaults());
    }

    @Test
    void expectedLifetimesOfATableOfOnesOwn() throws IOException {
        LoadedTrace loaded = read("arrival,runtime,cpu,mem_gib,expected_s\n0,5,1,2,7\n1,5,1,2,\n");
        assertThat(loaded.report().lines())
                .anyMatch(line -> line.contains("expected = expected_s in s (guessed)"))
                .noneMatch(line -> line.contains("columns not used"));
        assertThat(loaded.trace().expectedNanos(0)).isEqualTo(7 * SECOND);
        assertThat(loaded.trace().expectedNanos(1)).isZero();
        assertThat(read("arrival,runtime,cpu,Expected lifetime (h)\n0,5,1,2\n")
                        .trace()
                        .expectedNanos(0))
                .isEqualTo(7_200 * SECOND);
        assertThat(read("arrival,runtime,cpu,expected_s\n0,5,1,-2\n" + "3,5,1,1\n".repeat(9))
                        .report()
                        .rowsBad())
                .isEqualTo(1);
    }
}
