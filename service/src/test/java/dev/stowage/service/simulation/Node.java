package dev.stowage.service.simulation;

import dev.stowage.service.raft.LeaderClock;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Restless;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node: Raft by its paper (election, log matching, commitment by majority in the own term, snapshots, reads by index) around the
 * real {@link ServiceState}. Messages are calls that the {@link Network} delivers; what belongs to an earlier life does not happen.
 */
final class Node {
    private static final long HEARTBEAT = Agenda.millis(20);
    private static final long ELECTION = Agenda.millis(100);
    private static final long WINDOW = Agenda.millis(1);
    private static final long DUTIES = Agenda.millis(5);
    private static final long CHECK_EVERY = Agenda.millis(200);
    private static final int SNAPSHOT_ENTRIES = 60;
    private static final int MOST_ENTRIES = 50;

    private enum Role {
        FOLLOWER,
        CANDIDATE,
        LEADER,
        /** Acknowledged entries are lost: it takes no part until it has a state that has them. */
        REJOINING
    }

    private record Read(long round, long index, Ask ask) {}

    private record Wanted(long round, long index, int from) {}

    private final Simulation all;
    private final Disk disk;
    private final Random random;
    private final int id;
    private final int nodes;
    private int life;
    private boolean up;
    private Role role = Role.FOLLOWER;
    private int leader = -1;
    private int elections;
    private int votes;
    private List<LogEntry> log = new ArrayList<>();
    private long base;
    private long baseTerm;
    private long commit;
    private long applied;
    private ServiceState state = new ServiceState(Restless.factory());
    private boolean tainted;
    private boolean suspect;
    private LeaderClock clock;
    private long wallOffset;

    private final long[] next;
    private final long[] match;
    private final long[] acknowledgedRound;
    private long round;
    private long firstOfTerm;
    private final List<Read> reads = new ArrayList<>();
    private final List<Wanted> wanted = new ArrayList<>();
    private final TreeMap<Long, List<Ask>> answers = new TreeMap<>();
    private List<Ask> queue = new ArrayList<>();
    private long origin;
    private long sequence;
    private long lastCheck;
    private boolean dutyUnderWay;
    private boolean snapshotUnderWay;
    private long lastSnapshot;
    private int installs;
    private @Nullable LogEntry postponed;

    Node(Simulation all, int id, int nodes, Random random) {
        this.all = all;
        this.id = id;
        this.nodes = nodes;
        this.random = random;
        disk = new Disk(all.agenda(), random, all.mutation() != Mutation.NO_SYNC);
        next = new long[nodes];
        match = new long[nodes];
        acknowledgedRound = new long[nodes];
        clock = newClock();
    }

    private LeaderClock newClock() {
        return new LeaderClock(this::wallTime, () -> all.agenda().now());
    }

    private long wallTime() {
        return Simulation.EPOCH + all.agenda().now() + wallOffset;
    }

    // --- life and death

    void start() {
        up = true;
        life++;
        leader = -1;
        origin = random.nextLong();
        sequence = 0;
        clock = newClock();
        recover();
        if (role != Role.REJOINING) {
            role = Role.FOLLOWER;
            resetElection();
        }
        duties();
    }

    private void recover() {
        suspect = false;
        boolean lost = false;
        log = new ArrayList<>(disk.entries(all.mutation() == Mutation.NO_CHECKSUM));
        lost |= disk.lostEntries();
        base = disk.base();
        baseTerm = disk.baseTerm();
        state = new ServiceState(Restless.factory());
        tainted = false;
        applied = 0;
        for (Disk.Snap snap = disk.newest(); snap != null && applied == 0; snap = disk.newest()) {
            try {
                state = read(snap);
                applied = snap.index() + (all.mutation() == Mutation.SNAPSHOT_ONE_AHEAD ? 1 : 0);
                tainted = snap.tainted();
            } catch (IOException e) {
                disk.remove(snap);
                all.count("damaged snapshots");
            }
        }
        lost |= applied < base;
        if (applied > last()) {
            Disk.Snap snap = disk.newest();
            if (snap != null && last() < snap.index()) {
                disk.install(snap, false);
                log = new ArrayList<>();
                base = snap.index();
                baseTerm = snap.term();
            }
        }
        commit = applied;
        lastSnapshot = applied;
        boolean cut = all.mutation() == Mutation.CUT_DAMAGED_LOG && applied >= base;
        role = (lost && !cut) || role == Role.REJOINING ? Role.REJOINING : Role.FOLLOWER;
        if (lost) {
            all.count("damaged logs");
        }
    }

    private static ServiceState read(Disk.Snap snap) throws IOException {
        return Snapshot.read(snap.toString(), Simulation.content(snap.bytes()), Restless.factory());
    }

    void crash() {
        up = false;
        life++;
        disk.crash();
        if (all.mutation() == Mutation.NO_VOTE_KEPT) {
            disk.forgetVote();
        }
        votes = 0;
        reads.clear();
        wanted.clear();
        answers.clear();
        queue = new ArrayList<>();
        dutyUnderWay = false;
        snapshotUnderWay = false;
        postponed = null;
        all.count("crashes");
    }

    private void after(long nanos, Runnable what) {
        int now = life;
        all.agenda().after(nanos, () -> {
            if (up && life == now) {
                what.run();
            }
        });
    }

    private void send(int to, Consumer<Node> message) {
        Node target = all.node(to);
        all.network().send(id, to, () -> {
            if (target.up) {
                message.accept(target);
            }
        });
    }

    private void sync(Runnable done) {
        int now = life;
        disk.sync(() -> {
            if (up && life == now) {
                done.run();
            }
        });
    }

    // --- the log

    private long last() {
        return base + log.size();
    }

    private long termAt(long index) {
        return index == base ? baseTerm : log.get((int) (index - base - 1)).term();
    }

    private boolean append(LogEntry entry) {
        if (!disk.append(entry)) {
            all.count("full disks");
            all.fail(this);
            return false;
        }
        log.add(entry);
        return true;
    }

    private void truncate(long from) {
        if (from <= commit && !tainted) {
            throw all.broken("node " + id + " must take away entry " + from + ", but " + commit + " are committed");
        }
        log.subList((int) (from - base - 1), log.size()).clear();
        disk.truncate(from);
    }

    // --- election

    private void resetElection() {
        int number = ++elections;
        after(ELECTION + (long) (all.electionSpread() * random.nextDouble() * ELECTION), () -> {
            if (number == elections && role != Role.LEADER && role != Role.REJOINING) {
                campaign();
            }
        });
    }

    private void campaign() {
        resetElection();
        if (tainted) {
            // A leader whose memory is damaged misleads the others: nothing here can tell, so it is not tried.
            return;
        }
        role = Role.CANDIDATE;
        long term = disk.term() + 1;
        disk.remember(term, id);
        votes = 1 << id;
        long lastIndex = last();
        long lastTerm = termAt(lastIndex);
        for (int peer = 0; peer < nodes; peer++) {
            if (peer != id) {
                send(peer, node -> node.onVoteAsk(id, term, lastIndex, lastTerm));
            }
        }
        onVote(term);
    }

    private void onVoteAsk(int from, long term, long lastIndex, long lastTerm) {
        if (role == Role.REJOINING) {
            return;
        }
        newTerm(term);
        boolean complete = lastTerm > termAt(last()) || (lastTerm == termAt(last()) && lastIndex >= last());
        if (term == disk.term() && complete && (disk.vote() == -1 || disk.vote() == from)) {
            disk.remember(term, from);
            resetElection();
            all.voted(this);
            send(from, node -> node.onVoteReply(id, term));
        }
    }

    private void onVoteReply(int from, long term) {
        if (role == Role.CANDIDATE && term == disk.term()) {
            votes |= 1 << from;
            onVote(term);
        }
    }

    private void onVote(long term) {
        if (role == Role.CANDIDATE && 2 * Integer.bitCount(votes) > nodes) {
            role = Role.LEADER;
            leader = id;
            all.leads(id, term);
            clock.set(state.now());
            Arrays.fill(next, last() + 1);
            Arrays.fill(match, 0);
            Arrays.fill(acknowledgedRound, 0);
            round = 0;
            lastCheck = all.agenda().now();
            dutyUnderWay = false;
            firstOfTerm = last() + 1;
            if (append(new LogEntry(term, new byte[0]))) {
                replicate();
                heartbeat(term);
            }
        }
    }

    private void heartbeat(long term) {
        after(HEARTBEAT, () -> {
            if (role == Role.LEADER && disk.term() == term) {
                replicate();
                heartbeat(term);
            }
        });
    }

    private void newTerm(long term) {
        if (term > disk.term()) {
            disk.remember(term, -1);
            if (role != Role.REJOINING) {
                if (role == Role.LEADER) {
                    resetElection();
                }
                role = Role.FOLLOWER;
            }
            reads.clear();
            wanted.clear();
        }
    }

    // --- replication

    private void replicate() {
        long term = disk.term();
        long index = last();
        sync(() -> {
            if (role == Role.LEADER && disk.term() == term) {
                match[id] = Math.max(match[id], index);
                advance();
            }
        });
        for (int peer = 0; peer < nodes; peer++) {
            if (peer != id) {
                replicateTo(peer);
            }
        }
    }

    private void replicateTo(int peer) {
        long term = disk.term();
        long asked = round;
        if (next[peer] <= base) {
            Disk.Snap snap = disk.newest();
            if (snap != null) {
                all.count("snapshots sent");
                send(peer, node -> node.onInstall(id, term, snap, asked));
            }
            return;
        }
        long previous = next[peer] - 1;
        long previousTerm = termAt(previous);
        int from = (int) (previous - base);
        List<LogEntry> entries = List.copyOf(log.subList(from, Math.min(log.size(), from + MOST_ENTRIES)));
        long committed = commit;
        send(peer, node -> node.onAppend(id, term, previous, previousTerm, entries, committed, asked));
    }

    private void onAppend(
            int from, long term, long previous, long previousTerm, List<LogEntry> entries, long committed, long asked) {
        if (!follows(from, term)) {
            return;
        }
        if (previous > last() || (previous >= base && termAt(previous) != previousTerm)) {
            long hint = Math.max(commit, Math.min(last(), previous - 1));
            send(from, node -> node.onAppendReply(id, term, false, hint, asked));
            return;
        }
        long index = previous;
        for (LogEntry entry : entries) {
            index++;
            if (index <= base || (index <= last() && termAt(index) == entry.term())) {
                continue;
            }
            if (index <= last()) {
                truncate(index);
            }
            if (!append(entry)) {
                return;
            }
        }
        long matched = previous + entries.size();
        sync(() -> {
            if (disk.term() == term) {
                commitTo(Math.min(committed, matched));
                send(from, node -> node.onAppendReply(id, term, true, matched, asked));
            }
        });
    }

    /** Whether a message of a leader counts. */
    private boolean follows(int from, long term) {
        if (role == Role.REJOINING) {
            return false;
        }
        newTerm(term);
        if (term < disk.term()) {
            long own = disk.term();
            send(from, node -> node.newTermOf(own));
            return false;
        }
        role = Role.FOLLOWER;
        leader = from;
        resetElection();
        return true;
    }

    private void newTermOf(long term) {
        newTerm(term);
    }

    private void onAppendReply(int from, long term, boolean matches, long index, long asked) {
        if (role != Role.LEADER || term != disk.term()) {
            return;
        }
        acknowledgedRound[from] = Math.max(acknowledgedRound[from], asked);
        if (matches) {
            match[from] = Math.max(match[from], index);
            next[from] = Math.max(next[from], index + 1);
            advance();
            if (next[from] <= last()) {
                replicateTo(from);
            }
        } else {
            next[from] = Math.max(1, Math.min(next[from], index + 1));
            replicateTo(from);
        }
        answerReads();
    }

    private void advance() {
        long[] sorted = match.clone();
        Arrays.sort(sorted);
        long majority = all.mutation() == Mutation.NO_MAJORITY ? match[id] : sorted[(nodes - 1) / 2];
        if (majority > commit && termAt(majority) == disk.term()) {
            // As in Ratis: nothing is applied that this node's own disk does not have.
            commitTo(Math.min(majority, match[id]));
            answerReads();
        }
    }

    private void commitTo(long index) {
        commit = Math.max(commit, index);
        while (applied < commit && up) {
            LogEntry entry = log.get((int) (applied - base));
            applied++;
            apply(applied, entry);
        }
        disk.mark(applied);
    }

    private void apply(long index, LogEntry entry) {
        LogEntry turn = entry;
        if (all.mutation() == Mutation.OUT_OF_ORDER) {
            LogEntry held = postponed;
            if (held != null) {
                turn = held;
                postponed = entry;
            } else if (random.nextInt(100) == 0) {
                postponed = entry;
                return;
            }
        }
        if (turn.payload().length == 0) {
            return;
        }
        Batch batch = decode(index, turn);
        List<Outcome> outcomes = state.apply(index, batch);
        String halted = state.halted();
        if (halted != null) {
            if (!tainted) {
                throw all.broken("node " + id + " stops serving: " + halted);
            }
        } else if (!tainted) {
            all.witness().applied(id, index, entry, batch, outcomes, state);
        }
        List<Ask> asks = batch.origin() == origin ? answers.remove(batch.sequence()) : null;
        if (asks != null) {
            for (int i = 0; i < asks.size(); i++) {
                asks.get(i)
                        .answer()
                        .accept(
                                halted != null
                                        ? Reply.askElsewhere(-1)
                                        : new Reply(
                                                true,
                                                id,
                                                outcomes.get(i),
                                                outcomes.get(i).request(),
                                                index));
            }
        }
    }

    private Batch decode(long index, LogEntry entry) {
        try {
            Batch batch = Batch.decode(entry.payload());
            return switch (all.mutation()) {
                case OWN_CLOCK ->
                    new Batch(batch.version(), batch.origin(), batch.sequence(), wallTime(), batch.operations());
                case NO_DIGEST_CHECK ->
                    new Batch(
                            batch.version(),
                            batch.origin(),
                            batch.sequence(),
                            batch.at(),
                            batch.operations().stream()
                                    .map(operation ->
                                            operation instanceof Operation.Check ? new Operation.Tick() : operation)
                                    .toList());
                default -> batch;
            };
        } catch (RuntimeException e) {
            throw all.broken("node " + id + " cannot read entry " + index + ": " + e);
        }
    }

    // --- what clients ask

    void onAsk(Ask ask) {
        boolean ready = role == Role.LEADER && applied >= firstOfTerm && state.halted() == null;
        if (!ready) {
            ask.answer().accept(Reply.askElsewhere(role == Role.LEADER || role == Role.REJOINING ? -1 : leader));
        } else if (ask.operation() == null) {
            reads.add(new Read(++round, commit, ask));
            if (all.mutation() == Mutation.STALE_READS) {
                Arrays.fill(acknowledgedRound, round);
            }
            replicate();
            answerReads();
        } else {
            queue.add(ask);
            if (queue.size() == 1) {
                after(WINDOW, this::flush);
            }
        }
    }

    private void flush() {
        List<Ask> asks = queue;
        queue = new ArrayList<>();
        if (role != Role.LEADER) {
            asks.forEach(ask -> ask.answer().accept(Reply.askElsewhere(leader)));
            return;
        }
        List<Operation> operations = asks.stream().map(Ask::operation).toList();
        long number = sequence++;
        Batch batch = new Batch(ServiceState.VERSION, origin, number, clock.now(), operations);
        if (append(new LogEntry(disk.term(), batch.encode()))) {
            answers.put(number, asks);
            replicate();
        }
    }

    private void answerReads() {
        if (role != Role.LEADER || applied < firstOfTerm) {
            return;
        }
        acknowledgedRound[id] = round;
        long[] sorted = acknowledgedRound.clone();
        Arrays.sort(sorted);
        long confirmed = sorted[(nodes - 1) / 2];
        for (int i = 0; i < reads.size(); ) {
            Read read = reads.get(i);
            if (read.round() <= confirmed && applied >= read.index()) {
                reads.remove(i);
                Ask ask = read.ask();
                ask.answer().accept(all.seen(state, ask, id, applied));
            } else {
                i++;
            }
        }
        for (int i = 0; i < wanted.size(); ) {
            Wanted one = wanted.get(i);
            if (one.round() <= confirmed && applied >= one.index()) {
                wanted.remove(i);
                Disk.Snap snap = capture();
                long term = disk.term();
                send(one.from(), node -> node.onGiven(term, snap));
            } else {
                i++;
            }
        }
    }

    // --- what happens by itself

    private void duties() {
        after(DUTIES, () -> {
            duties();
            if (role == Role.LEADER && applied >= firstOfTerm && state.halted() == null && !dutyUnderWay) {
                lead();
            }
            if (applied - lastSnapshot >= SNAPSHOT_ENTRIES && state.halted() == null && !snapshotUnderWay) {
                snapshot();
            }
            if ((role == Role.REJOINING || state.diverged()) && random.nextInt(6) == 0) {
                for (int peer = 0; peer < nodes; peer++) {
                    if (peer != id) {
                        send(peer, node -> node.onSnapshotWanted(id));
                    }
                }
            }
        });
    }

    private void lead() {
        Operation duty = null;
        if (state.world() == null) {
            duty = new Operation.Begin(all.setting());
        } else if (state.nextDeadline() <= clock.now()) {
            duty = new Operation.Tick();
        } else if (all.agenda().now() - lastCheck >= CHECK_EVERY) {
            lastCheck = all.agenda().now();
            duty = new Operation.Check(state.position(), state.digest());
        }
        if (duty != null) {
            dutyUnderWay = true;
            long term = disk.term();
            onAsk(new Ask(duty, "", "", reply -> dutyUnderWay &= disk.term() != term));
        }
    }

    private void snapshot() {
        lastSnapshot = applied;
        Disk.Snap snap = capture();
        snapshotUnderWay = true;
        int now = life;
        int same = installs;
        disk.snapshot(snap, () -> {
            if (up && life == now) {
                snapshotUnderWay = false;
                Disk.Snap newest = disk.newest();
                if (same == installs && (newest == null || newest.index() < snap.index())) {
                    disk.renamed(snap);
                    int gone = (int) (disk.base() - base);
                    log.subList(0, gone).clear();
                    base = disk.base();
                    baseTerm = disk.baseTerm();
                    all.count("snapshots");
                }
            }
        });
        after(Agenda.millis(1000), () -> snapshotUnderWay = false);
    }

    private Disk.Snap capture() {
        return new Disk.Snap(applied, termAt(applied), bytes(state), tainted);
    }

    static byte[] bytes(ServiceState state) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            state.capture().write(out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A node that lost its log or differs asks for a state that has everything committed. */
    private void onSnapshotWanted(int from) {
        if (role == Role.LEADER && applied >= firstOfTerm && state.halted() == null) {
            // Not only what is committed: what the node acknowledged and lost may be counted for the rest of the log
            // too.
            wanted.add(new Wanted(++round, last(), from));
            replicate();
            answerReads();
        }
    }

    private void onGiven(long term, Disk.Snap snap) {
        if (role == Role.REJOINING) {
            install(snap, false);
            role = Role.FOLLOWER;
            newTerm(term);
            resetElection();
            all.count("rejoined");
        } else if (state.diverged()) {
            boolean keep = snap.index() >= base && snap.index() <= last() && termAt(snap.index()) == snap.term();
            long committed = commit;
            install(snap, keep);
            commitTo(Math.max(commit, Math.min(committed, last())));
            all.count("healed");
        }
    }

    private void onInstall(int from, long term, Disk.Snap snap, long asked) {
        if (!follows(from, term)) {
            return;
        }
        if (snap.index() > commit) {
            boolean keep = snap.index() <= last() && termAt(snap.index()) == snap.term();
            install(snap, keep);
        }
        long index = snap.index();
        sync(() -> send(from, node -> node.onAppendReply(id, term, true, index, asked)));
    }

    private void install(Disk.Snap snap, boolean keepLog) {
        try {
            state = read(snap);
        } catch (IOException e) {
            throw all.broken("node " + id + " was sent a damaged " + snap + ": " + e.getMessage());
        }
        installs++;
        disk.install(snap, keepLog);
        if (!keepLog) {
            log = new ArrayList<>();
            base = snap.index();
            baseTerm = snap.term();
        }
        tainted = snap.tainted();
        postponed = null;
        applied = snap.index();
        lastSnapshot = applied;
        commit = Math.max(applied, Math.min(commit, last()));
        disk.mark(applied);
        if (!tainted) {
            all.witness().restored(id, applied, state);
        }
    }

    // --- for the simulation

    Disk disk() {
        return disk;
    }

    void jumpClock(long nanos) {
        wallOffset += nanos;
    }

    /** Memory of a follower changes by itself. */
    boolean damage() {
        if (up && role == Role.FOLLOWER && answers.isEmpty() && state.world() != null && state.halted() == null) {
            tainted = true;
            state.damageForTest();
            return true;
        }
        return false;
    }

    boolean up() {
        return up;
    }

    boolean leads() {
        return up && role == Role.LEADER;
    }

    /** Whether it is whole: what it holds counts for the group. */
    boolean whole() {
        return role != Role.REJOINING && !tainted;
    }

    /** Whether a bit of its log was turned that it has not read since. */
    boolean suspect() {
        return suspect;
    }

    void suspect(boolean now) {
        suspect = now;
    }

    int id() {
        return id;
    }

    long applied() {
        return applied;
    }

    ServiceState state() {
        return state;
    }
}
