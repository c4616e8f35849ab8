package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data directories that belong to a service of another size, or are in use. */
final class UsedDirectoryTest {
    @TempDir
    private Path directory;

    /** A service, once all its nodes serve. */
    private Process serve(int nodes, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("serve"));
        command.addAll(List.of(options));
        Path out = directory.resolve("out.txt");
        Process process = ProgramElsewhere.process(command.toArray(String[]::new))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        while (Files.readString(out).split(" serves at ", -1).length <= nodes) {
            assertThat(process.isAlive()).as(Files.readString(out)).isTrue();
            Thread.sleep(50);
        }
        return process;
    }

    @Test
    void aFileIsNoPlaceForData() throws Exception {
        Path file = Files.writeString(directory.resolve("serve.out"), "x");
        for (String nodes : List.of("1", "3")) {
            for (Path data : List.of(file, file.resolve("below"))) {
                Program refused = Program.wide("serve", "--port", "18000", "--nodes", nodes, "--data", data.toString());
                assertThat(refused.code()).as(refused.err()).isEqualTo(2);
                assertThat(refused.err())
                        .contains(file + " is a file; the service's data needs a directory (--data")
                        .doesNotContain("n1");
            }
            Program nowhere = Program.wide("serve", "--port", "18000", "--nodes", nodes, "--data", "/proc/x");
            assertThat(nowhere.code()).as(nowhere.err()).isEqualTo(2);
            assertThat(nowhere.err()).contains("no directory can be created in /proc");
        }
    }

    @Test
    void otherFilesThereAreSaid() throws IOException {
        assertThat(UsedDirectory.others(directory, "n1")).isEmpty();
        Files.createDirectories(directory.resolve("n1"));
        assertThat(UsedDirectory.others(directory, "n1")).isEmpty();
        Files.writeString(directory.resolve("run-bf-js.log"), "x");
        assertThat(UsedDirectory.others(directory, "n1")).isEqualTo("run-bf-js.log");
    }

    /** As where another program takes the port between the check and the start: both ports are the same here. */
    @Test
    void aStartThatLosesItsPortSaysSo() throws Exception {
        int port = FreePorts.one();
        Path file = Files.writeString(
                directory.resolve("same.yaml"),
                "nodes: [{id: n1, api: \"localhost:" + port + "\", raft: \"127.0.0.1:" + port
                        + "\"}]\ndata: new/data\ncluster: {servers: {count: 3, cpu: 8, memory: 8 GiB}}\n");
        Program lost = Program.run("serve", "--config", file.toString());
        assertThat(lost.code()).isEqualTo(1);
        assertThat(lost.err())
                .isEqualToNormalizingWhitespace("stowage: port " + port
                        + " is in use, perhaps by another 'stowage serve'; choose another for node n1 in " + file);
    }

    /** A group in the directory of a single node never served and left its files there; so the other way round. */
    @Test
    void aDirectoryIsOfOneNodeOrOfAGroup() throws Exception {
        Path unused = restored();
    }

    /** The directory of a group of three, from a backup of a single node's. */
    private Path restored() throws Exception {
        Process one = serve(1, "--port", "0", "--data", "one");
        Path data = directory.resolve("one");
        for (boolean running : List.of(true, false)) {
            Program group = Program.run("serve", "--nodes", "3", "--data", data.toString());
            assertThat(group.code()).isEqualTo(2);
            assertThat(group.err().replaceAll("\\s+", " "))
                    .contains(data + " holds a single node", "stowage backup " + data.resolve("n1"));
            try (var files = Files.list(data)) {
                assertThat(files).containsExactly(data.resolve("n1"));
            }
            if (running) {
                one.destroy();
                one.waitFor();
            }
        }
        String file = "nodes:\n";
        for (int node = 1; node <= 3; node++) {
            file += "  - {id: n%d, api: \"127.0.0.1:741%d\", raft: \"127.0.0.1:751%d\"}%n".formatted(node, node, node);
        }
        Path configured = directory.resolve("group.yaml");
        Files.writeString(configured, file + "data: one\ncluster: {servers: {count: 3, cpu: 8}}\n");
        Program node = Program.run("serve", "--config", configured.toString(), "--node", "n1", "--bootstrap");
        assertThat(node.code()).isEqualTo(2);
        assertThat(node.err()).contains("holds a single node");

        Path backup = directory.resolve("b.stowage");
        assertThat(Program.run("backup", data.resolve("n1").toString(), backup.toString())
                        .code())
                .isZero();
        Program replay = Program.run("replay", backup.toString());
        assertThat(replay.code()).isEqualTo(2);
        assertThat(replay.err()).contains("is a backup");
        Path three = directory.resolve("three");
        assertThat(Program.run("restore", backup.toString(), "--data", three.toString(), "--nodes", "3")
                        .code())
                .isZero();
        Program single = Program.run("serve", "--data", three.toString());
        assertThat(single.code()).isEqualTo(2);
        assertThat(single.err()).contains("holds a node of a group");
        Program five = Program.run("serve", "--nodes", "5", "--data", three.toString());
        assertThat(five.code()).isEqualTo(2);
        assertThat(five.err().replaceAll("\\s+", " ")).contains("holds n1, n2, n3 and not 5 nodes");
        return three;
    }

    /** Hole: a group was made beside the file, where its nodes did not look, and one that ran was refused. */
    @Test
    void theDataOfAGroupIsWhereItsFileSays() throws Exception {
        int port = FreePorts.inRow(6);
        String file = "nodes:\n";
        for (int node = 1; node <= 3; node++) {
            file += "  - {id: n%d, api: \"127.0.0.1:%d\", raft: \"127.0.0.1:%d\"}%n"
                    .formatted(node, port + node - 1, port + node + 2);
        }
        Path data = Files.createDirectories(directory.resolve("group"));
        Files.writeString(
                data.resolve(UsedDirectory.GROUP),
                file + "data: elsewhere\ncluster: {servers: {count: 3, cpu: 8, memory: 8 GiB}}\n");
        Process group = serve(3, "--nodes", "3", "--data", data.toString(), "--bootstrap");
        Program second = Program.run("serve", "--nodes", "3", "--data", data.toString());
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err().replaceAll("\\s+", " "))
                .contains(data.resolve("elsewhere").resolve("n1") + " is in use by another process");
        group.destroy();
        group.waitFor();
        try (var files = Files.list(data)) {
            assertThat(files).containsExactlyInAnyOrder(data.resolve(UsedDirectory.GROUP), data.resolve("elsewhere"));
        }
        try (var files = Files.list(data.resolve("elsewhere"))) {
            assertThat(files.map(node -> node.getFileName().toString())).containsExactlyInAnyOrder("n1", "n2", "n3");
        }
        assertThat(Files.readString(directory.resolve("out.txt")))
                .contains("  export STOWAGE_AT=127.0.0.1:" + port + ",127.0.0.1:");
    }

    /** ReadmeServiceTest starts a group too. */
    @Test
    @Tag("nightly")
    void aRestoredGroupServesAndKeepsItsDirectory() throws Exception {
        Path three = restored();
        int port = FreePorts.inRow(103);
        Process group =
                serve(3, "--nodes", "3", "--data", "three", "--port", Integer.toString(port), "--policy", "fifo-ff");
        assertThat(UsedDirectory.wrote(three.resolve(UsedDirectory.GROUP))).isTrue();
        // What was typed is named once; of the servers in the file that 'serve' has written, nobody said anything.
        assertThat(Files.readString(directory.resolve("out.txt")))
                .contains("--servers and")
                .doesNotContain("goes on with its own servers (", "goes on with its own policy (");
        Program second = Program.run("serve", "--nodes", "3", "--data", three.toString());
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err()).contains("is in use by another process");
        // The same exit code as of others for what may succeed later.
        Program skip = Program.run(
                "salvage", "skip", three.resolve("n1").toString(), "--entry", "1", "--operator", "o", "--why", "w");
        assertThat(skip.code()).isEqualTo(1);
        assertThat(skip.err()).contains("is in use by another process");
        Program other = Program.run(
                "serve", "--nodes", "3", "--data", directory.resolve("x").toString(), "--port", "" + port);
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err().replaceAll("\\s+", " ")).contains("is in use", "choose others with --port");
        assertThat(directory.resolve("x")).doesNotExist();
        aLeaderIsRemovedOnceAnotherLeads("127.0.0.1:" + port);
        group.destroy();
        group.waitFor();
        assertThat(Program.run("serve", "--data", three.toString()).err()).contains("holds a node of a group");
        assertThat(Program.run("serve", "--nodes", "5", "--data", three.toString())
                        .err())
                .contains("has 3 nodes");
    }

    private static void aLeaderIsRemovedOnceAnotherLeads(String at) {
        Matcher leader = Pattern.compile("(?m)^(n\\d) .* leader ")
                .matcher(Program.run("members", "--at", at).out());
        assertThat(leader.find()).isTrue();
        Program removed = Program.run("members", "--at", at, "--remove", leader.group(1));
        assertThat(removed.code()).as(removed.err()).isZero();
        assertThat(removed.out()).contains("node " + leader.group(1) + ": removed from the group");
        assertThat(Program.run("members", "--at", at).out()).doesNotContain(leader.group(1) + " ");
    }
}
