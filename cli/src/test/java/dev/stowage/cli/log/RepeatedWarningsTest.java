package dev.stowage.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** Libraries' warnings, with the test's own clock. */
final class RepeatedWarningsTest {
    private static final long SECOND = 1_000_000_000L;
    private long now;
    private final RepeatedWarnings filter = new RepeatedWarnings(() -> now);

    private static LogRecord record(String logger, String message) {
        LogRecord record = new LogRecord(Level.WARNING, message);
        record.setLoggerName(logger);
        return record;
    }

    private boolean let(String logger, String message) {
        return filter.isLoggable(record(logger, message));
    }

    @Test
    void theFirstOfEachKindIsWrittenAndThenHowManyFollowed() {
        assertThat(let("org.ratis", "n1: INCONSISTENCY, nextIndex 17")).isTrue();
        for (int i = 0; i < 1000; i++) {
            assertThat(let("org.ratis", "n1: INCONSISTENCY, nextIndex " + i)).isFalse();
        }
        assertThat(let("org.ratis", "n1: something else")).isTrue();
        assertThat(let("io.netty", "n1: INCONSISTENCY, nextIndex 17")).isTrue();
        now += 60 * SECOND;
        LogRecord next = record("org.ratis", "n1: INCONSISTENCY, nextIndex 18");
        assertThat(filter.isLoggable(next)).isTrue();
        assertThat(next.getParameters()).containsExactly(Map.of("like_this_before", 1000L));
    }

    /** The limit on all messages holds for any number of kinds, because callers may influence the texts. */
    @Test
    void allTogetherAreFew() {
        int written = 0;
        for (int i = 0; i < 5000; i++) {
            written += let("org.ratis", "a".repeat(1 + i % 100) + "x".repeat(1 + i / 100)) ? 1 : 0;
        }
        assertThat(written).isEqualTo(60);
        now += 60 * SECOND;
        LogRecord next = record("org.ratis", "new");
        assertThat(filter.isLoggable(next)).isTrue();
        assertThat(next.getParameters()).containsExactly(Map.of("others_left_out", 4940L));
    }

    @Test
    void whatStowageSaysIsNotHeldBack() {
        for (int i = 0; i < 1000; i++) {
            assertThat(let("dev.stowage.service.calls", "the same")).isTrue();
        }
    }
}
