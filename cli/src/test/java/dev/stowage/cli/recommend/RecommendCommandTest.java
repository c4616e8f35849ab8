package dev.stowage.cli.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecommendCommandTest {
    @TempDir
    private Path directory;

    private Path trace = Path.of("");

    @BeforeEach
    void trace() throws IOException {
        trace(300);
    }

    private void trace(int requests) throws IOException {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        int at = 0;
        for (int i = 0; i < requests; i++) {
            at += random.nextInt(20);
            text.append(at + "," + (60 + random.nextInt(1200)) + "," + 1000 * (1 + random.nextInt(12)) + ","
                    + 1024 * (1 + random.nextInt(24)) + "\n");
        }
        trace = Files.writeString(directory.resolve("t.csv"), text);
    }

    private Program recommend(String... more) {
        List<String> all = new ArrayList<>(List.of("recommend", "--trace", trace.toString(), "--threads", "2"));
        all.addAll(List.of(more));
        return Program.run(all.toArray(String[]::new));
    }

    /** Few requests: every policy that suits them runs. */
    @Test
    void ofATrace() throws IOException {
        trace(100);
        Program json = recommend("--servers", "16 x 32 cores, 64 GiB", "--format", "json");
        assertThat(json.code()).as(json.err()).isZero();
        JsonNode found = new ObjectMapper().readTree(json.out());
        assertThat(found.get("best").get(0).get("goal").asText()).isEqualTo("MEAN_WAIT");
        assertThat(found.get("rounds")).hasSize(3);
        assertThat(found.get("serversBound").asDouble()).isPositive();
        assertThat(found.get("unsuited").has("ontapra")).isTrue();
        // A difference with an interval is an estimate; one without is exact.
        for (JsonNode difference : found.findValues("difference")) {
            assertThat(difference.path("halfWidth").isNumber())
                    .isEqualTo(difference.path("method").asText().equals("batch-means"));
        }
        // The figures are exact: those of a run of the winner alone.
        String winner = found.get("best")
                .get(0)
                .get("ranked")
                .get("ranked")
                .get(0)
                .get("policy")
                .asText();
        assertThat(winner).isNotEqualTo("fifo-ff");
    }

    /** The last three need the only server for longer than the trace lasts: two of them wait when it ends. */
    @Test
    void requestsThatStillWait() throws IOException {
        trace = Files.writeString(
                directory.resolve("w.csv"),
                "arrival_s,duration_s,cpu_milli\n0,10,1000\n5,10,1000\n90,900,1000\n91,900,1000\n92,900,1000\n");
        String[] given = {"--servers", "1 x 1 core", "--policy", "fifo-ff,bf-js", "--horizon", "100 s"};
        String table = recommend(given).out().replaceAll("\\s+", " ");
        String left = "Requests that still wait at the end are in no mean wait, which is likely too short: 2 under ";
        assertThat(table)
                .startsWith(
                        "The simplest that is not shown to be worse than the best measured: fifo-ff (itself the best"
                                + " measured) for short waits (undecided), few servers in use. One trace cannot tell"
                                + " which policy is best for few long waits (undecided) or no starved request"
                                + " (undecided).")
                .contains(
                        " at least 5 s (longest) ",
                        " Not shown to be worse than fifo-ff, the best measured for short waits, few servers in use:"
                                + " bf-js. ",
                        ". " + left,
                        " Undecided means: if the waits of these requests counted in full, another policy might be"
                                + " better.")
                .containsPattern(" short waits [-a-z]+ \\(undecided\\)");
        given[given.length - 1] = "80 s";
        assertThat(recommend(given).out()).contains("short waits").doesNotContain("ndecided", "still wait");
        given[given.length - 1] = "100 s";
        List<String> json = new ArrayList<>(List.of(given));
        json.addAll(List.of("--format", "json"));
        assertThat(new ObjectMapper()
                        .readTree(recommend(json.toArray(String[]::new)).out())
                        .get("warnings")
                        .toString())
                .contains(left);
    }

    @Test
    void whatIsTiedIsSaidFirstAndInOneLine() throws IOException {
        trace = Files.writeString(
                directory.resolve("t.csv"),
                "arrival_s,duration_s,cpu_milli\n0,10,1000\n1,10,2000\n2,10,2000\n3,2,1000\n90,9,1000\n91,9,2000\n");
        String said = recommend("--servers", "1 x 2 cores", "--policy", "fifo-ff,bf-js,best-fit:when-full=queue")
                .out()
                .replaceAll("\\s+", " ");
        assertThat(said)
                .startsWith(
                        "The simplest that is not shown to be worse than the best measured: fifo-ff for few servers in"
                                + " use. Choose bf-js for short waits (undecided; 1 not shown to be worse). One trace"
                                + " cannot tell which policy is best for few long waits (undecided) or no starved"
                                + " request (undecided). ")
                .contains(
                        " for best measured with ",
                        " no starved bf-js (undecided) at least 18 s ",
                        ", the best measured for few long waits, no starved request, few servers in use: ",
                        ". policy stranded CPU ")
                .containsPattern(" fifo-ff [0-9.]+ % bf-js [0-9.]+ % Stranded:");
    }

    @Test
    void theTable() {
        Program table = recommend("--servers", "16 x 32 cores, 64 GiB", "--policy", "fifo-ff,bf-js,first-fit,best-fit");
        assertThat(table.code()).as(table.err()).isZero();
        assertThat(table.out())
                .contains("few rejected")
                .contains("4 policies on 100 % of the time")
                .contains("If all requests start as they arrive, at least ")
                .containsPattern("Policies that let\\s+requests wait may need fewer\\.")
                .contains("The numbers are exact for these requests.")
                .containsPattern("policy +stranded CPU +stranded memory\n[- ]+\nfifo-ff +\\d")
                .contains("Stranded: the part of the capacity that is free, but of no use to the median request, on")
                .doesNotContain("No policy can support");
    }

    /** A server of 10 slots holds five of 2 slots; 15 are there in the mean: three times the most. */
    @Test
    void aLoadThatNoPolicySupportsIsSaidFirst() throws IOException {
        Path experiment = Files.writeString(directory.resolve("e.yaml"), """
                cluster: {servers: {count: 1, slots: 10}}
                workload:
                  types:
                    - {name: small, rate: 1 / s, demand: {slots: 2}, service: {exponential: 15 s}}
                policies: [first-fit, {policy: first-fit, when-full: queue}, best-fit, fifo-ff]
                horizon: 10 min
                replications: 2
                """);
        Program table = Program.run("recommend", experiment.toString());
        assertThat(table.out().replaceAll("\\s+", " "))
                .as(table.err())
                .startsWith("No policy can support this load: it is at least 300.0 % of the greatest that any policy"
                        + " can support (proven). The simplest that is not shown to be worse than the best measured:"
                        + " first-fit (itself the best measured) for few rejected; ")
                .contains("A policy that is worse here is also worse on other requests like these, with"
                        + " 95 % confidence.")
                .doesNotContain("exact");
        Program json = Program.run("recommend", experiment.toString(), "--format", "json");
        assertThat(json.out()).contains("No policy can support this load: it is at least 300.0 %");
    }

    /** Which policies find a place for all of it is known only where they are compared. */
    @Test
    void anInventoryWithASinglePolicy() throws IOException {
        Path list = Files.writeString(directory.resolve("vms.csv"), "Name,vCPU,Memory GB\na,8,64\nb,8,64\nc,8,64\n");
        Program single = Program.wide(
                "recommend", list.toString(), "--servers", "2 x 16 cores, 128 GiB", "--policy", "first-fit");
        assertThat(single.code()).isEqualTo(2);
        assertThat(single.err()).contains("fewer than two of these policies find a place for all of it");
        assertThat(single.out()).contains("An inventory").doesNotContain("these do not");
    }

    @Test
    void badInput() {
        assertThat(recommend("--servers", "16 x 32 cores, 64 GiB", "--threads", "0")
                        .code())
                .isEqualTo(2);
        assertThat(recommend("--servers", "16 x 32 cores, 64 GiB", "--policy", "first-fid")
                        .err())
                .contains("first-fit");
    }

    /** Each round has its own number of replications. */
    @Test
    void noPrecision() throws IOException {
        Path experiment = Files.writeString(directory.resolve("e.yaml"), """
                cluster: {servers: {count: 4, slots: 10}}
                workload:
                  types:
                    - {name: small, rate: 3 / s, demand: {slots: 2}, service: {exponential: 2 s}}
                policies: [first-fit]
                horizon: 1 h
                precision: 5 %
                """);
        Program refused = Program.run("recommend", experiment.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("cannot recommend here: the number of replications must be given");
        assertThat(refused.out()).isEmpty();
    }
}
