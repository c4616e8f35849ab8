package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class StowageCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... args) {
        CommandLine commandLine = StowageCommand.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(args);
    }

    @Test
    void versionNamesTheBuildAndTheJvm() {
        assertThat(execute("version")).isZero();
        assertThat(out.toString())
                .startsWith("stowage " + Version.number())
                .contains("Java " + Runtime.version())
                .doesNotContain("${");
    }

    @Test
    void helpGoesToStandardOutput() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("Usage: stowage");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void badUsageIsExitCodeTwo() {
        assertThat(execute()).isEqualTo(2);
        assertThat(execute("no-such-command")).isEqualTo(2);
        assertThat(err.toString()).contains("no-such-command");
    }
}
