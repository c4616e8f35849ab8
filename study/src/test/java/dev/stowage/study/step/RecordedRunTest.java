package dev.stowage.study.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.CommandRecorder;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.RecordingException;
import dev.stowage.sim.driver.RecordingReader;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordedRunTest {
    private static final Workload WORKLOAD = SyntheticWorkload.of(
            List.of("r0"),
            ArrivalProcess.poisson(),
            List.of(
                    SyntheticType.inSeconds("small", 3, Demand.fixed(2), Distribution.exponential(1)),
                    SyntheticType.inSeconds("large", 1, Demand.fixed(7), Distribution.uniform(1, 2))));
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private Path record(String policy, long requests) {
        return record(Cluster.single(3, 10), WORKLOAD, policy, requests);
    }

    private Path record(Cluster cluster, Workload workload, String policy, long requests) {
        Setup setup = new Setup(
                cluster,
                workload,
                DrawnOrigins.ANYWHERE,
                PolicySpec.of(policy),
                new Policies(),
                Steps.COMMANDS,
                0,
                1,
                new End(Long.MAX_VALUE, requests, true),
                List.of(
                        ScheduledChange.of(5_000_000_000L, ScheduledChange.Kind.LOSE, 0, 1),
                        ScheduledChange.of(7_000_000_000L, ScheduledChange.Kind.RETURN, 0, 1)),
                1);
        Path file = directory.resolve(policy + ".log.gz");
        CommandRecorder.record(file, setup, null);
        return file;
    }

    private static RecordedRun read(Path file) {
        return RecordedRun.read(file, "a run", new Policies(), commands -> {});
    }

    /** More commands than are saved between, so that some saved states are left out again. */
    @Test
    void everyMomentIsAsTheRunWasThen() {
        Path file = record("bf-js", 12_000);
        List<Long> digests = new ArrayList<>();
        try (RecordingReader reader = RecordingReader.open(file)) {
            Engine engine = reader.setup().start(new Policies(), Effects.NONE);
            digests.add(engine.digest());
            for (Command command = reader.next(); command != null; command = reader.next()) {
                command.send(engine);
                digests.add(engine.digest());
            }
        }
        try (RecordedRun run = read(file)) {
            assertThat(run.agrees()).isTrue();
            assertThat(run.whole()).isTrue();
            assertThat(run.commands()).isEqualTo(digests.size() - 1).isGreaterThan(64 * 256);
            Random random = new Random(7);
            int at = 0;
            for (int i = 0; i < 200; i++) {
                // Some far away, some a step on or back.
                at = i % 3 == 0 ? random.nextInt(digests.size()) : Math.floorMod(at + i % 3 * 2 - 3, digests.size());
                run.after(at);
                assertThat(run.engine().digest()).as("after %s commands", at).isEqualTo(digests.get(at));
            }
        }
    }

    @Test
    void whatIsCountedIsWhatHappened() throws IOException {
        Path file = record("bf-js", 3000);
        try (RecordedRun run = read(file)) {
            Story story = run.story();
            for (int rows : new int[] {0, 1, 1023, 1024, 1025, 5000, story.size()}) {
                long arrived = 0;
                long placed = 0;
                double waited = 0;
                for (int row = 0; row < rows; row++) {
                    arrived += story.what(row) == Story.What.ARRIVED ? 1 : 0;
                    int arrival = story.id(row) < 0 ? Story.NONE : story.arrivalOf(story.id(row), rows);
                    boolean first = story.what(row) == Story.What.PLACED;
                    for (int r = arrival; first && r != row; r = story.next(r, rows)) {
                        first = story.what(r) != Story.What.PLACED;
                    }
                    placed += first ? 1 : 0;
                    waited += first ? (story.at(row) - story.at(arrival)) / 1e9 : 0;
                }
                Story.Counts counts = story.counts(rows);
                assertThat(counts.arrived()).isEqualTo(arrived);
                assertThat(counts.placed()).isEqualTo(placed);
                if (placed > 0) {
                    assertThat(counts.waitSeconds() * placed).isCloseTo(waited, within(1e-6 * (1 + waited)));
                }
            }
            StepAnswers answers = new StepAnswers(List.of(run));
            String middle = Long.toString(run.until() / 2);
            JsonNode figures = JSON.readTree(answers.answer("/v1/moment", Map.of("at", middle)))
                    .get("figures");
            View view = run.after(run.commandsUntil(run.until() / 2));
            int running = 0;
            for (int server = 0; server < view.servers(); server++) {
                running += view.running(server);
            }
            assertThat(figures.get("running").asInt()).isEqualTo(running);
            long over = figures.get("arrived").asLong()
                    - running
                    - figures.get("waiting").asLong();
            long left = JSON.readTree(
                            answers.answer("/v1/decisions", Map.of("at", middle, "before", "0", "behind", "3")))
                    .get("coming")
                    .size();
            assertThat(left).isEqualTo(3);
            assertThat(over).isPositive();
        }
    }

    private static Offset<Double> within(double most) {
        return Offset.offset(most);
    }

    /** What the servers had is compared with the engine one command earlier, where one request alone was placed. */
    @Test
    void whyIsAsThePolicySawIt() throws IOException {
        Path file = record("first-fit", 400);
        try (RecordedRun run = read(file)) {
            StepAnswers answers = new StepAnswers(List.of(run));
            Story story = run.story();
            int seen = 0;
            for (int row = 0; row < story.size(); row++) {
                if (story.what(row) != Story.What.PLACED || story.commandOf(row) == 0) {
                    continue;
                }
                View view = run.after(story.commandOf(row) - 1);
                int own = story.server(row);
                long free = view.free(own, 0);
                long demand = story.shape(story.arrivalOf(story.id(row), row))
                        .demand()
                        .get(0);
                int room = 0;
                for (int server = 0; server < view.servers(); server++) {
                    room += view.status(server) == ServerStatus.UP && view.free(server, 0) >= demand ? 1 : 0;
                }
                int first = story.rowsOf(story.commandOf(row) - 1);
                boolean alone =
                        story.rowsOf(story.commandOf(row)) - first == 2 && story.what(first) == Story.What.ARRIVED;
                JsonNode why = JSON.readTree(answers.answer(
                        "/v1/requests/" + story.id(row) + ":explain", Map.of("at", Long.toString(story.at(row)))));
                if (!alone || !why.get("request").get("state").asText().equals("RUNNING")) {
                    continue;
                }
                seen++;
                JsonNode here = why.get("candidates").get(0);
                assertThat(here.get("runsHere").asBoolean()).isTrue();
                assertThat(here.get("server").asInt()).isEqualTo(own);
                assertThat(here.get("free").get("r0").asLong()).isEqualTo(free);
                assertThat(why.get("serversWithRoom").asInt()).isEqualTo(room);
                assertThat(why.get("rule").asText()).isEqualTo(story.reason(row));
            }
            assertThat(seen).isGreaterThan(100);
        }
    }

    @Test
    void theLifeOfARequestIsTold() throws IOException {
        try (RecordedRun run = read(record("fifo-ff", 400))) {
            StepAnswers answers = new StepAnswers(List.of(run));
            String end = Long.toString(run.until());
            Story story = run.story();
            int displaced = 0;
            while (story.what(displaced) != Story.What.DISPLACED) {
                displaced++;
            }
            JsonNode versions = JSON.readTree(answers.answer(
                            "/v1/requests/" + story.id(displaced) + ":history", Map.of("at", end, "tenant", "")))
                    .get("versions");
            List<String> states = new ArrayList<>();
            versions.forEach(version -> states.add(version.get("state").asText()));
            assertThat(states).startsWith("WAITING").contains("RUNNING").endsWith("RELEASED");
            assertThat(states.lastIndexOf("WAITING")).isGreaterThan(states.indexOf("RUNNING"));
            assertThat(answers.answer("/v1/audit", Map.of("at", end))).contains("server server=0", "gone", "up");
        }
    }

    @Test
    void stepsGoFromDecisionToDecisionOfBoth() throws IOException {
        try (RecordedRun one = read(record("first-fit", 200));
                RecordedRun other = read(record("fifo-ff", 200))) {
            StepAnswers answers = new StepAnswers(List.of(one, other));
            List<Long> forward = new ArrayList<>();
            long at = -1;
            for (JsonNode next = step(answers, at, true); next != null; next = step(answers, at, true)) {
                at = next.asLong();
                forward.add(at);
            }
            assertThat(forward).isSorted().doesNotHaveDuplicates().contains(one.until(), other.until());
            List<Long> back = new ArrayList<>();
            for (JsonNode next = step(answers, at + 1, false); next != null; next = step(answers, at, false)) {
                at = next.asLong();
                back.add(0, at);
            }
            assertThat(back).isEqualTo(forward);
        }
    }

    private static JsonNode step(StepAnswers answers, long at, boolean forward) throws IOException {
        return JSON.readTree(answers.answer(
                        "/v1/step", Map.of("at", Long.toString(at), "forward", Boolean.toString(forward))))
                .get("atNanos");
    }

    @Test
    void wrongQuestionsAreRefused() {
        try (RecordedRun run = read(record("first-fit", 100))) {
            StepAnswers answers = new StepAnswers(List.of(run));
            assertThatThrownBy(() -> answers.answer("/v1/moment", Map.of("att", "1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("att");
            assertThatThrownBy(() -> answers.answer("/v1/moment", Map.of("at", "soon")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'soon' must be a whole number");
            assertThatThrownBy(() -> answers.answer("/v1/moment", Map.of("at", "1", "run", "1")))
                    .isInstanceOf(NoSuchElementException.class);
            assertThatThrownBy(() -> answers.answer("/v1/else", Map.of("at", "1")))
                    .isInstanceOf(NoSuchElementException.class);
            assertThatThrownBy(() -> answers.answer("/v1/requests/77777:explain", Map.of("at", "1")))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("77777");
            assertThatThrownBy(() -> new StepAnswers(List.of())).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Requests for .6 of a GPU on a server with two: two run, one on each, and the third finds a rest of .4. */
    @Test
    void theDevicesOfAMomentAreTold() throws IOException {
        Cluster gpus = new Cluster(
                List.of(Resource.inDevices("gpu_milli", 1000)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(1, Amounts.of(2000)))),
                List.of());
        Workload parts = SyntheticWorkload.of(
                List.of("gpu_milli"),
                ArrivalProcess.poisson(),
                List.of(SyntheticType.inSeconds("part", 10, Demand.fixed(600), Distribution.exponential(1))));
        Path file = record(gpus, parts, "fifo-ff", 20);
        try (RecordedRun run = read(file)) {
            StepAnswers answers = new StepAnswers(List.of(run));
            Story story = run.story();
            int third = 0;
            for (int arrived = 0; arrived < 3; third++) {
                arrived += story.what(third) == Story.What.ARRIVED ? 1 : 0;
            }
            third--;
            assertThat(IntStream.range(0, third).mapToObj(story::what)).doesNotContain(Story.What.LEFT);
            Map<String, String> then = Map.of("at", Long.toString(story.at(third)));
            JsonNode devices = JSON.readTree(answers.answer(
                            "/v1/servers", Map.of("at", Long.toString(story.at(third)), "page_token", "0")))
                    .at("/servers/0/devices");
            assertThat(devices).hasToString("[{\"number\":0,\"free\":400},{\"number\":1,\"free\":400}]");
            JsonNode why = JSON.readTree(answers.answer("/v1/requests/" + story.id(third) + ":explain", then));
            assertThat(why.at("/candidates/0/lacksDevices").asText())
                    .isEqualTo("no device has 600 gpu_milli free, at most 400");
            assertThat(why.get("serversWithRoom").asInt()).isZero();
            JsonNode second = JSON.readTree(answers.answer("/v1/requests/1:explain", then));
            assertThat(second.at("/request/devices")).hasToString("[1]");
            assertThat(second.at("/candidates/0/lacksDevices").asText()).isEmpty();
            assertThat(JSON.readTree(answers.answer("/v1/runs", Map.of()))
                            .at("/runs/0/deviceAmount")
                            .asLong())
                    .isEqualTo(1000);
        }
    }

    @Test
    void aDamagedRecordingNamesTheLine() throws IOException {
        Path file = directory.resolve("bad.log");
        Files.writeString(file, "stowage-log 2\n{}\n");
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining(":2:");
        List<String> lines = new ArrayList<>();
        try (var in = new GZIPInputStream(Files.newInputStream(record("first-fit", 50)))) {
            lines.addAll(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        }
        lines.set(9, "arive at=1");
        Files.write(file, lines);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining(":10:");
        // Without its end it is shown as far as it goes.
        Files.write(file, lines.subList(0, 9));
        try (RecordedRun run = read(file)) {
            assertThat(run.whole()).isFalse();
            assertThat(run.agrees()).isTrue();
            assertThat(run.commands()).isEqualTo(7);
        }
    }
}
