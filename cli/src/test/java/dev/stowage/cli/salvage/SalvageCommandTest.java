package dev.stowage.cli.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Operation.Heartbeat;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups and damaged directories, as an operator works on them. */
final class SalvageCommandTest {
    @TempDir
    private Path directory;

    private RaftNode start(Path data) throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(20, Amounts.of(10)))),
                List.of(RequestType.of("small", 1)));
        Setting setting = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.DAYS.toNanos(1));
        RaftNode node = RaftNode.start(NodeSettings.single(data), new Policies(), setting);
        while (!node.status().ready()) {
            Thread.sleep(10);
        }
        return node;
    }

    private Path recorded() throws Exception {
        Path data = directory.resolve("data/n1");
        try (RaftNode node = start(data)) {
            for (int i = 0; i < 40; i++) {
                node.submit(new Submit(
                                "acme",
                                "r" + i,
                                "small",
                                new long[0],
                                new long[0],
                                0,
                                -1,
                                List.of(),
                                ConstraintWords.NONE,
                                0,
                                false,
                                0))
                        .get(10, TimeUnit.MINUTES);
            }
        }
        return data;
    }

    @Test
    void theServersWhoseAgentsMustBeReadyAreCounted() throws Exception {
        Path data = recorded();
        for (int agents = 1; agents <= 2; agents++) {
            try (RaftNode node = start(data)) {
                node.submit(new Heartbeat(Integer.toString(agents), 0, TimeUnit.DAYS.toNanos(1), 0))
                        .get(10, TimeUnit.MINUTES);
            }
            Path fresh = directory.resolve("agents" + agents);
            Program restore = Program.run("restore", data.toString(), "--data", fresh.toString());
            assertThat(restore.code()).as(restore.err()).isZero();
            assertThat(restore.err().replaceAll("\\s+", " "))
                    .contains("warning: have the agents of " + agents + (agents == 1 ? " server" : " servers")
                            + " ready before you start it: leases begin anew");
        }
    }

    /** Said by all that take a state, and by the file itself. */
    @Test
    void whatIsMissingIsTold() throws Exception {
        Path data = recorded();
        Path log;
        try (Stream<Path> files = Files.walk(data)) {
            log = files.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(log);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        bytes[end / 2] ^= 4;
        Files.write(log, bytes);
        Path file = directory.resolve("part.stowage");
        Path fresh = directory.resolve("part");
        Program refused = Program.run("backup", data.toString(), file.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("lacks applied entries", "are missing");
        assertThat(file).doesNotExist();
        assertThat(Program.run("restore", data.toString(), "--data", fresh.toString())
                        .code())
                .isEqualTo(2);
        Program part = Program.run("backup", data.toString(), file.toString(), "--incomplete");
        assertThat(part.code()).isEqualTo(1);
        assertThat(part.err()).contains("INCOMPLETE: entries");
        Program restore = Program.run("restore", file.toString(), "--data", fresh.toString());
        assertThat(restore.code()).isEqualTo(1);
        assertThat(restore.err()).contains("INCOMPLETE: entries");
    }

    @Test
    void aBackupIsRestored() throws Exception {
        Path data = recorded();
        Path file = directory.resolve("monday.stowage");
        Program backup = Program.run("backup", directory.resolve("data").toString(), file.toString());
        assertThat(backup.code()).as(backup.err()).isZero();
        assertThat(backup.err()).contains("40 requests in the system, 40 running, on 20 servers");
        Program twice = Program.run("backup", data.toString(), file.toString());
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err()).contains("exists");
        Path nowhere = directory.resolve("nowhere").resolve("b.stowage");
        assertThat(Program.run("backup", data.toString(), nowhere.toString())
                        .err()
                        .replaceAll("\\n\\s*", " "))
                .contains("b.stowage cannot be written: there is no directory " + nowhere.getParent());
        Path fresh = directory.resolve("fresh");
        Program restore = Program.run("restore", file.toString(), "--data", fresh.toString());
        assertThat(restore.code()).as(restore.err()).isZero();
        assertThat(restore.err())
                .endsWith("\n  stowage serve --data " + fresh + "\n")
                .doesNotContain("agent");
        Path three = directory.resolve("three");
        assertThat(Program.wide("restore", file.toString(), "--data", three.toString(), "--nodes", "3")
                        .err())
                .contains(
                        "write 'data: " + three.toAbsolutePath()
                                + "' into it, with the nodes n1, n2, n3; start each under its own name:\n"
                                + "  stowage serve --config FILE --node n1\n",
                        "\n  stowage serve --data " + three + " --nodes 3\n");
        Program skip = Program.wide(
                "salvage", "skip", fresh.resolve("n1").toString(), "--entry", "3", "--operator", "a", "--why", "x");
        assertThat(skip.err()).contains("cannot be skipped: there is no entry after the newest snapshot, at ");
        assertThat(Program.run("salvage", "inspect", fresh.resolve("n1").toString())
                        .out())
                .contains("not recorded; a node records it when it serves");
        try (RaftNode node = start(fresh.resolve("n1"))) {
            assertThat((int) node.look(state -> state.world().live())).isEqualTo(40);
        }
        byte[] whole = Files.readAllBytes(file);
        Path cut = Files.write(directory.resolve("cut.stowage"), Arrays.copyOf(whole, whole.length * 2 / 3));
        assertThat(Program.wide("restore", cut.toString(), "--data", "x").err())
                .contains(cut + " is damaged or was cut short: its checksum is ")
                .doesNotContain("snapshot");
        assertThat(Program.run("restore", file.toString(), "--data", fresh.toString())
                        .err())
                .contains("is not empty");
        assertThat(Program.run("restore", file.toString(), "--data", "x", "--nodes", "2")
                        .err())
                .contains("--nodes 2 must be 1, 3, 5 or 7");
    }

    @Test
    void aDamagedLogIsLookedAtAndTakenOut() throws Exception {
        Path data = recorded();
        Program whole = Program.run("salvage", "inspect", data.toString());
        assertThat(whole.code()).as(whole.err()).isZero();
        assertThat(whole.out()).contains("The node can go on as it is.");
        damage(data);
        Program inspect = Program.run("salvage", "inspect", data.toString());
        assertThat(inspect.code()).isEqualTo(1);
        assertThat(inspect.out()).contains("is damaged in entry").contains("stowage restore " + data);
        Path fresh = directory.resolve("fresh");
        Program restored = Program.run("restore", data.toString(), "--data", fresh.toString(), "--incomplete");
        assertThat(restored.code()).as(restored.err()).isEqualTo(1);
        assertThat(restored.err()).contains("INCOMPLETE: entries");
        long requests;
        try (RaftNode node = start(fresh.resolve("n1"))) {
            requests = node.look(state -> state.world().live());
        }
        assertThat(requests).isBetween(5L, 35L);
        Path earlier = directory.resolve("earlier");
        Program until =
                Program.run("restore", data.toString(), "--data", earlier.toString(), "--until", "4", "--incomplete");
        assertThat(until.code()).as(until.err()).isZero();
        assertThat(until.err()).contains("log position 4,");
        assertThat(refused(directory.resolve("none").toString())).contains("none");
        assertThat(refused(Files.writeString(directory.resolve("file"), "x").toString(), "--until", "7"))
                .contains("--until needs a data directory");
        assertThat(Program.run("salvage", "skip", data.toString(), "--entry", "3", "--operator", "", "--why", "x")
                        .err())
                .contains("must not be empty");
        assertThat(Program.run("salvage", "inspect", directory.toString()).code())
                .isEqualTo(2);
        assertThat(Program.run("salvage").code()).isEqualTo(2);
    }

    private String refused(String... arguments) {
        List<String> all = new ArrayList<>(List.of("restore"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--data", directory.resolve("never").toString()));
        Program program = Program.run(all.toArray(String[]::new));
        assertThat(program.code()).isEqualTo(2);
        return program.err();
    }

    private static void damage(Path data) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            Path log = all.filter(file -> String.valueOf(file.getFileName()).startsWith("log_"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(log);
            bytes[bytes.length / 2] ^= 4;
            Files.write(log, bytes);
        }
    }
}
