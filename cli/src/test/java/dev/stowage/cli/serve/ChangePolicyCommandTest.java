package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.sim.result.Remark;
import java.nio.file.Path;
import java.util.List;
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
            assertThat(run(api, "policy").out()).isEqualTo("policy: first-fit:when-full=queue\n");
            assertThat(run(api, "status").out()).contains("Policy: first-fit:when-full=queue.\n");
            Program unknown = run(api, "policy", "frist-fit");
            assertThat(unknown.code()).isEqualTo(2);
            assertThat(unknown.err()).contains("UNKNOWN_POLICY").contains("first-fit");
            Program wrong = run(api, "policy", "first-fit:when-full=wait");
            assertThat(wrong.code()).isEqualTo(2);
            assertThat(wrong.err()).contains("when-full");
            assertThat(run(api, "members").out()).containsPattern("n1 +leader +127\\.0\\.0\\.1:[1-9]\\d+ ");
            assertThat(run(api, "members", "--leader", "n1").out()).isEqualTo("node n1: leads already\n");
            Program stranger = run(api, "members", "--leader", "n9");
            assertThat(stranger.code()).isEqualTo(2);
            assertThat(stranger.err()).contains("node 'n9' is not a member of the group");
            assertThat(run(api, "get").err()).contains("no such request of the tenant without a name");
            assertThat(run(api, "get", "--state", "running").err().replaceAll("\\s+", " "))
                    .contains("nothing matches among the requests of the tenant without a name");
            assertThat(run(api, "confirm", "long").err()).contains("say what happened to long: --started, ");
            assertThat(service.notes())
                    .extracting(Remark::toString)
                    .contains("the servers have no memory, so memory is not looked at");
            run(api, "submit", "long", "--demand", "1 core", "--expected", "2 h");
            assertThat(run(api, "explain", "long").out()).contains("It was submitted as expecting to run 2 h 0 min.");
        }
    }

    @Test
    void whatAChangeRejectsIsTold() throws Exception {
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
                nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                cluster: {servers: {count: 2, cpu: 8, memory: 32 GiB}}
                policy: {policy: best-fit, when-full: queue}
                """, directory);
        try (RaftNode node = RaftNode.start(NodeSettings.single(directory), new Policies(), service.setting());
                ApiServer api = ApiServer.start(node, ApiSettings.loopback(0))) {
            while (!node.status().ready()) {
                Thread.sleep(10);
            }
            for (String id : List.of("a", "b", "waits-1", "waits-2")) {
                run(api, "submit", id, "--demand", "8 cores, 1 GiB");
            }
            Program rejects = run(api, "policy", "first-fit");
            assertThat(rejects.out())
                    .isEqualToNormalizingWhitespace("policy: first-fit from now on. Of what waited and"
                            + " found no place, up to 2 requests were rejected (the service rejected so many meanwhile;"
                            + " some may have another cause)");
            assertThat(rejects.err().replaceAll("\\s+", " "))
                    .contains(
                            "warning: what was rejected stays so; to let requests wait from now on, run 'stowage policy"
                                    + " first-fit:when-full=queue', then submit the rejected ones again under other ids");
            assertThat(run(api, "get", "--state", "waiting").out()).doesNotContain("waits-");
            assertThat(run(api, "servers", "--lost", "1").out())
                    .isEqualToNormalizingWhitespace("server 1: lost; what ran there is placed again, waits for room or,"
                            + " where the policy rejects, is rejected. Of what ran there or waited, up to 1 request was rejected"
                            + " (the service rejected so many meanwhile; some may have another cause)");
            Program large = run(api, "submit", "large", "--demand", "8 cores, 64 GiB");
            assertThat(large.code()).isEqualTo(3);
            assertThat(large.err())
                    .isEqualToNormalizingWhitespace("stowage: FITS_NO_SERVER: no server that is there, even empty, can"
                            + " hold 8 vCPU / 64 GiB; 1 server is gone (lost or removed) and does not count;"
                            + " nothing of the request is kept, so its id may be used again");
            assertThat(run(api, "servers", "resize", "0", "8 cores").err())
                    .isEqualToNormalizingWhitespace("stowage: AMOUNTS \"8 cores\" names no memory: say all that the"
                            + " server has, also what does not change");
            run(api, "policy", "first-fit:when-full=queue");
            assertThat(run(api, "servers", "--lost", "0").out())
                    .contains("waits for room")
                    .doesNotContain("rejected. ");
            Program quiet = run(api, "policy", "best-fit:when-full=queue");
            assertThat(quiet.out()).isEqualTo("policy: best-fit:when-full=queue from now on\n");
            assertThat(quiet.err()).isEmpty();
        }
    }

    @Test
    void quotasAreSetListedAndRemoved() throws Exception {
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
                nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                cluster: {servers: {count: 2, cpu: 8, memory: 32 GiB}}
                """, directory);
        assertThat(service.notes()).isEmpty();
        try (RaftNode node = RaftNode.start(NodeSettings.single(directory), new Policies(), service.setting());
                ApiServer api = ApiServer.start(node, ApiSettings.loopback(0))) {
            while (!node.status().ready()) {
                Thread.sleep(10);
            }
            assertThat(run(api, "quota").out()).isEqualTo("No tenant has a quota.\n");
            assertThat(run(api, "quota", "acme", "4 cores, 16 GiB", "--requests", "1000")
                            .out())
                    .isEqualTo("tenant acme: at most 1,000 requests, 4 vCPU, 16 GiB\n");
            run(api, "submit", "a", "--demand", "3 cores, 2 GiB", "--tenant", "acme");
            assertThat(run(api, "submit", "b", "--demand", "3 cores, 2 GiB", "--tenant", "acme")
                            .err())
                    .contains("OVER_QUOTA");
            assertThat(run(api, "submit", "b", "--demand", "5 cores, 2 GiB", "--tenant", "acme")
                            .err())
                    .isEqualToNormalizingWhitespace("stowage: BEYOND_QUOTA: tenant 'acme' may have 4 vCPU in all, and"
                            + " asks for 5 vCPU at once; no release makes room for it: ask for less, or an operator for"
                            + " more");
            assertThat(run(api, "quota", "*", "--requests", "1").out())
                    .isEqualTo("every tenant without a quota of its own: at most 1 request\n");
            run(api, "submit", "c", "--demand", "1 core, 1 GiB", "--tenant", "beta");
            assertThat(run(api, "quota").out())
                    .containsPattern("\\* +- +at most 1 +no limit +no limit")
                    .containsPattern("beta +that of \\* +1 of 1 +1 vCPU +1 GiB")
                    .containsPattern("acme +own +1 of 1,000 +3 vCPU of 4 vCPU +2 GiB of 16 GiB")
                    .contains("In use, of the most");
            assertThat(run(api, "quota", "acme", "4 cores").out())
                    .isEqualTo("tenant acme: at most 4 vCPU. Earlier limits removed: 1,000 requests, 16 GiB\n");
            assertThat(run(api, "quota", "acme", "--unlimited").out())
                    .isEqualTo("tenant acme: no limit from now on, whatever the quota of *\n");
            assertThat(run(api, "-q", "quota", "acme").out())
                    .containsPattern("acme +own +1 +3 vCPU +2 GiB")
                    .doesNotContain("In use");
            assertThat(run(api, "quota", "acme", "--format", "json").out())
                    .contains("\"liveRequests\":\"1\"")
                    .contains("\"quotaOf\":\"\"");
            assertThat(run(api, "quota", "beta", "--format", "json").out())
                    .contains("\"quotaOf\":\"*\"", "\"requests\":\"1\"");
            for (Program wrong : List.of(
                    run(api, "quota", "--unlimited"),
                    run(api, "quota", "acme", "--unlimited", "--requests", "1"),
                    run(api, "quota", "acme", "slots=3"),
                    run(api, "quota", "acme", "--requests", "-1"))) {
                assertThat(wrong.code()).as(wrong.err()).isEqualTo(2);
            }
        }
    }

    private static Program run(ApiServer api, String... command) {
        String[] all = java.util.Arrays.copyOf(command, command.length + 4);
        System.arraycopy(
                new String[] {"--at", "127.0.0.1:" + api.port(), "--patience", "1 d"}, 0, all, command.length, 4);
        return Program.run(all);
    }
}
