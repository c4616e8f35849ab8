package dev.stowage.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code stowage kube consolidate} refuses before it asks a cluster. */
final class WatchOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--spare 1 | --spare is for --watch",
                "--watch --most 3 | --most is not for --watch: --at-once limits how many are emptied",
                "--watch --open | --open and --carry-out or --watch cannot be combined",
                "--watch --between 25:00-06:00 | --between \"25:00-06:00\" has the time '25:00', must be 0:00 to 24:00",
                "--watch --between night | --between \"night\" must be hours such as \"22:00-06:00\"",
                "--watch --prices no-such-file | --prices no-such-file: no-such-file",
                "--watch --threshold 0 | --threshold 0.0 must be above 0",
                "--watch --spare 0 | --spare 0 must be at least 1",
                "--watch --add much | --add \"much\"",
                "--watch --lease here | --lease here must be NAMESPACE/NAME",
                "--at-once 0 | --at-once 0 must be at least 1, or a percentage up to 100 %",
                "--at-once 101% | --at-once 101% must be at least 1, or a percentage up to 100 %",
                "--at-once x | --at-once x must be at least 1, or a percentage up to 100 %"
            })
    void isRefused(String options, String message) {
        Program program = Program.run(("kube consolidate " + options).split(" ", -1));
        assertThat(program.code()).isEqualTo(2);
        assertThat(program.err().replaceAll("\\s+", " ")).contains(message);
    }

    @Test
    void aKubeconfigThatIsNotThereIsRefused() {
        assertThat(Program.run("kube", "consolidate", "--watch", "--kubeconfig", "no-such")
                        .code())
                .isEqualTo(2);
    }
}
