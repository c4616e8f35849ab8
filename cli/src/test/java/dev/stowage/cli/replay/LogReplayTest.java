package dev.stowage.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.LogSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a service, replayed from its directory, and the same while it runs. */
final class LogReplayTest {
    @TempDir
    private Path directory;

    /** Two servers of 10, on which three of 8 do not fit: the active policy rejects the third. */
    private void record(long snapshotEntries) throws Exception {
        record(snapshotEntries, null);
    }

    /** The same, with a change of policy before the last round, and a server that is lost in it. */
    private void record(long snapshotEntries, @Nullable PolicySpec last) throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(2, Amounts.of(10)))),
                List.of(RequestType.of("large", 8)));
        Setting setting = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10));
        NodeSettings settings = NodeSettings.single(directory.resolve("n1"))
                .withLog(new LogSettings(
                        LogSettings.USUAL.queue(),
                        LogSettings.USUAL.window(),
                        snapshotEntries,
                        LogSettings.USUAL.checkEvery(),
                        LogSettings.USUAL.electionTimeout()));
        try (RaftNode node = RaftNode.start(settings, new Policies(), setting)) {
            while (!node.status().ready()) {
                Thread.sleep(5);
            }
            for (int round = 0; round < 30; round++) {
                if (round == 29 && last != null) {
                    node.submit(Operation.Change.policy("p", "ann", last)).get();
                }
                for (String id : List.of("a", "b", "c")) {
                    Submit submit = new Submit(
                            "",
                            id + round,
                            "large",
                            new long[0],
                            new long[0],
                            0,
                            -1,
                            List.of(),
                            ConstraintWords.NONE,
                            0,
                            false,
                            0);
                    node.submit(submit).get();
                }
                if (round == 29 && last != null) {
                    Command lost = Command.plain(Command.Kind.LOSE, 0, 0);
                    node.submit(new Operation.Change("l", "ann", "", lost)).get();
                }
                for (String id : List.of("a", "b")) {
                    node.submit(new Release("", id + round)).get();
                }
            }
            node.submit(new Operation.Tick()).get();
        }
    }

    @Test
    void whatHappenedAndWhatOthersWouldHaveDone() throws Exception {
        record(1_000_000);
        Program replay = Program.wide("replay", directory.toString());
        assertThat(replay.code()).as(replay.err()).isZero();
        assertThat(replay.err()).contains("replays to the recorded digests");
        assertThat(replay.out()).contains("best-fit (recorded)").doesNotContain("than came");

        Program other =
                Program.run("replay", directory.resolve("n1").toString(), "--policy", "fifo-ff", "--format", "csv");
        assertThat(other.code()).as(other.err()).isZero();
        List<String> lines = other.out().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("policy,arrived,placed,rejected,gave_up,waiting,running,estimated,");
        assertThat(lines.get(1)).startsWith("best-fit,90,60,30,0,0,0,0,");
        assertThat(lines.get(2)).startsWith("fifo-ff,90,").contains(",0,0,");
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.split(",", -1))
                        .hasSameSizeAs(lines.get(0).split(",", -1)));

        // The thirty that were rejected: those that fifo-ff has placed so far have an estimated end.
        Program table = Program.run("replay", directory.resolve("n1").toString(), "--policy", "fifo-ff,best-fit");
        assertThat(table.out().replaceAll("\\s+", " "))
                .containsPattern("estimated from requests of the same type and demand that it placed \\(Kaplan-Meier\\)"
                        + ": [123]?\\d of 90 \\([0-9.]+ %\\) with fifo-ff\\.");
    }

    /** The row was named after the last policy alone. */
    @Test
    void decisionsOfTwoPoliciesAreNamedAfterBoth() throws Exception {
        record(1_000_000, PolicySpec.of("first-fit", Map.of("when-full", "queue")));
        Program replay = Program.wide("replay", directory.toString(), "--policy", "fifo-ff");
        assertThat(replay.code()).as(replay.err()).isZero();
        assertThat(replay.out().replaceAll("\\s+", " "))
                .contains(" recorded 90 ")
                .contains("Those placed, rejected, given up and still waiting add up to more than came: a request")
                .containsPattern("Recorded: best-fit, then first-fit:when-full=queue from 20\\S+Z\\.");
    }

    @Test
    void theEndOfALogAlone() throws Exception {
        record(Long.MAX_VALUE);
        String node = directory.resolve("n1").toString();
        Program all = Program.run("replay", node, "--last", "10 d", "--format", "csv");
        assertThat(all.out().lines().toList().get(1)).startsWith("best-fit,90,60,30,");
        // The last entry is a tick, and may have the time of those before it.
        Program end = Program.run("replay", node, "--last", "1 ns", "--policy", "fifo-ff", "--format", "csv");
        assertThat(end.code()).as(end.err()).isZero();
        assertThat(end.out().lines().toList().get(1)).matches("best-fit,[0-5],.*");
        assertThat(Program.run("replay", node, "--last", "soon").err()).contains("--last soon");
        Path recording = directory.resolve("run.log");
        Files.writeString(recording, "stowage-recording 3\n");
        assertThat(Program.run("replay", recording.toString(), "--last", "1h").err())
                .contains("is a recording of a run");
    }

    @Test
    void aLogThatBeginsWithASnapshotIsReplayedFromThere() throws Exception {
        record(20);
        Program replay = Program.wide("replay", directory.toString(), "--policy", "fifo-ff,bf-js");
        assertThat(replay.code()).as(replay.err()).isZero();
        assertThat(replay.out()).contains("best-fit (recorded)").contains("bf-js");
    }

    @Test
    void whatIsNoLogIsSaid() {
        Program replay = Program.wide("replay", directory.toString());
        assertThat(replay.code()).isEqualTo(2);
        assertThat(replay.err()).contains(directory.toString());
    }
}
