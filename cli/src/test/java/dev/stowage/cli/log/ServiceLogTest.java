package dev.stowage.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which of the libraries' messages a service logs. */
final class ServiceLogTest {
    private final PrintStream before = System.err;

    @AfterEach
    void asBefore() throws Exception {
        System.setErr(before);
        LogManager.getLogManager().readConfiguration();
    }

    /** Hole: SEVERE only, so a follower that never came back was repeated in silence. */
    @Test
    void warningsOfLibrariesAreWrittenOnce() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        ServiceLog.start(false);
        Logger library = Logger.getLogger("org.apache.ratis.grpc.server.GrpcLogAppender");
        for (int i = 0; i < 100; i++) {
            library.warning("INCONSISTENCY nextIndex=" + i);
            library.info("of no interest");
        }
        Logger.getLogger("dev.stowage.service.raft.Membership").info("what Stowage says itself");
        library.log(Level.WARNING, "lost", new IllegalStateException("no answer", new IOException("refused")));
        List<String> lines = written.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0))
                .contains("\"level\":\"WARNING\"")
                .contains("\"logger\":\"org.apache.ratis.grpc.server.GrpcLogAppender\"")
                .contains("INCONSISTENCY nextIndex=0");
        assertThat(lines.get(1)).contains("what Stowage says itself");
        assertThat(lines.get(2)).contains("IllegalStateException: no answer; caused by java.io.IOException: refused");
    }
}
