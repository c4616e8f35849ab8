package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.Program;
import dev.stowage.sim.experiment.ExperimentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinesOfMistakesTest {
    private static ServiceConfiguration read(String text) {
        return ServiceFile.read("service.yaml", text, Path.of(""));
    }

    /** Of a mistake in a long file only the path was said. */
    @Test
    void aMistakeIsSaidWithItsLine() {
        assertThatThrownBy(() -> read("""
                                # a service
                                nodes:
                                  - {id: n1, api: 127.0.0.1:7411, raft: 127.0.0.1:7511, rft: x}
                                cluster:
                                  servers:
                                    - {count: 2, cpu: 8, memory: 16 GiB}
                                    - count: 1
                                      cpu: 8
                                      memory: 16
                                policy: {polcy: best-fit}
                                limits:
                                  bach: 5
                                """))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("\n  line 3: nodes[0].rft: unknown key; did you mean 'raft'?")
                .hasMessageContaining("\n  line 9: cluster.servers[1].memory: '16'")
                .hasMessageContaining("\n  line 10: policy.policy: is missing: key of a policy, e.g. best-fit; did you"
                        + " mean it by 'polcy'?")
                .hasMessageContaining("\n  line 12: limits.bach: unknown key; did you mean 'batch'?");
        assertThatThrownBy(() -> read("""
                                nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                                cluster: {servers: {count: 2, cpu: 8, memory: 16 GiB}}
                                tenants:
                                  acme: {request: 5, memry: 4 GiB}
                                """))
                .hasMessageContaining("line 4: tenants.acme.request: is not a resource here; did you mean 'requests'?")
                .hasMessageContaining("line 4: tenants.acme.memry: is not a resource here; did you mean 'memory'?");
    }

    /** What an option says stands in no line of the file. */
    @Test
    void aMistakeOfAnOptionHasNoLine(@TempDir Path directory) throws IOException {
        String text = """
                cluster:
                  servers:
                    count: 3
                    cpu: 4
                    memory: wrong
                """;
        String file = Files.writeString(directory.resolve("e.yaml"), text).toString();
        assertThat(Program.run("validate", file).err()).contains("line 5: cluster.servers.memory: 'wrong'");
        for (String set :
                List.of("cluster.servers.memory=bogus", "cluster.servers={count: 1, cpu: 4, memory: bogus}")) {
            assertThat(Program.run("validate", file, "--set", set).err())
                    .as(set)
                    .contains("  cluster.servers.memory: 'bogus'")
                    .doesNotContain("line 5");
        }
    }

    /** Nobody typed --policy. */
    @Test
    void aMistakeInPoliciesOfSetNamesTheirPath() {
        assertThat(Program.run("validate", "quickstart", "--set", "policies=[{policy: gpa-static, choices: 500}]")
                        .err())
                .contains("  policies[0]: policy gpa-static has no parameter")
                .doesNotContain("--policy");
        assertThat(Program.run("run", "quickstart", "--policy", "gpa-static:choices=500")
                        .err())
                .contains("  --policy: policy gpa-static has no parameter");
    }
}
