package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.text.Version;
import org.junit.jupiter.api.Test;

final class StowageCommandTest {
    @Test
    void versionNamesTheBuildAndTheJvm() {
        Program version = Program.run("version");

        assertThat(version.code()).isZero();
        assertThat(version.out())
                .startsWith("stowage " + Version.number())
                .contains("Java " + Runtime.version())
                .doesNotContain("${");
    }

    @Test
    void helpGoesToStandardOutput() {
        Program help = Program.run("--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Usage: stowage");
        assertThat(help.err()).isEmpty();
    }

    @Test
    void badUsageIsExitCodeTwo() {
        assertThat(Program.run().code()).isEqualTo(2);
        Program unknown = Program.run("no-such-command");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("no-such-command");
    }
}
