package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The example of {@code kube advise} is what {@link ExampleCluster} makes; {@code -Dstowage.docs=write} writes it. */
final class ExampleClusterTest {
    private static final Path FILE = Path.of("src/main/resources/dev/stowage/cli/kube", KubeAdviseCommand.EXAMPLE);

    @Test
    void theFileIsWhatIsMade() throws IOException {
        String made = ExampleCluster.text();
        // Fields may come in any order: that of Map.of differs from run to run.
        ObjectMapper json = new ObjectMapper();
        if ("write".equals(System.getProperty("stowage.docs"))
                && !json.readTree(written()).equals(json.readTree(made))) {
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(FILE))) {
                out.write(made.getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(json.readTree(written())).isEqualTo(json.readTree(made));
    }

    private static byte[] written() throws IOException {
        if (!Files.exists(FILE)) {
            return new byte[0];
        }
        try (InputStream packed = Files.newInputStream(FILE);
                InputStream text = new GZIPInputStream(packed)) {
            return text.readAllBytes();
        }
    }
}
