package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.MissingPolicyException;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.AuditRecord;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Submits;
import dev.stowage.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Directories of nodes that cannot go on, and what an operator can do then. */
final class SalvageTest {
    private static final long POISON = 13;

    @TempDir
    private Path directory;

    /**
     * First fit that fails at a demand of 13: a mistake that every node makes at the same entry, again at every start.
     */
    private static final class Touchy implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            if (view.demand(job, 0) == POISON) {
                throw new IllegalStateException("13 is not for me");
            }
            for (int server = 0; server < view.servers(); server++) {
                if (view.fits(job, server)) {
                    actions.place(job, server, "first");
                    return;
                }
            }
            actions.reject(job, "no room");
        }
    }

    private static PolicyFactory policies() {
        PolicyFactory others = new Policies();
        return spec -> spec.name().equals("touchy") ? new Touchy() : others.create(spec);
    }

    private static Setting setting() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(50, Amounts.of(20)))),
                List.of(RequestType.of("small", 1)));
        return new Setting(cluster, PolicySpec.of("touchy"), 1, TimeUnit.DAYS.toNanos(1));
    }

    private RaftNode start(Path data) throws Exception {
        RaftNode node = RaftNode.start(NodeSettings.single(data), policies(), setting());
        Await.until(
                "ready or halted", () -> node.status().ready() || node.status().halted() != null);
        return node;
    }

    private static Outcome submit(RaftNode node, String id, long cpu) throws Exception {
        return node.submit(Submits.of("acme", id, "", new long[] {cpu}, new long[0], 0, -1))
                .get(10, TimeUnit.MINUTES);
    }

    private void poison(Path data) throws Exception {
        try (RaftNode node = start(data)) {
            for (int i = 0; i < 10; i++) {
                submit(node, "r" + i, 1 + i % 3);
            }
            node.snapshot();
            for (int i = 10; i < 20; i++) {
                submit(node, "r" + i, 1 + i % 3);
            }
            assertThatThrownBy(() -> submit(node, "poison", POISON)).hasMessageContaining("has stopped serving");
            assertThat(node.status().halted()).contains("cannot be applied").contains("13 is not for me");
        }
    }

    /** Policies of a node that was started with the jar that has {@code touchy}. */
    private static final class WithJar implements PolicyFactory {
        private final Policies others = new Policies();

        @Override
        public Policy create(PolicySpec spec) {
            return spec.name().equals("touchy") ? new Touchy() : others.create(spec);
        }

        @Override
        public PolicySpec pinned(PolicySpec spec) {
            return spec.name().equals("touchy")
                    ? PolicySpec.of("touchy", Map.of(Policies.ORIGIN, "4711"))
                    : others.pinned(spec);
        }
    }

    /**
     * A node that is started without the jar of its policy. Its snapshots were taken for damaged ones and set aside, so
     * that nothing was left of what the log no longer had.
     */
    @Test
    void aPolicyThatIsNotHereIsNoDamage() throws Exception {
        Path data = directory.resolve("n1");
        try (RaftNode node = start(data)) {
            for (int i = 0; i < 10; i++) {
                submit(node, "r" + i, 1);
            }
            node.snapshot();
            submit(node, "later", 1);
        }
        assertThatThrownBy(() -> {
                    try (RaftNode without = RaftNode.start(NodeSettings.single(data), new Policies(), setting())) {
                        assertThat(without.status().ready()).isFalse();
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unknown policy \"touchy\"");
        assertThatThrownBy(() -> Salvage.of(data).inspect(new Policies()))
                .isInstanceOf(MissingPolicyException.class)
                .hasMessageContaining("unknown policy \"touchy\"");
        try (Stream<Path> files = Files.walk(data)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .anyMatch(name -> name.startsWith("snapshot."))
                    .noneMatch(name -> name.startsWith("damaged"));
        }
        try (RaftNode node = start(data)) {
            assertThat(node.look(ServiceState::world).live()).isEqualTo(11);
        }
    }

    /** What others agreed on is not refused by a node that lacks the policy: its state would be another one. */
    @Test
    void aPolicyOfAJarThatIsNotHereStopsTheNodeAndIsNothingToSkip() throws Exception {
        Path data = directory.resolve("n1");
        PolicyFactory with = new WithJar();
        Setting begin = new Setting(setting().cluster(), PolicySpec.of("first-fit"), 1, TimeUnit.DAYS.toNanos(1));
        String digest;
        try (RaftNode node = RaftNode.start(NodeSettings.single(data), with, begin)) {
            Await.until("ready", () -> node.status().ready());
            PolicySpec agreed = node.policies().pinned(PolicySpec.of("touchy"));
            node.submit(new Operation.Change("c1", "anna", "", Command.setPolicy(0, agreed)))
                    .get(10, TimeUnit.MINUTES);
            submit(node, "r1", 1);
            digest = Long.toHexString(node.look(ServiceState::digest));
        }
        try (RaftNode without = RaftNode.start(NodeSettings.single(data), new Policies(), begin)) {
            Await.until("halted", () -> without.status().halted() != null);
            assertThat(without.status().halted()).contains("touchy").contains("--plugins JAR");
        }
        assertThatThrownBy(() -> Salvage.of(data).inspect(new Policies()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--plugins JAR");
        try (RaftNode again = RaftNode.start(NodeSettings.single(data), with, begin)) {
            Await.until("ready", () -> again.status().ready());
            assertThat(Long.toHexString(again.look(ServiceState::digest))).isEqualTo(digest);
        }
    }

    /**
     * A snapshot behind an entry of Raft's own, as there is one at each start, of a node whose log before is gone, as
     * that of one that has joined by a snapshot is. What followed on the snapshot was left out.
     */
    @Test
    void aSnapshotGoesAsFarAsItSays() throws Exception {
        Path data = directory.resolve("n1");
        try (RaftNode node = start(data)) {
            submit(node, "r1", 1);
        }
        try (RaftNode node = start(data)) {
            node.snapshot();
        }
        Salvage.Found whole = Salvage.of(data).inspect(policies());
        assertThat(whole.good())
                .isEqualTo(whole.last())
                .isGreaterThanOrEqualTo(whole.snapshots().get(0));
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(
                            file -> String.valueOf(file.getFileName()).startsWith("log_"))
                    .toList()) {
                Files.delete(file);
            }
        }
        Salvage.Found found = Salvage.of(data).inspect(policies());
        assertThat(found.good()).isEqualTo(found.snapshots().get(0));
        assertThat(Salvage.of(data).state(policies(), Long.MAX_VALUE).world().live())
                .isEqualTo(1);
    }

    /** Hole: behind the last entry was something, so that the node waited for the others, and nothing said so. */
    @Test
    void whatIsBehindTheLastEntryCountsAsALoss() throws Exception {
        Path data = directory.resolve("n1");
        try (RaftNode node = start(data)) {
            submit(node, "r1", 1);
        }
        Path log = files(data, "log_").get(0);
        byte[] bytes = Files.readAllBytes(log);
        byte[] behind = Arrays.copyOf(bytes, bytes.length + 100);
        behind[bytes.length + 90] = 7;
        Files.write(log, behind);
        Salvage.Found found = Salvage.of(data).inspect(policies());
        assertThat(found.good()).isEqualTo(found.last()).isGreaterThanOrEqualTo(found.applied());
        assertThat(found.whole()).isFalse();
        assertThat(found.lost()).contains("has data after its end, entry " + found.last());
        assertThatThrownBy(() -> start(data)).hasMessageContaining("has data after its end");
        Path fresh = directory.resolve("fresh");
        Salvage.Taken taken = Salvage.of(data).taken(policies(), Long.MAX_VALUE);
        assertThat(taken.missing()).isNull();
        Backup.found(taken.state(), new TreeMap<>(Map.of("n1", fresh)));
        try (RaftNode node = start(fresh)) {
            assertThat((int) node.look(state -> state.world().live())).isEqualTo(1);
        }
    }

    @Test
    void aPoisonedEntryIsSkippedInTheOperatorsName() throws Exception {
        Path data = directory.resolve("n1");
        poison(data);
        // To start it again is of no use: that was the dead end.
        try (RaftNode again = start(data)) {
            assertThat(again.status().halted()).contains("13 is not for me");
        }
        Salvage.Found found = Salvage.of(data).inspect(policies());
        assertThat(found.whole()).isFalse();
        assertThat(found.poison()).contains("13 is not for me");
        assertThat(found.damage()).isNull();
        long poisoned = found.good() + 1;
        assertThatThrownBy(() -> Salvage.of(data).skip(found.last() + 1, "olga", "why"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the entries after the newest snapshot are");
        assertThat(Salvage.of(data).skip(poisoned, "olga", "the policy fails at 13"))
                .isEqualTo("[submit acme/poison]");
        assertThat(Salvage.of(data).inspect(policies()).whole()).isTrue();
        try (RaftNode healed = start(data)) {
            assertThat(healed.status().halted()).isNull();
            assertThat((int) healed.look(state -> state.world().live())).isEqualTo(20);
            Request poison = healed.look(state -> state.world().find("acme", "poison"));
            assertThat(poison).isNull();
            List<AuditRecord> audit = healed.look(state -> state.world().audit());
            assertThat(audit).anySatisfy(line -> {
                assertThat(line.actor()).isEqualTo("olga");
                assertThat(line.position()).isEqualTo(poisoned);
                assertThat(line.change()).isEqualTo("skip-entry " + poisoned + ": [submit acme/poison]");
                assertThat(line.result()).isEqualTo("the policy fails at 13");
            });
            assertThat(submit(healed, "later", 2).kind()).isEqualTo(Outcome.Kind.DONE);
        }
        assertThat(Files.readString(data.resolve("salvage.log"))).contains("skipped by olga: the policy fails at 13");
        assertThat(data.resolve("salvaged-1")).isNotEmptyDirectory();
    }

    @Test
    void aSkippedReleaseOfAGangIsSaidToBeOne() throws Exception {
        Path data = directory.resolve("n1");
        long released;
        try (RaftNode node = start(data)) {
            submit(node, "r1", 1);
            node.submit(new Operation.Release("acme", "r1", true)).get(10, TimeUnit.MINUTES);
            released = node.status().applied();
        }
        assertThat(Salvage.of(data).skip(released, "olga", "why"))
                .isEqualTo("[release acme/r1 with the gang in which it waits, if any]");
    }

    @Test
    void twoDirectoriesThatAreTreatedAlikeStayAlike() throws Exception {
        Path one = directory.resolve("one");
        poison(one);
        Path two = directory.resolve("two");
        copy(one, two);
        long poisoned = Salvage.of(one).inspect(policies()).good() + 1;
        for (Path data : List.of(one, two)) {
            Salvage.of(data).skip(poisoned, "olga", "mended");
        }
        ServiceState first = Salvage.of(one).state(policies(), Long.MAX_VALUE);
        ServiceState second = Salvage.of(two).state(policies(), Long.MAX_VALUE);
        assertThat(second.digest()).isEqualTo(first.digest());
        assertThat(second.world().audit()).isEqualTo(first.world().audit());
    }

    /**
     * The log is damaged in its middle, as on all nodes at once: what is before can be taken into a new group.
     */
    @Test
    void theStateOfADamagedLogIsTakenIntoANewGroup() throws Exception {
        Path data = directory.resolve("n1");
        try (RaftNode node = start(data)) {
            for (int i = 0; i < 40; i++) {
                submit(node, "r" + i, 1);
            }
        }
        Path log = files(data, "log_").get(0);
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 4;
        Files.write(log, bytes);
        assertThatThrownBy(() -> start(data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is damaged in entry");

        Salvage.Found found = Salvage.of(data).inspect(policies());
        assertThat(found.whole()).isFalse();
        assertThat(found.damage()).contains("is damaged in entry " + (found.good() + 1));
        assertThat(found.applied()).isGreaterThan(found.good());
        ServiceState good = Salvage.of(data).state(policies(), Long.MAX_VALUE);
        int live = good.world().live();
        assertThat(live).isBetween(5, 35);
        Path fresh = directory.resolve("fresh");
        Backup.found(good, new TreeMap<>(Map.of("n1", fresh)));
        try (RaftNode node = start(fresh)) {
            assertThat(node.status().digest()).isEqualTo(good.digest());
            assertThat((int) node.look(state -> state.world().live())).isEqualTo(live);
            assertThat(submit(node, "later", 1).request().number()).isEqualTo(live);
        }
    }

    @Test
    void aRunningNodeIsBackedUpAndRestoredAsItWas() throws Exception {
        Path data = directory.resolve("n1");
        Path backup = directory.resolve("backup");
        List<String> before;
        try (RaftNode node = start(data)) {
            for (int i = 0; i < 30; i++) {
                submit(node, "r" + i, 1 + i % 4);
            }
            node.submit(new Operation.Release("acme", "r3")).get(10, TimeUnit.MINUTES);
            before = node.look(state ->
                    state.world().requests().stream().map(SalvageTest::text).toList());
            backUp(directory, policies(), backup);
            assertThatThrownBy(() -> backUp(directory, policies(), backup)).hasMessageContaining("exists");
            assertThatThrownBy(() -> Salvage.of(data).skip(3, "olga", "x")).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> Backup.found(Backup.read(backup, policies()), new TreeMap<>(Map.of("n1", data))))
                .hasMessageContaining("is not empty");
        Path fresh = directory.resolve("fresh");
        Backup.found(Backup.read(backup, policies()), new TreeMap<>(Map.of("n1", fresh)));
        // One that has applied nothing yet has its snapshot all the same.
        ServiceState fromSnapshot = backUp(fresh, policies(), directory.resolve("again"));
        assertThat(fromSnapshot.digest())
                .isEqualTo(Backup.read(backup, policies()).digest());
        try (RaftNode node = start(fresh)) {
            List<String> after = node.look(state ->
                    state.world().requests().stream().map(SalvageTest::text).toList());
            assertThat(after).isEqualTo(before);
            // Who asks again is answered as before.
            assertThat(node.submit(new Operation.Release("acme", "r3"))
                            .get(10, TimeUnit.MINUTES)
                            .kind())
                    .isEqualTo(Outcome.Kind.REPEATED);
            assertThat(submit(node, "r4", 1).kind()).isEqualTo(Outcome.Kind.REPEATED);
        }
        byte[] bytes = Files.readAllBytes(backup);
        bytes[bytes.length / 2] ^= 1;
        Files.write(backup, bytes);
        assertThatThrownBy(() -> Backup.read(backup, policies())).hasMessageContaining("is damaged");
    }

    /** Nightly: a million requests, from memory to a file, to a node, and from that node to a file again. */
    @Test
    @EnabledIfSystemProperty(named = "stowage.large", matches = "true")
    void aMillionRequestsAreBackedUpAndRestored() throws Exception {
        int requests = 1_000_000;
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.of("mem")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(requests / 40, Amounts.of(48, 48)))),
                List.of(RequestType.of("small", 1, 1)));
        Setting large = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.DAYS.toNanos(1));
        ServiceState state = new ServiceState(policies());
        state.apply(0, batch(0, List.of(new Operation.Begin(large))));
        for (int i = 0; i < requests; ) {
            List<Operation> some = new ArrayList<>();
            for (int end = i + 500; i < end; i++) {
                some.add(Submits.of("t" + i % 50, "request-" + i, "small", new long[0], new long[0], 0, -1));
            }
            state.apply(i / 500, batch(i, some));
            state.takeChanges();
        }
        Path file = directory.resolve("large");
        long started = System.nanoTime();
        Backup.write(state, file);
        long written = System.nanoTime();
        Path data = directory.resolve("n1");
        Backup.found(Backup.read(file, policies()), new TreeMap<>(Map.of("n1", data)));
        long restored = System.nanoTime();
        try (RaftNode node = RaftNode.start(NodeSettings.single(data), policies(), large)) {
            Await.until("ready", () -> node.status().ready());
            assertThat((int) node.look(now -> now.world().live())).isEqualTo(requests);
            assertThat(Long.toHexString(node.status().digest())).isEqualTo(Long.toHexString(state.digest()));
            long serving = System.nanoTime();
            ServiceState again = backUp(data, policies(), directory.resolve("again"));
            assertThat(again.digest()).isEqualTo(state.digest());
            System.out.printf(
                    Locale.ROOT,
                    "%,d requests: %,d bytes, written in %.1f s, restored in %.1f s, serving after %.1f s, backed up"
                            + " from"
                            + " its node in %.1f s%n",
                    requests,
                    Files.size(file),
                    (written - started) / 1e9,
                    (restored - written) / 1e9,
                    (serving - restored) / 1e9,
                    (System.nanoTime() - serving) / 1e9);
        }
    }

    private static Batch batch(long at, List<Operation> operations) {
        return new Batch(ServiceState.VERSION, 0, at, 1 + at, operations);
    }

    private static String text(Request request) {
        return request.toString().replaceAll("\\[J@\\w+", "");
    }

    private static List<Path> files(Path data, String begins) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(file -> String.valueOf(file.getFileName()).startsWith(begins))
                    .toList();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    /** Writes the state that a node has applied. */
    static ServiceState backUp(Path directory, PolicyFactory policies, Path file) throws IOException {
        Salvage.Taken taken = Salvage.of(directory).applied(policies);
        assertThat(taken.missing()).isNull();
        Backup.write(taken.state(), file);
        return taken.state();
    }
}
