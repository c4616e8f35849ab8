package dev.stowage.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that some of the policies that are compared by default cannot place. */
final class UsualPoliciesTest {
    @TempDir
    Path directory;

    @Test
    void thoseThatCannotPlaceTheRequestsAreLeftOut() throws IOException {
        String list = Files.writeString(
                        directory.resolve("p.csv"),
                        "name,arrival_s,duration_s,cpu,priority\na,0,100,4,0\nb,1,100,4,1\nc,2,100,2,0\n")
                .toString();
        for (List<String> command : List.of(
                List.of("size"), List.of("recommend"), List.of("run", "--out", directory.resolve("out") + ""))) {
            Program program = program(command, list, "priority=priority");
            assertThat(program.code()).as("%s: %s", command, program.err()).isZero();
            assertThat(program.err())
                    .contains("of the default policies not compared, as they do not support priorities (request 'b':"
                            + " priority 1): fifo-ff, bf-js\n");
            assertThat(program.out()).contains("first-fit");
        }
        assertThat(program(List.of("size"), list, "priority=").err()).doesNotContain("not compared");
        Program asked =
                program(List.of("size", "--policy", "bf-js", "--policy", "best-fit"), list, "priority=priority");
        assertThat(asked.code()).isEqualTo(2);
        assertThat(asked.err()).contains("--policy: 'bf-js' does not support priorities (request 'b': priority 1)");
    }

    @Test
    void policiesThatAreSetAreNotTheDefaultOnes() throws IOException {
        String list = Files.writeString(
                        directory.resolve("p.csv"),
                        "name,arrival_s,duration_s,cpu,priority\na,0,100,4,0\nb,1,100,4,1\nc,2,100,2,0\n")
                .toString();
        for (String set : List.of(
                "policies=[bf-js,first-fit,best-fit,fifo-ff]",
                "policies=[first-fit,best-fit,lifetime-classes,fgd,bf-js]",
                "policies[1].policy=bf-js")) {
            Program asked = program(
                    List.of("run", "--set", set, "--out", directory.resolve("set") + ""), list, "priority=priority");
            assertThat(asked.code()).as(asked.err()).isEqualTo(2);
            assertThat(asked.err())
                    .contains("'bf-js' does not support priorities (request 'b': priority 1); these do: ")
                    .doesNotContain("default policies");
        }
    }

    private static Program program(List<String> command, String list, String priority) {
        return Program.wide(Stream.concat(
                        command.stream(),
                        Stream.of(list, "--columns", "cpu=cpu:cores," + priority, "--servers", "2 x 8 cores"))
                .toArray(String[]::new));
    }
}
