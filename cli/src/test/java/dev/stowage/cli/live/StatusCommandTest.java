package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StatusCommandTest {
    /** It was said once for each address, and then again for the last. */
    @Test
    void addressesThatFailInTheSameWayAreNamedTogether() {
        Map<String, String> failed = new LinkedHashMap<>();
        failed.put("127.0.0.1:1", "nothing listens at 127.0.0.1:1: start a service");
        failed.put("https://127.0.0.1:2", "nothing listens at 127.0.0.1:2: start a service");
        failed.put("127.0.0.1:3", "TLS failed");
        assertThat(StatusCommand.together(failed))
                .containsExactly(
                        "nothing listens at 127.0.0.1:1, 127.0.0.1:2: start a service", "127.0.0.1:3: TLS failed");
        Program none = Program.run("status", "--at", "127.0.0.1:1,127.0.0.1:2");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).containsOnlyOnce("nothing listens at 127.0.0.1:1, 127.0.0.1:2");
    }

    @Test
    void whyThereIsNoLeader() {
        assertThat(StatusCommand.leaderless(1, Set.of()))
                .isEqualTo("the only node answers and has not elected itself yet");
        assertThat(StatusCommand.leaderless(3, Set.of()))
                .isEqualTo("all 3 nodes answer and have not elected one (yet)");
        assertThat(StatusCommand.leaderless(1, Set.of("n2")))
                .isEqualTo("1 of 2 nodes answer, and a leader needs 2; n2 does not answer");
    }

    /** Of two calls each waited for the whole patience. */
    @Test
    void aReleaseGivesUpOnce() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            long began = System.nanoTime();
            Program release =
                    Program.run("release", "a", "--at", "127.0.0.1:" + silent.getLocalPort(), "--patience", "4 s");
            assertThat(release.code()).isEqualTo(1);
            assertThat(release.err()).contains("no answer");
            // Attempts of 3 s: the last begins within the patience.
            assertThat(System.nanoTime() - began).isLessThan(12_000_000_000L);
        }
    }
}
