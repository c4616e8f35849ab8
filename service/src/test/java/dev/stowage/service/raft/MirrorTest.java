package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Command;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.directory.HistoryFiles;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.ChangedRequests;
import dev.stowage.service.state.Listing;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Restless;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.SnapshotBytes;
import dev.stowage.service.state.Submits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that rebuilds the state from a list and a watch, page by page and entry by entry, from nodes that are at
 * different places of the log, start anew from snapshots of their own or of others, lose what was not synced, and
 * forget: whenever it says that it is at a position, it must know every request as the state had it there, whose digest
 * all nodes agree on. At the end every node tells all changes from the oldest position that it knows, each once.
 * More seeds: {@code -Dstowage.seeds=0..10000}.
 */
@Tag("once")
final class MirrorTest {
    private static final int SEEDS = 40;
    private static final int ENTRIES = 160;
    private static final List<String> TENANTS = List.of("", "acme", "beta");

    /** A replica: a state and what it tells those who watch, from memory and from the disk. */
    private static final class Replica {
        final Path group;
        final Feed feed = new Feed(20);
        final ChangeHistory history;
        ServiceState state = new ServiceState(Restless.factory());
        int applied;
        byte[] snapshot = {};
        /** Bytes of each file when the snapshot was taken: so much is on the disk. */
        Map<Path, Long> synced = new TreeMap<>();

        Replica(Path group, long mostBytes) {
            this.group = group;
            history = new ChangeHistory(feed, new HistoryFiles.Extent(Long.MAX_VALUE / 2, mostBytes, 3000, 1 << 20));
            history.restart(group, -1);
        }

        void apply(List<Batch> log, boolean writes) {
            state.apply(applied, log.get(applied));
            feed.add(applied, log.get(applied).at(), state.takeChanges());
            applied++;
            if (writes) {
                history.step();
            }
        }

        void takeSnapshot() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            state.capture().write(bytes);
            history.sync(state.position(), state.now());
            snapshot = bytes.toByteArray();
            synced = files();
        }

        private Map<Path, Long> files() throws IOException {
            Map<Path, Long> sizes = new TreeMap<>();
            try (var all = Files.list(group.resolve("history"))) {
                for (Path file : all.toList()) {
                    sizes.put(file, Files.size(file));
                }
            }
            return sizes;
        }

        /** The machine dies: the end of the last file may be lost, but for what was synced; it may be half a record. */
        void crash(Random random) throws IOException {
            if (snapshot.length == 0) {
                return;
            }
            Map<Path, Long> now = files();
            Path last = now.keySet().stream().max(Comparator.naturalOrder()).orElseThrow();
            // What is in memory dies with the process.
            history.forgetFiles();
            long least = Math.min(now.get(last), synced.getOrDefault(last, 8L));
            long left = least + (random.nextBoolean() ? 0 : random.nextLong(now.get(last) - least + 1));
            try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE)) {
                file.truncate(left);
            }
            load(snapshot);
        }

        /** It goes on with what another has. */
        void install(Replica from) throws IOException {
            if (from.snapshot.length > 0) {
                snapshot = from.snapshot;
                load(snapshot);
                synced = files();
            }
        }

        private void load(byte[] bytes) throws IOException {
            state = Snapshot.read("copy", new SnapshotBytes(bytes), Restless.factory());
            applied = (int) state.position() + 1;
            history.restart(group, state.position());
        }
    }

    /** What the client knows: the requests in the system by name, as of a position. */
    private static final class Mirror {
        final @Nullable String tenant;
        final Map<String, Seen> requests = new TreeMap<>();
        /** Where its run ends. */
        long last;

        long position = -1;
        Listing.@Nullable Place page;
        boolean lists = true;
        int completed;
        final Map<Replica, HistoryFiles.Place> places = new HashMap<>();
        /** Entries that only the disk had. */
        int old;

        Mirror(@Nullable String tenant) {
            this.tenant = tenant;
        }

        void startAnew() {
            lists = true;
            page = null;
            requests.clear();
        }

        /** A page or an entry more, of any node. */
        void step(Replica from, Random random) throws IOException {
            if (lists) {
                list(from, 1 + random.nextInt(5));
            } else {
                watch(from, 1 + random.nextInt(4));
            }
        }

        private void list(Replica from, int size) {
            Listing.Filter filter = new Listing.Filter(tenant, null, Listing.ANY, Listing.ANY);
            Listing.Place at = page == null ? Listing.Place.begin(from.state.position()) : page;
            if (at.position() < position) {
                // A client that asks for the newest state is never answered with an older one.
                return;
            }
            Listing next = new Listing(filter, at, size);
            try {
                while (next.inSystem(from.state)) {}
            } catch (Listing.PositionException e) {
                if (!e.ahead()) {
                    startAnew();
                }
                return;
            }
            next.finished();
            next.found().forEach(this::note);
            page = next.next();
            if (page == null) {
                lists = false;
                completed++;
                position = next.position();
            }
        }

        private void watch(Replica from, int most) {
            if (from.feed.last() < position) {
                return;
            }
            List<ChangedRequests> entries = from.feed.after(position, most);
            if (entries == null) {
                HistoryFiles.Place place = places.computeIfAbsent(from, node -> new HistoryFiles.Place());
                entries = from.history.recorded(position, place, most);
                old += entries == null ? 0 : entries.size();
                position = entries != null && entries.isEmpty() ? Math.max(position, place.through()) : position;
            }
            if (entries == null) {
                assertThat(position).isLessThan(from.history.floor());
                startAnew();
                return;
            }
            for (ChangedRequests entry : entries) {
                entry.requests().stream()
                        .filter(request -> tenant == null || tenant.equals(request.tenant()))
                        .forEach(this::note);
                position = entry.position();
            }
        }

        private void note(Request request) {
            requests.put(name(request.tenant(), request.id()), Seen.of(request));
        }
    }

    private static String name(String tenant, String id) {
        return tenant + "/" + id;
    }

    /** All of a request that can be compared. */
    private record Seen(List<Long> demand, Request rest) {
        private static final long[] NOTHING = {};

        static Seen of(Request request) {
            return new Seen(
                    Arrays.stream(request.demand()).boxed().toList(),
                    new Request(
                            request.tenant(),
                            request.id(),
                            request.number(),
                            request.fingerprint(),
                            request.type(),
                            NOTHING,
                            request.sites(),
                            request.words(),
                            request.state(),
                            request.server(),
                            request.queue(),
                            request.arrivedAt(),
                            request.since(),
                            request.waitUntil(),
                            request.reason(),
                            request.position(),
                            request.adjustment(),
                            request.life(),
                            request.devices(),
                            request.displaced()));
        }
    }

    private final TreeSet<String> names = new TreeSet<>();
    private int lists;
    private int compared;
    private int begunAnew;
    private int old;
    private int retold;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void aListAndAWatchAreTheState() throws IOException {
        String[] range = System.getProperty("stowage.seeds", "0.." + SEEDS).split("\\.\\.", -1);
        long from = Long.parseLong(range[0]);
        long to = Long.parseLong(range[1]);
        for (long seed = from; seed < to; seed++) {
            run(seed);
        }
        System.out.println("seeds " + from + " to " + (to - 1) + ": " + lists + " lists, " + compared
                + " comparisons, replicas begun anew " + begunAnew + ", entries from the disk " + old
                + ", all told again by " + retold + " replicas");
        assertThat(compared).isGreaterThan(10 * (int) (to - from));
        assertThat(old).isGreaterThan((int) (to - from));
        assertThat(retold).isPositive();
    }

    private void run(long seed) throws IOException {
        Random random = new Random(seed);
        names.clear();
        List<Batch> log = log(random);
        // What every request was after every entry, asked for one by one of a state that does nothing else.
        List<Map<String, Seen>> truth = new ArrayList<>();
        long[] digests = new long[log.size()];
        List<List<Seen>> changes = new ArrayList<>();
        ServiceState reference = new ServiceState(Restless.factory());
        for (int at = 0; at < log.size(); at++) {
            reference.apply(at, log.get(at));
            assertThat(reference.halted()).isNull();
            changes.add(reference.takeChanges().stream().map(Seen::of).toList());
            digests[at] = reference.digest();
            truth.add(known(reference));
        }
        Path disks = Files.createDirectory(directory.resolve("seed" + seed));
        long most = random.nextInt(3) == 0 ? 10_000 : 1 << 20;
        List<Replica> replicas = List.of(
                new Replica(disks.resolve("a"), most),
                new Replica(disks.resolve("b"), most),
                new Replica(disks.resolve("c"), most));
        List<Mirror> mirrors = List.of(new Mirror(null), new Mirror("acme"), new Mirror(""));
        replicas.forEach(replica -> replica.apply(log, true));
        mirrors.forEach(mirror -> mirror.last = last(truth, mirror));
        while (replicas.stream().anyMatch(replica -> replica.applied < log.size())
                || mirrors.stream().anyMatch(mirror -> mirror.lists || mirror.position < mirror.last)) {
            Replica some = replicas.get(random.nextInt(replicas.size()));
            int what = random.nextInt(100);
            if (what < 45) {
                if (some.applied < log.size()) {
                    some.apply(log, random.nextInt(4) > 0);
                    assertThat(some.state.digest()).as("seed %s", seed).isEqualTo(digests[some.applied - 1]);
                }
            } else if (what < 47) {
                some.takeSnapshot();
            } else if (what < 48 && random.nextInt(3) == 0) {
                some.crash(random);
                begunAnew++;
            } else if (what < 49 && random.nextInt(6) == 0) {
                some.install(replicas.get(random.nextInt(replicas.size())));
                begunAnew++;
            } else {
                Mirror mirror = mirrors.get(random.nextInt(mirrors.size()));
                mirror.step(some, random);
                if (!mirror.lists) {
                    compare(seed, mirror, truth.get((int) mirror.position));
                }
            }
        }
        lists += mirrors.stream().mapToInt(mirror -> mirror.completed).sum();
        old += mirrors.stream().mapToInt(mirror -> mirror.old).sum();
        for (Replica replica : replicas) {
            tellsAllAgain(seed, replica, changes);
            replica.history.close();
        }
    }

    /** From the oldest position that it knows: every entry that changed something, once and in order. */
    private void tellsAllAgain(long seed, Replica replica, List<List<Seen>> changes) {
        replica.history.step();
        long position = replica.history.floor();
        retold += position < 0 ? 1 : 0;
        HistoryFiles.Place place = new HistoryFiles.Place();
        if (position >= 0) {
            assertThat(replica.history.recorded(position - 1, place, 1)).isNull();
        }
        for (long at = position + 1; at < replica.applied; at++) {
            if (changes.get((int) at).isEmpty()) {
                continue;
            }
            List<ChangedRequests> next = replica.history.recorded(position, place, 1);
            assertThat(next).as("seed %s behind %s", seed, position).hasSize(1);
            position = at;
            assertThat(next.get(0).position()).as("seed %s", seed).isEqualTo(at);
            assertThat(next.get(0).at()).isEqualTo(at * 1000);
            assertThat(next.get(0).requests().stream().map(Seen::of).toList())
                    .as("seed %s at %s", seed, at)
                    .isEqualTo(changes.get((int) at));
        }
        assertThat(replica.history.recorded(position, place, 1)).isEmpty();
    }

    /** The last entry that changed what the mirror sees: behind it nothing is told. */
    private static long last(List<Map<String, Seen>> truth, Mirror mirror) {
        int at = truth.size() - 1;
        while (at > 0 && ofTenant(truth.get(at), mirror.tenant).equals(ofTenant(truth.get(at - 1), mirror.tenant))) {
            at--;
        }
        return at;
    }

    private void compare(long seed, Mirror mirror, Map<String, Seen> truth) {
        compared++;
        assertThat(mirror.requests)
                .as("seed %s, tenant %s at position %s", seed, mirror.tenant, mirror.position)
                .isEqualTo(ofTenant(truth, mirror.tenant));
    }

    private static Map<String, Seen> ofTenant(Map<String, Seen> all, @Nullable String tenant) {
        Map<String, Seen> some = new TreeMap<>(all);
        some.keySet().removeIf(name -> tenant != null && !name.startsWith(tenant + "/"));
        return some;
    }

    private Map<String, Seen> known(ServiceState state) {
        Map<String, Seen> all = new TreeMap<>();
        for (String name : names) {
            String[] parts = name.split("/", -1);
            Request request = state.world() == null ? null : state.world().find(parts[0], parts[1]);
            if (request != null) {
                all.put(name, Seen.of(request));
            }
        }
        return all;
    }

    private List<Batch> log(Random random) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of("here", new ServerBlock(4, Amounts.of(10))),
                        Site.of("there", new ServerBlock(2, Amounts.of(14)))),
                List.of(RequestType.of("small", 2)));
        List<String> policies = List.of("restless-move", "fifo-ff", "bf-js");
        PolicySpec policy = PolicySpec.of(policies.get(random.nextInt(policies.size())));
        List<Batch> log = new ArrayList<>();
        log.add(batch(0, List.of(new Operation.Begin(new Setting(cluster, policy, 1, Long.MAX_VALUE / 4)))));
        for (int at = 1; at < ENTRIES; at++) {
            List<Operation> operations = new ArrayList<>();
            for (int n = random.nextInt(4); n >= 0; n--) {
                operations.add(operation(random, at));
            }
            log.add(batch(at, operations));
        }
        return log;
    }

    private static Batch batch(int at, List<Operation> operations) {
        return new Batch(ServiceState.VERSION, 0, at, at * 1000L, operations);
    }

    private Operation operation(Random random, int at) {
        String tenant = TENANTS.get(random.nextInt(TENANTS.size()));
        int what = random.nextInt(20);
        if (what < 9) {
            String id = "r" + at + "-" + random.nextInt(100);
            names.add(name(tenant, id));
            long wait = random.nextInt(3) == 0 ? random.nextInt(20_000) : Operation.ANY_WAIT;
            return Submits.of(tenant, id, "", new long[] {1 + random.nextInt(6)}, new long[0], 0, wait, List.of());
        } else if (what < 18) {
            List<String> all = List.copyOf(names);
            String[] some = all.isEmpty()
                    ? new String[] {"", "none"}
                    : all.get(random.nextInt(all.size())).split("/", -1);
            return new Operation.Release(some[0], some[1]);
        } else if (what < 19) {
            return new Operation.Tick();
        }
        List<Command.Kind> kinds = List.of(Command.Kind.DRAIN, Command.Kind.RETURN, Command.Kind.LOSE);
        return new Operation.Change(
                "c" + at + "-" + random.nextInt(100),
                "ann",
                "",
                Command.plain(kinds.get(random.nextInt(3)), 0, random.nextInt(6)));
    }
}
