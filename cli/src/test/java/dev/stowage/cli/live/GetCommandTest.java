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

class GetCommandTest {
    @TempDir
    private Path directory;

    @Test
    void ofOneThatWaitsTheCommandThatSaysWhyIsNamed() throws Exception {
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
                nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                cluster: {servers: {count: 1, cpu: 4, memory: 8 GiB}}
                policy: {policy: best-fit, when-full: queue}
                """, directory);
        try (RaftNode node = RaftNode.start(NodeSettings.single(directory), new Policies(), service.setting());
                ApiServer api = ApiServer.start(node, ApiSettings.loopback(0))) {
            while (!node.status().ready() || !node.leads()) {
                Thread.sleep(10);
            }
            String more = " --tenant acme --at 127.0.0.1:" + api.port();
            for (String id : new String[] {"runs", "waits", "later"}) {
                run("submit " + id + " --demand 4cores" + more);
            }
            String how = " waits for, and when it will probably start: stowage explain ";
            assertThat(run("get runs" + more)).contains("running").doesNotContain(how);
            assertThat(run("get runs waits later" + more))
                    .containsOnlyOnce(how)
                    .contains("What waits" + how + "waits --tenant acme --at 127.0.0.1:" + api.port());
            assertThat(run("get later --format json" + more))
                    .contains("WAITING")
                    .doesNotContain(how);
        }
    }

    private static String run(String command) {
        return Program.wide(command.split(" ")).out();
    }
}
