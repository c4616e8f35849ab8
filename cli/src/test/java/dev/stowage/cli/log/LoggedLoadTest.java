package dev.stowage.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a service as a trace, and the question of how many servers it needed. */
final class LoggedLoadTest {
    @TempDir
    private Path directory;

    private Path data = Path.of("");

    /** Two servers of 10 cores at a time take a and b, of 8, and turn c away; the last round goes on. */
    @BeforeEach
    void record() throws Exception {
        data = directory.resolve("data");
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(2, Amounts.of(10_000)))),
                List.of());
        Setting setting = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10));
        try (RaftNode node = RaftNode.start(NodeSettings.single(data), new Policies(), setting)) {
            while (!node.status().ready()) {
                Thread.sleep(5);
            }
            for (int round = 0; round < 10; round++) {
                for (String id : List.of("a", "b", "c")) {
                    node.submit(new Submit(
                                    "",
                                    id + round,
                                    "",
                                    new long[] {8000},
                                    new long[0],
                                    0,
                                    -1,
                                    List.of(),
                                    ConstraintWords.NONE,
                                    0,
                                    false,
                                    0))
                            .get();
                }
                for (String id : round < 9 ? List.of("a", "b") : List.<String>of()) {
                    node.submit(new Release("", id + round)).get();
                }
            }
        }
    }

    @Test
    void everyRequestIsThereAndSoAreTheServers() {
        LoggedLoad load = LoggedLoad.read(data);
        assertThat(load).isNotNull();
        assertThat(load.requests().size()).isEqualTo(30);
        assertThat(load.requests().resources()).containsExactly("cpu_milli");
        assertThat(load.requests().arrivalNanos(0)).isZero();
        for (int i = 0; i < 30; i++) {
            assertThat(load.requests().demand(i, 0)).isEqualTo(8000);
            assertThat(load.requests().durationNanos(i)).isPositive();
        }
        // Ten were turned away and two run still.
        assertThat(load.notes()).singleElement().asString().contains("30 requests", "12 of them (40.0 %)");
        assertThat(load.servers())
                .hasToString("{\"sites\":[{\"name\":\"here\",\"servers\":[{\"count\":2,\"cpu_milli\":10000}]}]}");
        assertThat(LoggedLoad.read(directory.resolve("none"))).isNull();
    }

    @Test
    void howManyServersItWouldHaveTaken() throws Exception {
        Program size = Program.run(
                "size",
                "--from",
                data.toString(),
                "--policy",
                "best-fit",
                "--target",
                "rejected <= 0",
                "--format",
                "csv");
        assertThat(size.code()).as(size.err()).isZero();
        assertThat(size.err()).contains("30 requests of the log");
        // c comes while a and b run; more are needed where it is taken to run for longer than a round.
        assertThat(size.out()).containsPattern("best-fit,given,0,([3-9]|[12][0-9]),");

        Path trace = directory.resolve("t.csv");
        assertThat(Program.run("trace", "convert", data.toString(), trace.toString())
                        .code())
                .isZero();
        assertThat(Files.readAllLines(trace)).hasSize(31).first().isEqualTo("arrival_s,duration_s,cpu_milli");
    }

    @Test
    void whatIsNoLogIsRefused() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        refused("neither a time nor the data directory", "size", "--from", empty.toString());
        refused(
                "there is no directory of that name",
                "size",
                "--from",
                directory.resolve("no").toString());
        refused("leave out --trace", "size", "--from", data.toString(), "--trace", "t.csv");
        refused("is a directory, but must be a time here", "run", "--from", data.toString());
    }

    private static void refused(String why, String... call) {
        Program program = Program.run(call);
        assertThat(program.code()).isEqualTo(2);
        assertThat(program.err()).contains(why);
    }
}
