package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage report --serve} as a process, and what it refuses. */
final class ReportServeTest {
    private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:\\d+/)");

    @TempDir
    private Path directory;

    private void record(String policies) {
        Program run = Program.run(
                "run",
                "--policy",
                policies,
                "--replications",
                "1",
                "--horizon",
                "4h",
                "--out",
                directory.toString(),
                "--no-report",
                "--record",
                directory.resolve("run.log.gz").toString());
        assertThat(run.code()).as(run.err()).isZero();
    }

    @Test
    void aRecordingIsServedBesideAnotherPolicyUntilItIsEnded() throws Exception {
        record("first-fit");
        Path out = directory.resolve("out.txt");
        Process page = ProgramElsewhere.process(
                        "report", directory.toString(), "--serve", "--port", "0", "--policy", "best-fit")
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        String address = address(page, out);
        assertThat(get(address + "v1/runs")).contains("\"run\"", "best-fit (run)", "\"agrees\":true");
        assertThat(get(address + "v1/moment?run=1&at=3600000000000")).contains("\"figures\"");
        assertThat(get(address)).contains("/console/step.js");
        page.destroy();
        assertThat(page.waitFor()).isEqualTo(128 + 15);
    }

    private static String address(Process page, Path out) throws IOException, InterruptedException {
        while (true) {
            String said = Files.readString(out);
            Matcher at = ADDRESS.matcher(said);
            if (at.find()) {
                return at.group(1);
            }
            assertThat(page.isAlive()).as(said).isTrue();
            Thread.sleep(20);
        }
    }

    private static String get(String uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void whatCannotBeShownIsRefused() throws IOException {
        refused("there is no recording in " + directory + "; record a run with: stowage run", "--serve");
        refused("are allowed only with --serve", "--port", "0");
        refused("leave out --format", "--serve", "--format", "csv");
        refused("--port 70000 must be 0 to 65535", "--serve", "--port", "70000");
        record("first-fit,best-fit,fifo-ff");
        refused("there are 3 recordings", "--serve");
        refused("run-best-fit", "--serve", "--recording", "run-best-fitt");
        refused(
                "--policy is shown beside one recording",
                "--serve",
                "--recording",
                "run-best-fit,run-fifo-ff",
                "--policy",
                "bf-js");
        refused("unknown", "--serve", "--recording", "run-best-fit", "--policy", "bf-jj");
        Path damaged = directory.resolve("damaged.log");
        Files.writeString(damaged, "stowage-log 2\n{\"resources\":[]}\n");
        refused(damaged + ":2: ", "--serve", "--recording", "damaged");
        byte[] whole = Files.readAllBytes(directory.resolve("run-best-fit.log.gz"));
        Files.write(directory.resolve("cut.log.gz"), java.util.Arrays.copyOf(whole, whole.length / 2));
        refused("cut.log.gz: cannot be read", "--serve", "--recording", "cut");
    }

    private void refused(String why, String... options) {
        String[] all = new String[options.length + 2];
        all[0] = "report";
        all[1] = directory.toString();
        System.arraycopy(options, 0, all, 2, options.length);
        Program report = Program.run(all);
        assertThat(report.code()).as(report.err()).isEqualTo(2);
        assertThat(report.err()).contains(why);
    }
}
