package dev.stowage.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorded run of a trace under other policies: the same requests as the trace has, the last one too. */
final class OtherPoliciesTest {
    private static final String REQUESTS = """
            id,arrival,duration,cpu
            a,0,100,4
            b,10,100,4
            c,20,100,4
            d,30,100,4
            e,40,100,4
            """;

    @TempDir
    private Path directory;

    private Path log;

    @BeforeEach
    void record() throws IOException {
        log = directory.resolve("run.log");
        assertThat(run("first-fit", "recorded", "--record", log.toString()).code())
                .isZero();
    }

    private Program run(String policy, String out, String... more) throws IOException {
        Path trace = Files.writeString(directory.resolve("requests.csv"), REQUESTS);
        return Program.run(java.util.stream.Stream.concat(
                        List.of(
                                "run",
                                "--trace",
                                trace.toString(),
                                "--servers",
                                "2 x 4 cores",
                                "--policy",
                                policy,
                                "--no-report",
                                "--out",
                                directory.resolve(out).toString())
                                .stream(),
                        List.of(more).stream())
                .toArray(String[]::new));
    }

    private Program replay(Path recording) {
        return Program.run(
                "replay",
                recording.toString(),
                "--policy",
                "fifo-ff",
                "--no-report",
                "--out",
                directory.resolve("replayed").toString());
    }

    private static String digest(Path rows) throws IOException {
        return Files.readString(rows.resolve("results.jsonl")).replaceAll("(?s).*\"digest\":\"([0-9a-f]+)\".*", "$1");
    }

    /** Three of five were turned away, and the run ended with the last arrival. */
    @Test
    void isAsIfThatPolicyHadRunOnTheTrace() throws IOException {
        Program direct = run("fifo-ff", "direct");
        Program replayed = replay(log);

        assertThat(replayed.code()).isZero();
        assertThat(replayed.err().replaceAll("\\s+", " "))
                .contains("No warm-up is cut from a recording: its figures are of the whole run.");
        // What is said of the reading of a trace is nothing of a recording.
        assertThat(replayed.out())
                .isEqualTo(direct.out().replaceFirst("(?s)^warning: .*?\n\n", ""))
                .contains("fifo-ff");
        assertThat(digest(directory.resolve("replayed"))).hasSize(16).isEqualTo(digest(directory.resolve("direct")));
        assertThat(replayed.err()).doesNotContain("is incomplete");
    }

    @Test
    void aCutRecordingSaysHowFarItGoes() throws IOException {
        List<String> lines = Files.readAllLines(log);
        int fourth = lines.indexOf(lines.stream()
                .filter(line -> line.contains(" id=3 "))
                .findFirst()
                .orElseThrow());
        Path cut = Files.write(directory.resolve("cut.log"), lines.subList(0, fourth + 1));

        Program replayed = replay(cut);

        assertThat(replayed.code()).isZero();
        assertThat(replayed.err()).contains("is incomplete").contains("its 4 requests up to 30 s");
    }

    @Test
    void aLineThatIsCutIsToldFromAWrongOne() throws IOException {
        String whole = Files.readString(log);
        Path cut = Files.writeString(
                directory.resolve("cut.log"), whole.substring(0, whole.indexOf(" id=3 ") + " id=".length()));

        Program replayed = replay(cut);

        assertThat(replayed.code()).isEqualTo(2);
        assertThat(replayed.err()).contains("it is the last line").contains("interrupted");
    }
}
