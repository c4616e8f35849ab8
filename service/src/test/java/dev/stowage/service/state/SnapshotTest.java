package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A state that is written and read is the same, byte for byte, and goes on alike. */
final class SnapshotTest {
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
            state.capture().write(file);
            ServiceState copy = Snapshot.read(file, Restless.factory());
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
            note(state);
        }
        // None of it all would come back the same if there were nothing of it.
        assertThat(seen)
                .contains("quota", "answer", "audit", "adjustment", "waits", "running", "limit", "sites", "ended");
    }

    private void note(ServiceState state) {
        World world = state.world();
        note("quota", !world.quotas().isEmpty());
        note("audit", !world.audit().isEmpty());
        note("answer", !world.particulars().answers().isEmpty());
        note("ended", Glance.of(state).world().finished() > 0);
        for (Request request : world.requests()) {
            note("adjustment", request.adjustment() != null);
            note("waits", request.state() == Request.State.WAITING);
            note("running", request.state() == Request.State.RUNNING);
            note("limit", request.waitUntil() < Long.MAX_VALUE);
            note("sites", !request.sites().isEmpty());
        }
    }

    private void note(String what, boolean there) {
        if (there) {
            seen.add(what);
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
            return Submits.of(
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
