package dev.stowage.kube.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.TestCertificate;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits that the JDK's server takes from properties. Its answers are tested in GuardTest. */
final class GuardServerTest {
    private static final String READING = "sun.net.httpserver.maxReqTime";
    private static final String ANSWERING = "sun.net.httpserver.maxRspTime";

    @TempDir
    Path directory;

    @BeforeEach
    @AfterEach
    void noneIsGiven() {
        System.clearProperty(READING);
        System.clearProperty(ANSWERING);
    }

    @Test
    void aRequestIsGivenUpAfterAWhileUnlessAnotherTimeIsGiven() throws IOException {
        System.setProperty(ANSWERING, "7");
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        TestCertificate.make(directory, "EC", certificate, key);
        GuardSettings settings = new GuardSettings(0, certificate, key, false, "guards", GuardSettings.USUAL_REQUEST);
        try (GuardServer server = new GuardServer(settings, new KubernetesSerialization(), null)) {
            assertThat(server.port()).isPositive();
            assertThat(System.getProperty(READING)).isEqualTo("30");
            assertThat(System.getProperty(ANSWERING)).isEqualTo("7");
        }
    }
}
