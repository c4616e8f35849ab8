package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.serve.ServiceConfiguration;
import dev.stowage.cli.serve.ServiceFile;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChangePolicyCommandTest {
    @TempDir
    private Path directory;

    /** The node listens on any ports. */
    @Test
    void aPolicyIsChangedAndAMemberHasItsPort() throws Exception {
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
                nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                cluster: {servers: {count: 2, cpu: 8}}
                """, directory);
        try (RaftNode node = RaftNode.start(NodeSettings.single(directory), new Policies(), service.setting());
                ApiServer api = ApiServer.start(node, ApiSettings.loopback(0))) {
            while (!node.status().ready()) {
                Thread.sleep(10);
            }
            assertThat(run(api, "policy", "first-fit:when-full=queue").out())
                    .isEqualTo("policy: first-fit:when-full=queue from now on\n");
            assertThat(run(api, "status").out()).contains("Policy: first-fit:when-full=queue. ");
            Program unknown = run(api, "policy", "frist-fit");
            assertThat(unknown.code()).isEqualTo(2);
            assertThat(unknown.err()).contains("UNKNOWN_POLICY").contains("first-fit");
            Program wrong = run(api, "policy", "first-fit:when-full=wait");
            assertThat(wrong.code()).isEqualTo(2);
            assertThat(wrong.err()).contains("when-full");
            assertThat(run(api, "members").out()).containsPattern("n1 +n1 +leader +127\\.0\\.0\\.1:[1-9]\\d+ ");
            assertThat(run(api, "get").err()).contains("no such request of the tenant without a name");
            assertThat(run(api, "get", "--state", "running").err().replaceAll("\\s+", " "))
                    .contains("nothing matches among the requests of the tenant without a name");
            run(api, "submit", "long", "--demand", "1 core", "--expected", "2 h");
            assertThat(run(api, "explain", "long").out()).contains("It was submitted as expecting to run 2 h 0 min.");
        }
    }

    private static Program run(ApiServer api, String... command) {
        String[] all = java.util.Arrays.copyOf(command, command.length + 4);
        System.arraycopy(
                new String[] {"--at", "127.0.0.1:" + api.port(), "--patience", "1 d"}, 0, all, command.length, 4);
        return Program.run(all);
    }
}
