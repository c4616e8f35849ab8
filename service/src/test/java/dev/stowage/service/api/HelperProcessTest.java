package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes that end well, badly, too late, or are wanted by nobody. */
final class HelperProcessTest {
    private final ExecutorService executor = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private String run(Duration most, boolean wanted, String script) {
        return new HelperProcess("NO_PLAN", "planned", 1 << 20, most)
                .run(
                        List.of("sh", "-c", script),
                        out -> out.write("a page".getBytes(StandardCharsets.UTF_8)),
                        executor,
                        () -> wanted);
    }

    private Failure failure(Duration most, boolean wanted, String script) {
        return catchThrowableOfType(Failure.class, () -> run(most, wanted, script));
    }

    @Test
    void whatItSaysIsReturned() {
        assertThat(run(Duration.ofDays(1), true, "cat")).isEqualTo("a page");
    }

    @Test
    void itsLastWordIsTheReasonOfItsFailure() {
        Failure failure = failure(Duration.ofDays(1), true, "echo first >&2; echo 'no such policy' >&2; exit 2");
        assertThat(failure.reason()).isEqualTo("NO_PLAN");
        assertThat(failure.code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(failure).hasMessageContaining("not planned: no such policy");
    }

    /** Another try would take as long: the client does not try again. */
    @Test
    void oneThatTakesTooLongIsEndedForGood() {
        Failure failure = failure(Duration.ofSeconds(1), true, "sleep 600");
        assertThat(failure.reason()).isEqualTo("NO_PLAN");
        assertThat(failure.code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(failure).hasMessageContaining("not planned within 1 s");
    }

    @Test
    void oneThatNobodyWantsIsEnded() {
        Failure failure = failure(Duration.ofDays(1), false, "sleep 600");
        assertThat(failure.code()).isEqualTo(Status.Code.CANCELLED);
        assertThat(failure).hasMessageContaining("the caller has disconnected");
    }
}
