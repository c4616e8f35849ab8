package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage kube schedule} without an API server that answers. */
final class KubeScheduleTest {
    private static final Pattern METRICS = Pattern.compile("metrics at (http://(.+):(\\d+)/metrics)");

    @TempDir
    private Path directory;

    private Path kubeconfig() throws IOException {
        return Files.writeString(directory.resolve("config"), """
                {"apiVersion": "v1", "kind": "Config", "current-context": "c",
                 "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}],
                 "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                 "users": [{"name": "u", "user": {}}]}
                """);
    }

    /** It said 127.0.0.1 and listened on all addresses. */
    @Test
    void itListensWhereItSays() throws Exception {
        Process process = ProgramElsewhere.process(
                        "kube",
                        "schedule",
                        "--listen",
                        "127.0.0.1:0",
                        "--kubeconfig",
                        kubeconfig().toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder said = new StringBuilder();
            Matcher metrics = METRICS.matcher("");
            for (String line = lines.readLine(); line != null && !metrics.find(); line = lines.readLine()) {
                said.append(line.strip()).append(' ');
                metrics = METRICS.matcher(said);
            }
            metrics.reset();
            assertThat(metrics.find()).as(said.toString()).isTrue();
            assertThat(metrics.group(2)).isEqualTo("127.0.0.1");
            try (var page = URI.create(metrics.group(1)).toURL().openStream()) {
                assertThat(page.readAllBytes()).isNotEmpty();
            }
            int port = Integer.parseInt(metrics.group(3));
            assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.2"), port))
                    .isInstanceOf(ConnectException.class);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void anAddressIsRefusedByName() {
        for (String wrong : new String[] {"7480", "127.0.0.1:70000", "127.0.0.1:", ":1"}) {
            Program refused = Program.run("kube", "schedule", "--listen", wrong);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err().replaceAll("\\s+", " "))
                    .contains("--listen " + wrong + " must be ADDRESS:PORT, such as 127.0.0.1:8000");
        }
    }
}
