package dev.stowage.service.simulation;

import dev.stowage.service.raft.LeaderClock;
import dev.stowage.service.raft.Parts;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Restless;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.SnapshotBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node: Raft by its paper (election, log matching, commitment by majority in the own term, snapshots, reads by
 * index), with what Ratis does besides, around the real {@link ServiceState} and the real {@link Parts}. Messages are
 * calls that the {@link Network} delivers; what belongs to an earlier life does not happen. Long because Raft's roles
 * share every field; what decides anything of ours is in {@link Parts}.
 */
final class Node implements Parts.Node {
    private static final long HEARTBEAT = Agenda.millis(20);
    private static final long ELECTION = Agenda.millis(100);
    private static final long WINDOW = Agenda.millis(1);
    private static final long DUTIES = Agenda.millis(5);
    private static final long CHECK_EVERY = Agenda.millis(200);
    private static final int SNAPSHOT_ENTRIES = 60;
    private static final int MOST_ENTRIES = 50;
    /** How often a follower looks whether it must ask for votes. */
    private static final long FOLLOW = Agenda.millis(25);
    /** How long answers of others are waited for. */
    private static final long GATHER = Agenda.millis(5);
    /** Between one follower and the next where the leader's process has ended. */
    private static final long TURN = Agenda.millis(25);

    private static final long JOIN = Agenda.millis(20);

    private enum Role {
        FOLLOWER,
        CANDIDATE,
        LEADER,
        /** Acknowledged entries are lost: it takes no part until the leader lets it join. */
        REJOINING
    }

    private record Read(long round, long index, Ask ask) {}

    private record Wanted(long round, long index, int from) {}

    private final ServiceSimulation all;
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
    private int willing;
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
    private final long[] heardFrom;
    private long round;
    private long firstOfTerm;
    private final List<Read> reads = new ArrayList<>();
    private final List<Wanted> wanted = new ArrayList<>();
    private final TreeMap<Long, CompletableFuture<Void>> appended = new TreeMap<>();
    private Parts parts;
    private boolean flushing;
    private long origin;
    private boolean snapshotUnderWay;
    /** The last snapshot index that Raft was told. */
    private long told;

    private int installs;
    /** Appends that Ratis counts as under way, and whether the next one fails. */
    private int appends;

    private boolean failNext;
    private int campaigns;
    private long heard;
    private long previousUnderWay = -1;
    private int entriesUnderWay;
    private @Nullable LogEntry postponed;

    Node(ServiceSimulation all, int id, int nodes, Random random) {
        this.all = all;
        this.id = id;
        this.nodes = nodes;
        this.random = random;
        disk = new Disk(all.agenda(), random, all.mutation() != Mutation.NO_SYNC);
        next = new long[nodes];
        match = new long[nodes];
        acknowledgedRound = new long[nodes];
        heardFrom = new long[nodes];
        clock = newClock();
        parts = newParts();
    }

    private Parts newParts() {
        return new Parts(
                this,
                clock,
                origin,
                all.setting(),
                CHECK_EVERY,
                SNAPSHOT_ENTRIES,
                ELECTION,
                () -> all.agenda().now());
    }

    private LeaderClock newClock() {
        return new LeaderClock(this::wallTime, () -> all.agenda().now());
    }

    private long wallTime() {
        return ServiceSimulation.EPOCH + all.agenda().now() + wallOffset;
    }

    // --- life and death

    void start() {
        up = true;
        life++;
        leader = -1;
        origin = random.nextLong();
        clock = newClock();
        flushing = false;
        appends = 0;
        failNext = false;
        previousUnderWay = -1;
        heard = all.agenda().now();
        applied = 0;
        recover();
        parts = newParts();
        parts.loaded(told);
        if (role != Role.REJOINING) {
            role = Role.FOLLOWER;
            resetElection();
        }
        duties();
        follow();
        join();
    }

    private void recover() {
        suspect = false;
        boolean lost = false;
        log = new ArrayList<>(disk.entries(all.mutation() == Mutation.NO_CHECKSUM));
        lost |= disk.lostEntries();
        if (disk.lostVote()) {
            // As a full disk leaves it: nobody knows for whom this node voted, nor when.
            long last =
                    log.isEmpty() ? disk.newestTerm() : log.get(log.size() - 1).term();
            long[] vote = Parts.voteAfter(disk.kept(), last, id);
            boolean forgets = all.mutation() == Mutation.LAST_TERM_OF_LOG;
            disk.remember(forgets ? last : vote[0], forgets ? -1 : (int) vote[1]);
            all.count("lost votes");
        }
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
        boolean gap = applied < base;
        lost |= gap;
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
        Disk.Snap loaded = disk.newest();
        told = loaded == null ? -1 : loaded.index();
        // A log that ends before a snapshot of the leader's counts as lost, too; one that begins behind every snapshot
        // must not occur.
        if (gap && !disk.isWiped() && !disk.isDamaged()) {
            throw all.broken("node " + id
                    + " has lost part of its log, of which nothing was damaged: it has a state of entry " + applied
                    + ", entries " + (base + 1) + " to " + last() + ", and had applied " + disk.mark());
        }
        lost |= disk.isWiped() && all.mutation() != Mutation.WIPED_STARTS;
        boolean cut = all.mutation() == Mutation.CUT_DAMAGED_LOG && applied >= base;
        role = (lost && !cut) || role == Role.REJOINING ? Role.REJOINING : Role.FOLLOWER;
        if (lost) {
            all.count("damaged logs");
        }
    }

    private static ServiceState read(Disk.Snap snap) throws IOException {
        return Snapshot.read(snap.toString(), new SnapshotBytes(snap.bytes()), Restless.factory());
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
        appended.clear();
        parts.end();
        snapshotUnderWay = false;
        postponed = null;
        all.ended(id);
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
            if (number == elections && role == Role.FOLLOWER && appends > 0) {
                // Ratis asks for no votes while entries are being appended.
                resetElection();
            } else if (number == elections && role != Role.LEADER && role != Role.REJOINING) {
                ask();
            }
        });
    }

    /** As Ratis: asks first whether a majority would vote for it, and begins no term in vain. */
    private void ask() {
        resetElection();
        willing = 1 << id;
        long lastIndex = last();
        long lastTerm = termAt(lastIndex);
        int number = elections;
        for (int peer = 0; peer < nodes; peer++) {
            if (peer != id) {
                send(peer, node -> node.onAsked(id, lastIndex, lastTerm, number));
            }
        }
        onWilling(id, number);
    }

    private void onAsked(int from, long lastIndex, long lastTerm, int number) {
        boolean would = role != Role.REJOINING && role != Role.LEADER && isComplete(lastIndex, lastTerm);
        if (would) {
            send(from, node -> node.onWilling(id, number));
        }
    }

    private void onWilling(int from, int number) {
        if (number == elections && role != Role.LEADER && role != Role.REJOINING) {
            willing |= 1 << from;
            if (2 * Integer.bitCount(willing) > nodes) {
                campaign();
            }
        }
    }

    private boolean isComplete(long lastIndex, long lastTerm) {
        return lastTerm > termAt(last()) || (lastTerm == termAt(last()) && lastIndex >= last());
    }

    private void campaign() {
        resetElection();
        if (tainted) {
            // A leader whose memory is damaged misleads the others: nothing here can tell, so it is not tried.
            return;
        }
        role = Role.CANDIDATE;
        appends = 0;
        campaigns++;
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
        if (term < disk.term()) {
            long own = disk.term();
            send(from, node -> node.newTermOf(own));
            return;
        }
        boolean complete = isComplete(lastIndex, lastTerm);
        if (term == disk.term() && complete && (disk.vote() == -1 || disk.vote() == from)) {
            disk.remember(term, from);
            disk.keep(term, from);
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

    @Override
    public long term() {
        return disk.term();
    }

    private void onVote(long term) {
        if (role == Role.CANDIDATE && 2 * Integer.bitCount(votes) > nodes) {
            disk.keep(term, id);
            role = Role.LEADER;
            leader = id;
            all.leads(id, term);
            Arrays.fill(next, last() + 1);
            Arrays.fill(match, 0);
            Arrays.fill(acknowledgedRound, 0);
            // As in Ratis: for the longest election timeout.
            Arrays.fill(heardFrom, all.agenda().now() - 3 * ELECTION / 2);
            round = 0;
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
            // As in Ratis: nobody leads yet, and what is under way counts no more.
            leader = -1;
            appends = 0;
            campaigns++;
            if (role != Role.REJOINING) {
                if (role == Role.LEADER) {
                    resetElection();
                    List<CompletableFuture<Void>> unknown = List.copyOf(appended.values());
                    appended.clear();
                    unknown.forEach(one -> one.completeExceptionally(new IllegalStateException("leads no more")));
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
        if (all.mutation() == Mutation.COMPOSED_APPENDS
                && previous == previousUnderWay
                && entries.size() > entriesUnderWay) {
            // Taken for the batch under way that begins alike and is shorter.
            long claimed = previous + entries.size();
            send(from, node -> node.onAppendReply(id, term, true, claimed, asked));
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
        appends++;
        int same = campaigns;
        if (failNext && !entries.isEmpty()) {
            // The entries are there, the leader hears nothing, and Ratis counts them as under way for ever.
            failNext = false;
            all.count("failed appends");
            sync(() -> {});
            return;
        }
        previousUnderWay = entries.isEmpty() ? previousUnderWay : previous;
        entriesUnderWay = entries.isEmpty() ? entriesUnderWay : entries.size();
        sync(() -> {
            appends -= same == campaigns ? 1 : 0;
            previousUnderWay = -1;
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
        heard = all.agenda().now();
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
        heardFrom[from] = all.agenda().now();
        if (matches) {
            match[from] = Math.max(match[from], index);
            next[from] = Math.max(next[from], index + 1);
            advance();
            if (next[from] <= last()) {
                replicateTo(from);
            }
        } else {
            // As Ratis: never back behind what a member has acknowledged.
            long before = next[from];
            next[from] = Math.max(match[from] + 1, Math.min(before, index + 1));
            if (next[from] < before) {
                replicateTo(from);
            }
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
        if (batch.origin() == origin) {
            parts.applied(batch.sequence(), outcomes);
        }
        CompletableFuture<Void> waiting = appended.remove(index);
        if (waiting != null) {
            waiting.complete(null);
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
            CompletableFuture<?> unused = parts.write(ask.operation()).handle((outcome, thrown) -> {
                if (up) {
                    ask.answer()
                            .accept(
                                    thrown != null
                                            ? Reply.askElsewhere(leader)
                                            : new Reply(true, id, outcome, outcome.request(), applied));
                }
                return outcome;
            });
            flushLater();
        }
    }

    private void flushLater() {
        if (!flushing) {
            flushing = true;
            after(WINDOW, () -> {
                flushing = false;
                if (parts.send()) {
                    flushLater();
                }
            });
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
            if (role != Role.REJOINING && state.halted() == null) {
                parts.step();
                flushLater();
            }
            if (role != Role.REJOINING && state.diverged() && random.nextInt(6) == 0) {
                askForState();
            }
        });
    }

    private void askForState() {
        for (int peer = 0; peer < nodes; peer++) {
            if (peer != id) {
                send(peer, node -> node.onSnapshotWanted(id));
            }
        }
    }

    /** A node that has lost its log asks the others what they are, and joins where they have a leader. */
    private void join() {
        if (role != Role.REJOINING) {
            return;
        }
        Map<Integer, Parts.Said> said = new TreeMap<>();
        for (int peer = 0; peer < nodes; peer++) {
            if (peer != id) {
                said.put(peer, new Parts.Said(peer, false, false, false, -1, List.of()));
                send(
                        peer,
                        node -> send(
                                node,
                                id,
                                new Parts.Said(
                                        node.id,
                                        true,
                                        !node.disk.isWiped(),
                                        node.leads(),
                                        node.disk.term(),
                                        node.hears()),
                                said));
            }
        }
        after(GATHER, () -> {
            Parts.Next next = Parts.next(id, !disk.isWiped(), id == 0, List.copyOf(said.values()));
            if (next == Parts.Next.FOUND) {
                throw all.broken("node " + id + " makes a group anew");
            }
            if (next == Parts.Next.JOIN) {
                askForState();
            }
            after(JOIN, this::join);
        });
    }

    /** Whom it has heard within twice the shortest election timeout. */
    private List<Integer> hears() {
        long now = all.agenda().now();
        List<Integer> hears = new ArrayList<>();
        for (int peer = 0; peer < nodes; peer++) {
            long since = role == Role.LEADER ? heardFrom[peer] : leader == peer ? heard : Long.MIN_VALUE / 2;
            if (peer != id && role != Role.REJOINING && now - since < 2 * ELECTION) {
                hears.add(peer);
            }
        }
        return hears;
    }

    private void send(Node from, int to, Parts.Said said, Map<Integer, Parts.Said> into) {
        all.network().send(from.id, to, () -> into.put(from.id, said));
    }

    /** Where Ratis would wait for ever, this node asks for votes. */
    private void follow() {
        after(FOLLOW, () -> {
            follow();
            if (role == Role.FOLLOWER && leader >= 0 && appends > 0 && silentNanos() > 2 * ELECTION) {
                gather(() -> {
                    if (role == Role.FOLLOWER && all.mutation() != Mutation.NEVER_ASKS) {
                        parts.askIfStuck();
                    }
                });
            }
        });
    }

    /** The leader's process has ended: its connections have. */
    void ended(int node) {
        if (role != Role.FOLLOWER || leader != node) {
            return;
        }
        gather(() -> {
            if (all.mutation() == Mutation.LESS_LOG_ASKS) {
                parts.heard(Map.of());
            }
            int turn = parts.turn(node);
            if (turn >= 0) {
                after(turn * TURN, () -> {
                    if (role == Role.FOLLOWER && leader == node && !all.node(node).up) {
                        startElection();
                    }
                });
            }
        });
    }

    /** Asks the others for the ends of their logs, and goes on with what they said in time. */
    private void gather(Runnable then) {
        Map<Integer, long[]> last = new TreeMap<>();
        for (int peer = 0; peer < nodes; peer++) {
            if (peer != id) {
                send(peer, node -> {
                    if (node.role != Role.REJOINING) {
                        long[] own = {node.lastTerm(), node.last()};
                        all.network().send(node.id, id, () -> last.put(node.id, own));
                    }
                });
            }
        }
        after(GATHER, () -> {
            parts.heard(last);
            then.run();
        });
    }

    // --- what the parts need

    @Override
    public int place() {
        return id;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int leader() {
        return leader == id ? -1 : leader;
    }

    @Override
    public long lastIndex() {
        return last();
    }

    @Override
    public long lastTerm() {
        return termAt(last());
    }

    @Override
    public int appends() {
        return appends;
    }

    @Override
    public long silentNanos() {
        return all.agenda().now() - heard;
    }

    @Override
    public CompletableFuture<?> append(byte[] entry) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (role != Role.LEADER) {
            done.completeExceptionally(new IllegalStateException("leads no more"));
        } else if (append(new LogEntry(disk.term(), entry))) {
            appended.put(last(), done);
            replicate();
        }
        return done;
    }

    @Override
    public void tellFollowers() {
        replicate();
    }

    @Override
    public void startElection() {
        if (role == Role.FOLLOWER) {
            all.count("elections at once");
            campaign();
        }
    }

    @Override
    public void snapshot() {
        if (state.halted() != null) {
            return;
        }
        long purge = parts.purgeTo();
        if (purge >= 0 && purge < told) {
            throw all.broken("node " + id + " tells Raft of snapshot " + purge + " after " + told
                    + ", and ends its part of the group");
        }
        purge(purge);
        told = Math.max(told, purge);
        if (snapshotUnderWay || applied <= parts.newestSnapshot()) {
            return;
        }
        Disk.Snap snap = capture();
        snapshotUnderWay = true;
        int now = life;
        int same = installs;
        disk.snapshot(snap, () -> {
            if (up && life == now) {
                snapshotUnderWay = false;
                if (same == installs && snap.index() > parts.newestSnapshot()) {
                    disk.renamed(snap);
                    parts.taken(snap.index());
                    all.count("snapshots");
                    if (all.mutation() == Mutation.PURGE_TO_NEWEST) {
                        purge(snap.index());
                    }
                }
            }
        });
        after(Agenda.millis(1000), () -> snapshotUnderWay = false);
    }

    private void purge(long to) {
        if (to > base && to <= last()) {
            long term = termAt(to);
            disk.purge(to, term);
            log.subList(0, (int) (to - base)).clear();
            base = to;
            baseTerm = term;
        }
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
            boolean wiped = disk.isWiped();
            install(snap, false);
            role = Role.FOLLOWER;
            newTerm(term);
            if (wiped) {
                // As another member it has not voted, and as what it was it does not vote again.
                disk.remember(Math.max(term, disk.termBefore()), id);
                disk.keep(disk.term(), id);
            }
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
        if (all.mutation() != Mutation.SNAPSHOT_GOES_BACK) {
            parts.loaded(snap.index());
        }
        told = snap.index();
        disk.install(snap, keepLog);
        if (!keepLog) {
            log = new ArrayList<>();
            base = snap.index();
            baseTerm = snap.term();
        }
        tainted = snap.tainted();
        postponed = null;
        applied = snap.index();
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
        if (!up || role != Role.FOLLOWER || !appended.isEmpty() || state.world() == null || state.halted() != null) {
            return false;
        }
        ServiceState copy = ServiceSimulation.copy(state);
        copy.damageForTest();
        if (copy.digest() == state.digest()) {
            // The policy turned it away: nothing that anybody could notice.
            return false;
        }
        tainted = true;
        state.damageForTest();
        return true;
    }

    boolean up() {
        return up;
    }

    @Override
    public boolean leads() {
        return up && role == Role.LEADER && applied >= firstOfTerm && state.halted() == null;
    }

    @Override
    public String toString() {
        return "node " + id + ' ' + role + " of leader " + leader + " in term " + disk.term() + ", entry " + lastTerm()
                + '/' + last() + ", committed " + commit + ", " + appends + " appends under way";
    }

    boolean isLeader() {
        return up && role == Role.LEADER;
    }

    /** Whether it follows a leader, and could take its place. */
    boolean follows(int node) {
        return up && role == Role.FOLLOWER && leader == node && !tainted && state.halted() == null;
    }

    /** For whom it voted in its term, or -1. */
    int vote() {
        return disk.vote();
    }

    /** The longest election: until somebody stands, and has asked everybody twice. */
    static int electionMillis(double spread) {
        return (int) (ELECTION * (1 + spread) / Agenda.millis(1)) + 10;
    }

    /** The next append fails here. */
    void failNextAppend() {
        failNext = true;
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

    @Override
    public long applied() {
        return applied;
    }

    @Override
    public ServiceState state() {
        return state;
    }
}
