package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Operation.Change;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is exported and imported is the same state, byte for byte, and goes on alike. */
final class ExportTest {
    private static final List<String> TENANTS = List.of("", "acme", "z\u00fcrich \"x\"\n", "\ud83d\ude80");
    private static final List<String> POLICIES =
            List.of("restless-both", "fifo-ff", "bf-js", "best-fit", "shadow", "first-fit");
    private static final int STEPS = 120;

    @TempDir
    private Path directory;

    private final Set<String> seen = new HashSet<>();

    @Test
    void theSameStateComesBack() throws IOException {
        for (int seed = 0; seed < 40; seed++) {
            ServiceState state = state(seed);
            Path file = directory.resolve("state-" + seed);
            export(state, file);
            ServiceState copy = Import.read(file, Restless.factory(), false);
            assertThat(copy.digest()).as("digest, seed %s", seed).isEqualTo(state.digest());
            assertThat(bytes(copy)).as("snapshot, seed %s", seed).isEqualTo(bytes(state));
            Random random = new Random(seed + 1000L);
            for (int at = STEPS; at < 2 * STEPS; at++) {
                Batch batch = batch(random, at);
                assertThat(copy.apply(at, batch)).hasSameSizeAs(state.apply(at, batch));
                state.takeChanges();
                copy.takeChanges();
                assertThat(copy.digest())
                        .as("digest after %s, seed %s", at, seed)
                        .isEqualTo(state.digest());
            }
            assertThat(bytes(copy)).isEqualTo(bytes(state));
            for (String line : Files.readAllLines(file)) {
                for (String what : List.of("adjustment", "place", "wait_until", "labels", "refusal", "allowed_sites")) {
                    if (line.contains('"' + what + '"')) {
                        seen.add(what);
                    }
                }
                seen.add(line.replaceAll("\\{\"kind\":\"(\\w+)\".*", "$1"));
            }
        }
        // None of it all would come back the same if there were nothing of it.
        assertThat(seen)
                .contains("service", "engine", "server", "quota", "request", "answer", "audit", "end")
                .contains("adjustment", "place", "wait_until", "labels", "refusal", "allowed_sites");
    }

    @Test
    void whatIsMissingOrChangedIsNamed() throws IOException {
        Path file = directory.resolve("state");
        export(state(3), file);
        List<String> lines = Files.readAllLines(file);
        int server = index(lines, "server");
        int request = index(lines, "request");
        wrong(lines.subList(0, lines.size() - 1), false, "is truncated after line " + (lines.size() - 1));
        wrong(List.of(), false, "is truncated after line 0");
        wrong(changed(lines, request, "\"number\":", "\"number\":1"), false, "does not fit what is before it");
        wrong(changed(lines, server, "\"cpu\":", "\"cpu\":9"), true, "line " + (server + 1) + ": 'capacity' is");
        wrong(changed(lines, server, "\"free\"", "\"fre\""), true, "line " + (server + 1) + ": 'free' is");
        wrong(changed(lines, request, "\"queue\"", "\"quue\""), true, "line " + (request + 1) + " has no 'queue'");
        wrong(
                changed(lines, request, "\"reason\"", "\"x\":1,\"reason\""),
                true,
                "line " + (request + 1) + ": 'x' is 1");
        wrong(
                changed(lines, request, "\"demand\":{\"cpu\":", "\"demand\":{\"cpu\":9"),
                true,
                "what is told about request");
        wrong(changed(lines, request, "\"kind\":\"request\"", "\"kind\":\"rqst\""), true, "is of kind 'rqst'");
        wrong(changed(lines, 0, "\"format\":1", "\"format\":2"), true, "has format 2; this release reads 1");
        wrong(changed(lines, 1, "\"bytes\":\"", "\"bytes\":\"AAAA"), true, "saved state");
        wrong(changed(lines, 1, "\"part\":0", "\"part\":1"), true, "line 2 is part 1 of the engine; the next is 0");
        List<String> without = new ArrayList<>(lines);
        without.remove(request);
        wrong(without, true, " requests in the system, its engine ");
        List<String> twice = new ArrayList<>(lines);
        twice.add(index(lines, "quota"), lines.get(index(lines, "quota")));
        wrong(twice, true, "says again what an earlier line says");
    }

    /** What only the service has may be mended by hand, if that is said. */
    @Test
    void anEditedQuotaIsTaken() throws IOException {
        Path file = directory.resolve("state");
        export(state(3), file);
        List<String> lines = Files.readAllLines(file);
        int quota = index(lines, "quota");
        List<String> edited = new ArrayList<>(lines);
        edited.set(quota, lines.get(quota).replaceFirst("\"requests\":\\d+", "\"requests\":1234"));
        assertThat(edited).isNotEqualTo(lines);
        wrong(edited, false, "or was edited (then say --edited)");
        Files.write(file, edited);
        ServiceState state = Import.read(file, Restless.factory(), true);
        assertThat(state.world().quotas().values())
                .anySatisfy(one -> assertThat(one.requests()).isEqualTo(1234));
    }

    private void wrong(List<String> lines, boolean edited, String message) throws IOException {
        Path file = directory.resolve("wrong");
        Files.write(file, lines);
        assertThatThrownBy(() -> Import.read(file, Restless.factory(), edited))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }

    private static List<String> changed(List<String> lines, int line, String from, String to) {
        assertThat(lines.get(line)).contains(from);
        List<String> changed = new ArrayList<>(lines);
        changed.set(line, lines.get(line).replace(from, to));
        return changed;
    }

    private static int index(List<String> lines, String kind) {
        int index = 0;
        while (!lines.get(index).startsWith("{\"kind\":\"" + kind + "\"")) {
            index++;
        }
        return index;
    }

    private static void export(ServiceState state, Path file) throws IOException {
        try (var out = Files.newBufferedWriter(file)) {
            assertThat(Export.write(state, out)).isPositive();
        }
    }

    private static byte[] bytes(ServiceState state) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        state.capture().write(out);
        return out.toByteArray();
    }

    private static ServiceState state(int seed) {
        Random random = new Random(seed);
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", true), Resource.of("mem")),
                List.of("licence"),
                List.of(
                        new Site(
                                "here",
                                List.of(
                                        new ServerBlock(4, Amounts.of(10, 10)),
                                        ServerBlock.named("big-1", Labels.of(Map.of("disk", "ssd")), 12, 12)),
                                Amounts.of(30)),
                        new Site("there", List.of(new ServerBlock(2, Amounts.of(14, 9))), Amounts.of(9))),
                List.of(new RequestType("small", Amounts.of(2, 1), Amounts.of(1), 3, 1_000_000)));
        TreeMap<String, Quota> quotas = new TreeMap<>();
        quotas.put("acme", new Quota(17, new long[] {-1, 400}));
        quotas.put("*", new Quota(-1, new long[] {-1, -1}));
        PolicySpec policy = PolicySpec.of(POLICIES.get(seed % POLICIES.size()));
        ServiceState state = new ServiceState(Restless.factory());
        state.apply(
                0,
                new Batch(
                        ServiceState.VERSION,
                        0,
                        -1,
                        0,
                        List.of(new Operation.Begin(new Setting(cluster, policy, seed, 60_000, quotas)))));
        for (int at = 1; at < STEPS; at++) {
            state.apply(at, batch(random, at));
            state.takeChanges();
        }
        assertThat(state.halted()).isNull();
        return state;
    }

    private static Batch batch(Random random, int at) {
        List<Operation> operations = new ArrayList<>();
        for (int n = random.nextInt(4); n >= 0; n--) {
            operations.add(operation(random, at));
        }
        return new Batch(ServiceState.VERSION, 0, -1, at * 1000L, operations);
    }

    private static Operation operation(Random random, int at) {
        String tenant = TENANTS.get(random.nextInt(TENANTS.size()));
        int what = random.nextInt(24);
        if (what < 10) {
            boolean typed = random.nextBoolean();
            return new Operation.Submit(
                    tenant,
                    "r" + at % 40 + "-" + random.nextInt(5),
                    typed ? "small" : "",
                    typed ? new long[0] : new long[] {1 + random.nextInt(6), 1 + random.nextInt(3)},
                    new long[0],
                    random.nextInt(3) - 1,
                    random.nextInt(3) == 0 ? random.nextInt(30_000) : Operation.ANY_WAIT,
                    random.nextInt(6) == 0 ? List.of("there") : List.of());
        } else if (what < 18) {
            return new Operation.Release(tenant, "r" + random.nextInt(40) + "-" + random.nextInt(5));
        } else if (what < 19) {
            return new Operation.SetQuota(
                    "q" + random.nextInt(9), "ann", tenant, new Quota(random.nextInt(50), new long[] {-1, 90}));
        } else if (what < 20) {
            return new Change(
                    "l" + at, "bo", "", Command.label(0, random.nextInt(5), Labels.of(Map.of("a", "b" + at))));
        } else if (what < 21) {
            return new Operation.Note("olga", "looked", "");
        }
        List<Command.Kind> kinds = List.of(Command.Kind.DRAIN, Command.Kind.RETURN, Command.Kind.LOSE);
        return new Change(
                "c" + at + "-" + random.nextInt(9),
                "ann",
                "",
                Command.plain(kinds.get(random.nextInt(3)), 0, random.nextInt(7)));
    }
}
