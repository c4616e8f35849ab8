package dev.stowage.service.raft;

import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.directory.DataDirectory;
import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.Member;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.ServiceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.io.grpc.ServerTransportFilter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in its group: the Raft server that runs here, as which member, and what it waits for while none can
 * run. {@link Joining} decides; this class carries it out. Read by any thread, changed by one. It is long because these
 * parts change together.
 */
final class Membership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final long JOINING_MILLIS = 100;
    /** Steps between two rounds of questions, once it is a member. */
    private static final int MEMBER_STEPS = 10;

    private static final long HEAL_MILLIS = 10_000;
    private static final long REST_NANOS = 3_000_000_000L;
    /** Until a node says that there is no group yet: all nodes of a first start are up by then. */
    private static final long FIRST_NANOS = 15_000_000_000L;
    /** Between two reasons to wait in the log. */
    private static final long SAID_NANOS = 10_000_000_000L;

    private static final String STARTING = "this node is starting";

    /** The node's part in a group. */
    private sealed interface Part {
        /** The member that it is, or null. */
        @Nullable
        Identity own();

        /** The server that runs here, or null. */
        default @Nullable Ratis ratis() {
            return null;
        }

        /** It belongs to no group, and only listens. */
        record Outside(Ratis ratis) implements Part {
            @Override
            public @Nullable Identity own() {
                return null;
            }
        }

        /**
         * Its directory does not have what it acknowledged, so it must not act as that member.
         *
         * @param copy whether another process may be that member
         */
        record Lost(Identity own, String why, boolean copy) implements Part {}

        /** No server runs: one is about to be started, or could not be. */
        record Stopped(@Nullable Identity own) implements Part {}

        /** It takes part, or is about to. */
        record Running(Identity own, Ratis ratis) implements Part {}
    }

    private final NodeSettings settings;
    private final Supplier<ReplicatedState> states;
    private final AppliedMark mark;
    private final ServerTransportFilter watch;
    private final Neighbours neighbours;
    private final Periodic thread = new Periodic("membership", JOINING_MILLIS, this::step);
    private final Consumer<String> failure;
    private int steps;
    private boolean removed;
    /** The question to the others that is under way, or null. */
    private @Nullable CompletableFuture<List<Joining.Said>> asked;

    private long restUntil = System.nanoTime();

    private final CatchingUp catchingUp;
    private final LeaderNews leaders;

    /** Last entry of the directory at the start. */
    private long last = -1;

    private volatile ReplicatedState state;
    private volatile Part part = new Part.Stopped(null);
    /** Why it does not serve although it is there, or null. */
    private volatile @Nullable String waits;

    /** Since when it waits, or when it last logged why. */
    private long waitsSince = System.nanoTime();
    /** Last reason to wait that was logged. */
    private String said = "";

    private volatile @Nullable String foreign;
    /** Why its acknowledgements would be on too few disks, as of the last step. */
    private volatile @Nullable String few = STARTING;

    private volatile boolean changing;
    private volatile boolean unheard;
    private volatile boolean closed;

    /**
     * Starts: a node with a complete directory runs when this returns; another one at least listens, or waits.
     *
     * @param states makes the state before the first entry
     * @param failure called with the reason, if this node must be started again
     * @throws IOException if the directory cannot be read, the port is taken, or the only node of a group has lost
     *     entries
     */
    Membership(
            NodeSettings settings,
            Supplier<ReplicatedState> states,
            AppliedMark mark,
            ServerTransportFilter watch,
            Consumer<String> failure)
            throws IOException {
        this.settings = settings;
        this.states = states;
        this.mark = mark;
        this.watch = watch;
        this.failure = failure;
        neighbours = new Neighbours(settings);
        catchingUp = new CatchingUp(
                settings.id(), 3 * settings.log().electionTimeout().toMillis(), System::nanoTime);
        leaders = new LeaderNews(settings, System::nanoTime);
        state = states.get();
        try {
            begin();
        } catch (IOException | RuntimeException e) {
            neighbours.close();
            throw e;
        }
    }

    void start() {
        thread.start();
    }

    private void begin() throws IOException {
        Identity own = Identity.read(settings.data(), settings.id());
        if (own == null && settings.alone()) {
            found();
            return;
        }
        if (own == null) {
            waits = "it belongs to no group yet";
            part = new Part.Outside(Ratis.withoutGroup(settings, state, watch));
            return;
        }
        String lost = lost(own);
        boolean copy = false;
        if (lost == null && own.stage() == Identity.Stage.MEMBER && !settings.alone()) {
            lost = elsewhere(own);
            copy = lost != null;
            lost = copy ? lost : counted(own);
        }
        if (lost == null) {
            run(own);
        } else if (settings.alone()) {
            throw new IOException(
                    lost + "; the node does not start, because acknowledged operations would be missing. Restore "
                            + settings.data() + " from a copy, or delete " + AppliedMark.file(settings.data())
                            + " to continue without them");
        } else {
            part = new Part.Lost(own, lost, copy);
            waits = lost;
            LOG.error("node {}: {}; it takes no part in its group until it has joined again", settings.id(), lost);
        }
    }

    /** Why its directory does not have what this member acknowledged, or null. */
    private @Nullable String lost(Identity own) throws IOException {
        Path group = own.directory(settings.data());
        if (!Files.isDirectory(group.resolve("current"))) {
            boolean begun = own.stage() != Identity.Stage.FOUNDING || AppliedMark.read(settings.data()) >= 0;
            return begun ? "its log is gone" : null;
        }
        DataDirectory directory = new DataDirectory(settings.data(), group);
        directory.deleteUnfinished();
        String missing = directory.lost();
        if (missing == null && !directory.restoreVote(own.member(), settings.alone())) {
            missing = "its term and vote are gone";
        }
        last = directory.last();
        if (missing == null) {
            directory.deleteLogBehindSnapshot();
        }
        return missing;
    }

    /**
     * Why its directory may be a copy, or null: the group knows the member at another address. Two processes acting as
     * one member would each vote and acknowledge in its name. A second one at the same address cannot listen there.
     */
    private @Nullable String elsewhere(Identity own) throws IOException {
        String recorded = new DataDirectory(settings.data(), own.directory(settings.data()))
                .members()
                .get(own.member());
        return recorded == null || Ratis.sameAddress(recorded, settings.address())
                ? null
                : "the group knows it at " + recorded + ", and this process is at " + settings.address()
                        + ": its directory was moved or copied";
    }

    /**
     * What the leader, if one can be asked, counts this member as having, if that is more than it has. Nobody else can
     * know whether the lost end of a log was acknowledged.
     */
    private @Nullable String counted(Identity own) {
        Joining.Said leader = Joining.leader(own.group(), neighbours.ask());
        if (leader == null) {
            return null;
        }
        try {
            long matched = neighbours.matched(leader.node(), own.group(), own.member());
            return matched > last ? less(last, matched) : null;
        } catch (IOException e) {
            LOG.info("cannot ask leader {} which entries this node has: {}", leader.node(), e.toString());
            return null;
        }
    }

    private static String less(long last, long matched) {
        return "its log ends with entry " + last + ", but it has acknowledged entry " + matched;
    }

    private void found() throws IOException {
        Identity made = new Identity(
                UUID.randomUUID(), settings.id(), settings.alone() ? Identity.Stage.MEMBER : Identity.Stage.FOUNDING);
        Identity founding = made.at(Identity.Stage.FOUNDING);
        founding.write(settings.data());
        if (!settings.alone()) {
            LOG.info("node {} creates the group {}", settings.id(), made.group());
        }
        run(founding);
    }

    /** Runs as a member. */
    private void run(Identity own) throws IOException {
        part = new Part.Stopped(own);
        boolean fresh = !Files.isDirectory(own.directory(settings.data()));
        few = STARTING;
        catchingUp.begin();
        leaders.begin();
        part = new Part.Running(own, Ratis.start(settings, own, known(own), fresh, state, watch));
        few = few();
        waitsNoMore();
    }

    /** The members, if no log says who they are. */
    private List<Member> known(Identity own) {
        if (own.stage() == Identity.Stage.FOUNDING) {
            return List.of(self(own.member()));
        }
        boolean old = own.group().equals(Identity.OLD)
                && own.stage() == Identity.Stage.MEMBER
                && own.member().equals(settings.id());
        return old || own.stage() == Identity.Stage.RESTORED
                ? settings.peers().stream()
                        .map(peer -> new Member(peer.id(), peer.address()))
                        .toList()
                : List.of();
    }

    private Member self(String member) {
        return new Member(member, settings.address());
    }

    private void stopRatis() throws IOException {
        Ratis running = ratis();
        if (running != null) {
            part = new Part.Stopped(identity());
            running.close();
        }
        state = states.get();
    }

    // --- what happens by itself

    private synchronized void step() {
        if (closed) {
            return;
        }
        checkRuns();
        if (ratis() != null && state.read(ServiceState::diverged)) {
            heal();
        }
        Ratis running = ratis();
        unheard = !settings.alone() && running != null && running.isLeader() && catchingUp.isUnheard(running);
        // Computed here, because every call needs it.
        few = few();
        settle();
        if (settings.alone()) {
            return;
        }
        if (running != null && waits == null) {
            leaders.look(unheard ? null : running.leader());
        }
        // This does not wait, because the checks above must not wait for a node that does not answer.
        CompletableFuture<List<Joining.Said>> under = asked;
        if (under == null) {
            boolean rests = (settled() || removed) && steps++ % MEMBER_STEPS != 0;
            asked = rests || System.nanoTime() - restUntil < 0 ? null : neighbours.begin();
            return;
        }
        if (!under.isDone()) {
            return;
        }
        asked = null;
        try {
            step(under.join());
        } catch (IOException e) {
            LOG.info("joining: {}", e.toString());
            say(
                    "it joins its group, and the leader has not admitted it yet: a majority of the members must be up",
                    REST_NANOS);
            // In Ratis 3.3 a leader that nobody answers steps down only after a time without requests.
            restUntil = System.nanoTime() + REST_NANOS;
        }
    }

    private boolean settled() {
        Part now = part;
        Identity own = now.own();
        return own != null && own.stage() == Identity.Stage.MEMBER && !(now instanceof Part.Lost) && waits == null;
    }

    private void step(List<Joining.Said> others) throws IOException {
        Part now = part;
        Identity own = now.own();
        Ratis running = now.ratis();
        boolean counted = own != null
                && running != null
                && running.members().stream().anyMatch(member -> member.id().equals(own.member()));
        look(others);
        Joining.Step next = Joining.next(
                new Joining.Own(
                        settings.id(),
                        own,
                        now instanceof Part.Lost lost ? lost.why() : null,
                        now instanceof Part.Lost lost && lost.copy(),
                        counted,
                        running == null ? -1 : running.term(),
                        settings.bootstrap()),
                others);
        if (next instanceof Joining.Step.Found) {
            stopRatis();
            found();
        } else if (next instanceof Joining.Step.Join join) {
            join(join.group(), join.leader());
        } else if (next instanceof Joining.Step.AskIn ask) {
            askIn(ask.leader());
        } else if (next instanceof Joining.Step.Wait wait) {
            say(wait.why(), own == null && Joining.groups(others).isEmpty() ? FIRST_NANOS : REST_NANOS);
        } else if (next instanceof Joining.Step.Removed out) {
            removed = true;
            say(out.why(), REST_NANOS);
        } else {
            removed = false;
            waitsNoMore();
        }
    }

    /** A founder that leads, or a joining member that is counted, is a member. */
    private void settle() {
        if (!(part instanceof Part.Running now) || now.own().stage() == Identity.Stage.MEMBER) {
            return;
        }
        Identity own = now.own();
        Ratis running = now.ratis();
        boolean counted = switch (own.stage()) {
            case FOUNDING -> running.leads();
            case RESTORED -> running.committed() > state.newestSnapshot();
            default -> running.members().stream().anyMatch(member -> member.id().equals(own.member()));
        };
        if (counted) {
            try {
                Identity member = own.at(Identity.Stage.MEMBER);
                member.write(settings.data());
                part = new Part.Running(member, running);
                waitsNoMore();
                if (own.stage() == Identity.Stage.JOINING) {
                    LOG.info("node {} has joined its group", settings.id());
                }
            } catch (IOException e) {
                failure.accept("its directory cannot be written: " + e.getMessage());
            }
        }
    }

    private void join(UUID group, Joining.Said leader) throws IOException {
        Operation.Note note = new Operation.Note(settings.id(), "join group " + group, "");
        long position = neighbours.append(
                leader.node(), group, new Batch(ServiceState.VERSION, 0, -1, Long.MIN_VALUE, List.of(note)).encode());
        Identity next = new Identity(group, Member.incarnation(settings.id(), position), Identity.Stage.JOINING);
        stopRatis();
        next.write(settings.data());
        DataDirectory.clear(settings.data());
        mark.reset();
        part = new Part.Stopped(next);
        LOG.info("node {} joins group {}; its name in the log of Raft is {} now", settings.id(), group, next.member());
        run(next);
        waitsSince = System.nanoTime();
        waits = "it joins group " + group;
        askIn(leader);
    }

    /**
     * Asks the leader to count this member, in place of this node's earlier ones. It is done when the own log says so.
     */
    private void askIn(Joining.Said leader) {
        Identity own = identity();
        if (own == null || leader.changing()) {
            return;
        }
        String why = neighbours.change(
                leader.node(), own.group(), leader.members(), Joining.with(leader.members(), self(own.member())));
        if (why != null) {
            say(
                    "it joins group " + own.group() + " and has " + (applied() + 1) + " of " + (leader.committed() + 1)
                            + " entries",
                    REST_NANOS);
            LOG.debug("leader {} has not admitted {} yet: {}", leader.node(), own.member(), why);
        }
    }

    /** How far it is behind the leader, and whether the others are of the same group. */
    private void look(List<Joining.Said> others) {
        if (!(part instanceof Part.Running now)) {
            return;
        }
        Identity own = now.own();
        Ratis running = now.ratis();
        String other = Joining.foreign(own.group(), others);
        if (other != null && !other.equals(foreign)) {
            LOG.error("node {}: {}", settings.id(), other);
        }
        foreign = other;
        Joining.Said leader = Joining.leader(own.group(), others);
        if (catchingUp.look(running, leader, applied()) && leader != null) {
            checkCounted(own, running, leader);
        }
    }

    /** A log that ends before acknowledged entries gets nothing from the leader, which counts it as having them. */
    private void checkCounted(Identity own, Ratis running, Joining.Said leader) {
        if (own.stage() != Identity.Stage.MEMBER) {
            return;
        }
        try {
            // In this order: what the leader counts is in the log by the time of its answer, unless it is lost.
            long matched = neighbours.matched(leader.node(), own.group(), own.member());
            TermIndex entry = running.lastEntry();
            if (entry == null && running.info() == null) {
                // Ratis closes: its log cannot be read, which is not an empty one.
                return;
            }
            long end = entry == null ? -1 : entry.getIndex();
            if (matched > Math.max(end, state.newestSnapshot())) {
                String why = less(end, matched);
                LOG.error("node {}: {}; it joins again", settings.id(), why);
                new DataDirectory(settings.data(), own.directory(settings.data())).markLost(why);
                changing = true;
                stopRatis();
                part = new Part.Lost(own, why, false);
                changing = false;
            }
        } catch (IOException e) {
            LOG.info("cannot ask leader {} which entries this node has: {}", leader.node(), e.toString());
        }
    }

    /**
     * Checks whether Ratis has closed its server here by itself, as it does after an unexpected error.
     */
    private void checkRuns() {
        if (!(part instanceof Part.Running now)
                || now.ratis().group() == null
                || closed
                || removed
                || now.ratis().info() != null) {
            return;
        }
        boolean out = !settings.alone()
                && Joining.next(
                                new Joining.Own(settings.id(), now.own(), null, false, true, -1, false),
                                neighbours.ask())
                        instanceof Joining.Step.Removed;
        if (!out && !closed) {
            failure.accept("Ratis has stopped on this node and logged why");
        }
    }

    /**
     * Logs why it waits once it has waited longer than the nodes of a group need to find each other at their start;
     * what changes while it waits, from time to time.
     *
     * @param patienceNanos how long that is
     */
    private void say(String why, long patienceNanos) {
        long now = System.nanoTime();
        if (waits == null) {
            waitsSince = now;
        }
        waits = why;
        if (!why.equals(said) && now - waitsSince > (said.isEmpty() ? patienceNanos : SAID_NANOS)) {
            said = why;
            waitsSince = now;
            LOG.warn("node {} does not serve: {}", settings.id(), why);
        }
    }

    private void waitsNoMore() {
        waits = null;
        said = "";
    }

    /**
     * Replaces state and snapshots by the leader's newest snapshot, after the own state has diverged. The own log
     * stays, because the group counts on it: its entries after the snapshot are applied again.
     */
    private void heal() {
        if (!(part instanceof Part.Running now) || settings.alone() || closed) {
            return;
        }
        Identity own = now.own();
        Ratis running = now.ratis();
        changing = true;
        try {
            LOG.warn("node {} recovers from the leader's snapshot", settings.id());
            DataDirectory directory = new DataDirectory(settings.data(), own.directory(settings.data()));
            Path fetched = directory.healing();
            SnapshotPart what = SnapshotTransfer.fetch(running, state.newestSnapshot(), fetched);
            // The log has everything that the snapshot has, including who the members are.
            long end = System.nanoTime() + HEAL_MILLIS * 1_000_000;
            while (running.lastOrNothing().getIndex() < what.index() && System.nanoTime() - end < 0) {
                Thread.sleep(JOINING_MILLIS);
            }
            if (running.lastOrNothing().getIndex() < what.index()) {
                throw new IOException("its log is still behind the snapshot, which has entry " + what.index());
            }
            stopRatis();
            SnapshotTransfer.install(
                    fetched, what, own.directory(settings.data()).resolve("sm"));
            directory.deleteLogBehindSnapshot();
            run(own);
            LOG.warn("node {} has recovered at entry {}", settings.id(), what.index());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.error("node {} cannot recover: {}", settings.id(), e.toString());
        } finally {
            changing = false;
        }
    }

    // --- what others read

    ReplicatedState state() {
        return state;
    }

    /** The running server, or null. */
    @Nullable
    Ratis ratis() {
        return part.ratis();
    }

    @Nullable
    Identity identity() {
        return part.own();
    }

    long applied() {
        TermIndex applied = state.getLastAppliedTermIndex();
        return applied == null ? -1 : applied.getIndex();
    }

    /** Entries that the leader has committed and this node has not applied; 0 for a node that leads. */
    long behind() {
        return catchingUp.behind(applied());
    }

    /** Why it takes no part at the moment, or null. */
    @Nullable
    String out() {
        if (closed) {
            return "this node is shutting down";
        }
        if (changing) {
            return "this node is recovering";
        }
        if (waits != null) {
            return "this node is not in the group: " + waits;
        }
        if (unheard) {
            return NotServedException.NO_LEADER;
        }
        return ratis() == null ? STARTING : few;
    }

    /** The problem of a node that takes part, or null. */
    @Nullable
    String trouble() {
        Ratis running = ratis();
        String stuck = catchingUp.stuck();
        return stuck != null ? stuck : running != null && running.leader() == null ? foreign : null;
    }

    /**
     * Why this node's acknowledgements would be on fewer disks than the configuration promises, or null. It also keeps
     * two groups that were made by mistake from both answering.
     */
    private @Nullable String few() {
        Ratis running = ratis();
        if (running == null) {
            return null;
        }
        List<String> members =
                running.members().stream().map(Member::node).distinct().toList();
        long there = settings.peers().stream()
                .filter(peer -> members.contains(peer.id()))
                .count();
        return 2 * there > settings.peers().size()
                ? null
                : "this node waits for more than half of the nodes to be members of its group; the members are "
                        + members;
    }

    @Override
    public void close() {
        closed = true;
        thread.close();
        synchronized (this) {
            neighbours.close();
            Ratis running = ratis();
            if (running != null) {
                try {
                    running.close();
                } catch (IOException e) {
                    LOG.warn("close: {}", e.toString());
                }
            }
        }
    }
}
