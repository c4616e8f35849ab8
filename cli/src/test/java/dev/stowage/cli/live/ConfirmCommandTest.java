package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.serve.ServiceConfiguration;
import dev.stowage.cli.serve.ServiceFile;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code stowage confirm}, and the output of other commands about it, against a service whose policy moves and resizes.
 */
final class ConfirmCommandTest {
    @TempDir
    private static Path directory;

    private static RaftNode node;
    private static ApiServer api;

    /**
     * Places on server 0. When a request leaves, the first that runs there goes to server 1; on 1 it gets one unit
     * more.
     */
    private static final class Mover implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.place(job, 0, "on the first");
        }

        @Override
        public void left(int job, int from, View view, Actions actions) {
            int onFirst = view.firstOn(0);
            int onSecond = view.firstOn(1);
            if (onFirst >= 0) {
                actions.migrate(onFirst, 1, "to the second");
            } else if (onSecond >= 0) {
                actions.allocate(onSecond, view.share(onSecond) + 1);
            }
        }
    }

    @BeforeAll
    static void start() throws Exception {
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
                nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                cluster: {servers: {count: 2, cpu: 48, memory: 128 GiB}, divisible: cpu}
                types: [{name: small, demand: {cpu: 1, memory: 2 GiB}}]
                """, directory);
        node = RaftNode.start(NodeSettings.single(directory), spec -> new Mover(), service.setting());
        api = ApiServer.start(node, ApiSettings.loopback(0));
        while (!node.status().ready() || !node.leads()) {
            Thread.sleep(10);
        }
    }

    @AfterAll
    static void stop() {
        api.close();
        node.close();
    }

    private static Program run(String command) {
        return Program.wide((command + " --tenant acme --patience 1d --at 127.0.0.1:" + api.port()).split(" "));
    }

    private static String position(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    private static String unconfirmed() {
        String status = Program.run("status", "--at", "127.0.0.1:" + api.port(), "--format", "json")
                .out();
        return position("\"unconfirmedRequests\":\"(\\d+)\"", status);
    }

    @Test
    void aMigrationAndAResizeAreShownAndConfirmed() {
        assertThat(run("submit a --type small").out()).doesNotContain("to confirm");
        assertThat(Program.run("servers", "--at", "127.0.0.1:" + api.port()).out())
                .doesNotContain("onfirm");
        run("submit b --type small");
        run("release b");
        String shown = run("get a").out();
        String at = position("migration (\\d+): server 0 to 1, holds 1000", shown);
        assertThat(shown).contains("to confirm");
        assertThat(Program.run("servers", "--at", "127.0.0.1:" + api.port()).out())
                .containsPattern("running +to confirm +capacity")
                .containsPattern("0 +default +up +0 +1 +48")
                .containsPattern("1 +default +up +1 +1 +48")
                .contains("A migration counts at both servers.");
        assertThat(unconfirmed()).isEqualTo("1");
        assertThat(Program.run("status", "--at", "127.0.0.1:" + api.port()).out())
                .contains("to confirm");
        assertThat(run("watch --after -1 --count 4").out()).contains("to confirm: migration " + at);

        Program wrongKind = run("confirm a --resize " + at);
        assertThat(wrongKind.code()).isEqualTo(1);
        assertThat(wrongKind.err()).contains("stowage: NO_SUCH_EFFECT");
        assertThat(run("confirm nobody --migration " + at).err()).contains("stowage: NOT_FOUND");
        assertThat(run("confirm a --migration -1").err()).contains("BAD_POSITION");
        assertThat(run("confirm a --migration 0").err()).contains("SUPERSEDED");
        assertThat(run("confirm a").code()).isEqualTo(2);
        assertThat(run("confirm a --migration 1 --resize 1").code()).isEqualTo(2);
        assertThat(run("confirm a --migration soon").code()).isEqualTo(2);
        assertThat(unconfirmed()).isEqualTo("1");

        Program confirmed = run("confirm a --migration " + at);
        assertThat(confirmed.code()).isZero();
        assertThat(confirmed.out()).contains("running").doesNotContain("to confirm");
        assertThat(unconfirmed()).isEqualTo("0");
        // An agent that did not get the answer retries.
        assertThat(run("confirm a --migration " + at).out()).isEqualTo(confirmed.out());

        run("submit c --type small");
        run("release c");
        String then = position("resize (\\d+), holds 1001", run("get a").out());
        assertThat(run("confirm a --format json --resize " + then).out())
                .contains("\"allocation\":\"1001\"")
                .doesNotContain("\"unconfirmed\":");
    }
}
