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
        assertThat(Program.run()).isEqualTo(help);
    }

    @Test
    void aMistypedWordIsNamedWithWhatWasProbablyMeant() {
        assertThat(Program.run("rnu").err()).startsWith("stowage: stowage has no command 'rnu'; did you mean run?");
        assertThat(Program.run("run", "--polcy", "bf-js").err())
                .startsWith("stowage: stowage run has no option '--polcy'; did you mean --policy?");
        assertThat(Program.run("run", "--policy", "bestfit").err())
                .contains("--policy: unknown policy \"bestfit\"; did you mean best-fit?");
    }

    @Test
    void badUsageIsExitCodeTwo() {
        Program unknown = Program.run("no-such-command");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("no-such-command");
    }
}
