package dev.stowage.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that come through a pipe. */
final class PipedFileTest {
    /** Three of half a server each: two servers. It is read once, and again where it is named again. */
    @Test
    void aTableFromStandardInput() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(
                "Name,vCPU,Memory GB\na,8,64\nb,8,64\nc,8,64\n".getBytes(StandardCharsets.UTF_8)));
        try {
            for (String[] words : new String[][] {{"size", "-"}, {"size", "--trace", "-"}}) {
                String[] all = Arrays.copyOf(words, words.length + 2);
                all[words.length] = "--servers";
                all[words.length + 1] = "16 cores, 128 GiB";
                Program program = Program.wide(all);
                assertThat(program.err()).contains("stdin: 3 rows read");
                assertThat(program.out()).contains("Needed: 2 servers");
            }
            assertThat(Program.wide("bound", "-", "--servers", "2 x 16 cores, 128 GiB")
                            .out())
                    .contains("All of it can run at once");
            assertThat(Program.wide("size", "-").err()).contains("stowage: - (standard input) needs --servers");
        } finally {
            System.setIn(before);
        }
    }

    /** However long the comments before its first key are. */
    @Test
    void howAnExperimentBegins(@TempDir Path directory) throws IOException {
        String comments = "# a comment\n".repeat(4000);
        Path file = directory.resolve("file");
        assertThat(PipedFile.isExperiment(Files.writeString(file, comments + "---\ncluster: {}\n")))
                .isTrue();
        assertThat(PipedFile.isExperiment(Files.writeString(file, comments + "Name,vCPU\n")))
                .isFalse();
    }

    @Test
    void whatIsNoPipeStaysAsItIs() {
        assertThat(PipedFile.of("none.csv")).isEqualTo("none.csv");
        assertThat(PipedFile.of("3 x 16 cores, 128 GiB")).isEqualTo("3 x 16 cores, 128 GiB");
        assertThat(PipedFile.of(".")).isEqualTo(".");
    }
}
