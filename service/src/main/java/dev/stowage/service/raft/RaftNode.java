package dev.stowage.service.raft;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.directory.DirectoryLock;
import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.Member;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Glance;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the group: takes operations while it leads, and answers questions about the state. Safe for many threads.
 *
 * <p>An operation is answered when its log entry is synced to the disks of a majority and applied here. {@link #read}
 * is linearizable: it sees every operation answered before, by whichever node.
 *
 * <p>Long because it is the one way in: a method for each thing that others may ask, and the ports of the parts behind
 * it.
 */
public final class RaftNode implements AutoCloseable {
    /** A member that has been silent for so many election timeouts does not answer. */
    private static final int SILENT_TIMEOUTS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(RaftNode.class);
    /** A node with more entries that are not applied yet is not ready: reads there would wait for them. */
    private static final long READY_ENTRIES = 1000;

    private static final long DUTIES_MILLIS = 5;
    private static final long HISTORY_MILLIS = 20;
    private static final long SNAPSHOT_MILLIS = 50;
    private static final long FOLLOW_MILLIS = 250;

    private final NodeSettings settings;
    private final DirectoryLock lock;
    private final long origin = ThreadLocalRandom.current().nextLong();
    private final WaitingLimit waitingLimit =
            new WaitingLimit(Runtime.getRuntime().maxMemory());
    private final LeaderClock clock = LeaderClock.system();
    private final Answers answers = new Answers();
    private final PolicyFactory policies;
    private final ChangeHistory history;
    private final Ending ending;
    private final Membership membership;
    private final LogWriter writer;
    private final LogThread logThread;
    private final LeaderWatch watch;
    private final RatisFollower follower;
    private final Confirmations confirmations;
    private final List<Periodic> periodic;
    private volatile boolean closed;
    private volatile boolean open;

    private RaftNode(NodeSettings settings, PolicyFactory policies, Setting first, DirectoryLock lock)
            throws IOException {
        this.settings = settings;
        open = !settings.held();
        this.policies = policies;
        this.lock = lock;
        ending = new Ending(settings.id());
        AppliedMark mark = AppliedMark.open(settings.data());
        history = new ChangeHistory(new Feed(), settings.history());
        follower = new RatisFollower(settings.log().electionTimeout().toMillis());
        Following following =
                new Following(follower, settings.log().electionTimeout().toMillis());
        watch = new LeaderWatch(
                new Watched(follower, following),
                2 * settings.log().electionTimeout().toNanos());
        membership = new Membership(
                settings,
                () -> new ReplicatedState(policies, origin, answers, history, mark, ending::fail),
                mark,
                watch,
                ending::fail);
        follower.of(membership);
        confirmations = new Confirmations(follower, Neighbours.askMillis(settings));
        writer = new LogWriter(
                new Appending(membership),
                origin,
                answers,
                clock,
                settings.log().queue());
        logThread = new LogThread(writer, settings.log().window().toNanos(), ending::fail);
        LeaderDuties duties = new LeaderDuties(
                new Acting(membership, writer, () -> open),
                clock,
                first,
                settings.log().checkEvery().toNanos(),
                System::nanoTime);
        SnapshotDuty snapshots = new SnapshotDuty(
                membership::applied,
                () -> startSnapshot(membership),
                settings.log().snapshotEntries(),
                settings.turn(),
                settings.peers().size());
        periodic = List.of(
                new Periodic("duties", DUTIES_MILLIS, duties::step),
                new Periodic("history", HISTORY_MILLIS, history::step),
                new Periodic("snapshots", SNAPSHOT_MILLIS, snapshots::step),
                new Periodic("following", FOLLOW_MILLIS, following::askIfStuck));
    }

    /** Makes the policies that this node knows. */
    public PolicyFactory policies() {
        return policies;
    }

    /**
     * Starts a node; it recovers what its directory holds. One whose directory belongs to no group, or has lost
     * something, joins the group of the others by itself; until then it takes no part and says why.
     *
     * @param settings the node and its group
     * @param policies makes policies
     * @param first what the service starts with, if the group has no log yet
     * @throws IOException if the directory is in use or cannot be read, or the port is taken
     */
    public static RaftNode start(NodeSettings settings, PolicyFactory policies, Setting first) throws IOException {
        Files.createDirectories(settings.data());
        DirectoryLock lock = DirectoryLock.take(settings.data());
        RaftNode node;
        try {
            node = new RaftNode(settings, policies, first, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
        node.logThread.start();
        node.membership.start();
        node.watch.start();
        node.periodic.forEach(Periodic::start);
        return node;
    }

    /**
     * Puts an operation into the log.
     *
     * @return its outcome, or a {@link NotServedException}
     */
    public CompletableFuture<Outcome> submit(Operation operation) {
        NotServedException no = unable();
        no = no != null
                ? no
                : waitingLimit.refusal(operation, membership.state().waitingRequests(), () -> knows(operation));
        return no != null ? CompletableFuture.failedFuture(no) : writer.write(operation);
    }

    private boolean knows(Operation operation) {
        Operation.Submit submit = operation instanceof Operation.Gang gang
                ? gang.members().get(0)
                : operation instanceof Operation.Submit one ? one : null;
        return submit != null
                && look(seen -> seen.world() != null && seen.world().find(submit.tenant(), submit.id()) != null);
    }

    /**
     * How many requests may wait for a server: over it a submission is turned away that might wait. A third of the heap
     * at first.
     */
    public long waitingLimit() {
        return waitingLimit.most();
    }

    /**
     * Lets more or fewer requests wait.
     *
     * @param requests at least 1
     */
    public void limitWaiting(long requests) {
        waitingLimit.set(requests);
    }

    /**
     * How far the time of the log is ahead of this node's clock, nanoseconds, negative if behind; 0 unless it
     * leads.
     */
    public long clockAheadNanos() {
        return leads() ? clock.aheadNanos() : 0;
    }

    /** Reads the state as it is after every operation answered so far. On any node of the group. */
    public <T> CompletableFuture<T> read(Function<ServiceState, T> reader) {
        NotServedException no = unavailable();
        if (no != null) {
            return CompletableFuture.failedFuture(no);
        }
        // The same state that answers the request: one that replaces it while this node heals may be behind.
        ReplicatedState present = membership.state();
        CompletableFuture<Void> confirmed = confirmations.confirm();
        CompletableFuture<RaftClientReply> replied =
                request(membership, RaftClientRequest.readRequestType(), Message.EMPTY);
        // In this order: Ratis may keep the reply of a leader that is cut off until it steps down.
        return confirmed.thenCompose(done -> replied).thenApply(reply -> {
            if (!reply.isSuccess()) {
                throw failure(membership, reply);
            }
            return present.read(seen -> {
                String halted = seen.halted();
                if (halted != null) {
                    throw unavailable("this node has stopped serving: " + halted);
                }
                return reader.apply(seen);
            });
        });
    }

    /** Reads what this node knows, which may be old. */
    public <T> T look(Function<ServiceState, T> reader) {
        return membership.state().read(reader);
    }

    /** The figures of the state, at most some 50 ms old; never waits for an entry being applied. */
    public Glance glance() {
        return membership.state().glance();
    }

    /** The newest that the log changed, as this node applies it. */
    public Feed feed() {
        return history.feed();
    }

    /** All that this node remembers of what the log changed. */
    public ChangeHistory history() {
        return history;
    }

    /** How this node is. */
    public NodeStatus status() {
        Ratis ratis = membership.ratis();
        Identity identity = membership.identity();
        ReplicatedState present = membership.state();
        String out = membership.out();
        String waits = out != null ? out : membership.trouble();
        List<NodeStatus.Follower> members = ratis == null ? List.of() : members(ratis);
        Glance seen = present.glance();
        return new NodeStatus(
                settings.id(),
                role(ratis, identity),
                waits == null
                        && unavailable() == null
                        && hasLeader()
                        && seen.world() != null
                        && toApply(membership) < READY_ENTRIES
                        && membership.behind() < READY_ENTRIES,
                leader(),
                ratis == null ? -1 : ratis.term(),
                membership.applied(),
                ratis == null ? -1 : ratis.committed(),
                present.newestSnapshot(),
                present.lastPauseNanos(),
                writer.queued(),
                seen.digest(),
                seen.checked(),
                seen.halted(),
                nodes(members),
                identity == null ? "" : identity.group().toString(),
                identity == null ? "" : identity.member(),
                waits,
                membership.behind(),
                members);
    }

    private static String role(@Nullable Ratis ratis, @Nullable Identity identity) {
        if (identity == null || identity.stage() == Identity.Stage.JOINING) {
            return "joining";
        }
        return ratis == null ? "down" : ratis.role();
    }

    private List<String> nodes(List<NodeStatus.Follower> members) {
        return members.isEmpty()
                ? settings.peers().stream().map(NodeSettings.Peer::id).toList()
                : members.stream().map(NodeStatus.Follower::node).distinct().toList();
    }

    private static List<NodeStatus.Follower> members(Ratis ratis) {
        List<Ratis.Followed> followed = ratis.isLeader() ? ratis.followed() : List.of();
        long committed = ratis.committed();
        return ratis.members().stream()
                .map(member -> {
                    Ratis.Followed one = followed.stream()
                            .filter(other -> other.member().equals(member.id()))
                            .findFirst()
                            .orElse(null);
                    boolean own = member.id().equals(ratis.member());
                    boolean self = own && ratis.isLeader();
                    return new NodeStatus.Follower(
                            member.id(),
                            member.node(),
                            own ? member.address().replaceFirst(":0$", ":" + ratis.port()) : member.address(),
                            self ? 0 : one == null ? -1 : Math.max(0, committed - one.committed()),
                            self ? 0 : one == null ? -1 : one.silentMillis());
                })
                .toList();
    }

    /** Callers can reach this node from now on: what is due is done, and if it leads, leases begin anew. */
    public void open() {
        open = true;
    }

    /** Whether this node leads and may take operations. */
    public boolean leads() {
        Ratis ratis = membership.ratis();
        return ratis != null && ratis.leads() && membership.out() == null;
    }

    /** One that could answer: this node leads only once the first entry of its term is applied. */
    private boolean hasLeader() {
        String leader = leader();
        return leader != null && (!leader.equals(settings.id()) || leads());
    }

    /** Id of the node that leads, or null. */
    public @Nullable String leader() {
        Ratis ratis = membership.ratis();
        String leader = ratis == null ? null : ratis.leader();
        return leader == null ? null : Member.node(leader);
    }

    /**
     * Complete, with the reason, once this node takes no part any more though it was not closed: it must be closed and
     * started again. No acknowledged operation is lost with it.
     */
    public CompletableFuture<String> failed() {
        return ending.failed();
    }

    /** Hands leadership to another node. */
    public CompletableFuture<Void> transferLeadership(String to) {
        NotServedException no = whyNotTransferred(to);
        Ratis ratis = membership.ratis();
        Member member = ratis == null ? null : member(ratis, to);
        if (no != null || ratis == null || member == null) {
            return CompletableFuture.failedFuture(no == null ? unavailable("this node is starting") : no);
        }
        return ratis.transferLeadership(member.id()).handle((reply, thrown) -> {
            if (thrown == null && reply.isSuccess()) {
                return null;
            }
            if (thrown == null && reply.getNotLeaderException() != null) {
                throw notLeader(membership);
            }
            if (to.equals(leader())) {
                return null;
            }
            throw notTransferred(
                    "node '" + to + "' did not take over in time", thrown == null ? reply.getException() : thrown);
        });
    }

    /** Why this node does not hand leadership to another now, or null. */
    public @Nullable NotServedException whyNotTransferred(String to) {
        NotServedException no = unable();
        Ratis ratis = membership.ratis();
        if (no != null || ratis == null) {
            return no == null ? unavailable("this node is starting") : no;
        }
        Member member = member(ratis, to);
        if (member == null) {
            return notTransferred("node '" + to + "' is not a member of the group", null);
        }
        return ratis.followed().stream()
                .filter(one -> one.member().equals(member.id())
                        && one.silentMillis()
                                > SILENT_TIMEOUTS
                                        * settings.log().electionTimeout().toMillis())
                .findFirst()
                .map(silent -> notTransferred("node '" + to + "' does not answer", null))
                .orElse(null);
    }

    private static @Nullable Member member(Ratis ratis, String node) {
        return ratis.members().stream()
                .filter(one -> one.node().equals(node))
                .findFirst()
                .orElse(null);
    }

    private NotServedException notTransferred(String why, @Nullable Throwable cause) {
        String leader = leader();
        String now = "it is not known which node leads now";
        if (leads()) {
            now = "'" + settings.id() + "' still leads, nothing is changed";
        } else if (leader != null && !leader.equals(settings.id())) {
            now = "'" + leader + "' leads now";
        }
        return new NotServedException(NotServedException.Kind.NO_TRANSFER, null, why + "; " + now, cause);
    }

    /**
     * Puts a node out of the group: what it holds counts no longer. Only the leader does, not itself, and only if a
     * majority of those that remain answers.
     *
     * @return complete when a majority of the others has it in its log
     */
    public CompletableFuture<Void> removeMember(String node) {
        NotServedException no = whyNotRemoved(node);
        Ratis ratis = membership.ratis();
        if (no != null || ratis == null) {
            return CompletableFuture.failedFuture(no == null ? unavailable("this node is starting") : no);
        }
        List<Member> members = ratis.members();
        return done(ratis.change(members, Joining.without(members, node)));
    }

    /** Why this node does not put a node out of the group now, or null. */
    public @Nullable NotServedException whyNotRemoved(String node) {
        NotServedException no = unable();
        Ratis ratis = membership.ratis();
        if (no != null || ratis == null) {
            return no == null ? unavailable("this node is starting") : no;
        }
        List<Member> members = ratis.members();
        List<Member> rest = Joining.without(members, node);
        if (rest.size() == members.size()) {
            return unavailable("node '" + node + "' is not a member of the group");
        }
        if (node.equals(settings.id())) {
            return unavailable("this node leads; transfer leadership before you remove it from the group");
        }
        // A member that has not answered since this node leads counts as silent for one and a half of these times.
        String why = Joining.noMajority(
                rest,
                ratis.member(),
                ratis.followed(),
                settings.log().electionTimeout().toMillis());
        return why == null ? null : unavailable("node '" + node + "' is not removed: " + why);
    }

    private CompletableFuture<Void> done(CompletableFuture<RaftClientReply> asked) {
        return asked.handle((reply, thrown) -> {
            if (thrown != null) {
                throw unavailable(String.valueOf(Ratis.root(thrown).getMessage()));
            }
            if (!reply.isSuccess()) {
                throw failure(membership, reply);
            }
            return null;
        });
    }

    /**
     * Puts a note into the log; on any node. One that does not lead has the leader do it, and adds nothing to its time.
     */
    public CompletableFuture<Void> note(Operation.Note note) {
        if (leads()) {
            return submit(note).thenAccept(noted -> {});
        }
        byte[] entry = new Batch(ServiceState.VERSION, origin, -1, Long.MIN_VALUE, List.of(note)).encode();
        return CompletableFuture.runAsync(() -> {
            try {
                Ratis ratis = membership.ratis();
                String out = membership.out();
                if (ratis == null || out != null) {
                    throw unavailable(String.valueOf(out));
                }
                LeaderLink.append(ratis, entry);
            } catch (IOException e) {
                throw unavailable("the leader cannot be asked to record the operation in the log: " + e.getMessage());
            }
        });
    }

    /**
     * Takes a snapshot now. Returns its log index.
     *
     * @throws NotServedException if it cannot be written, as on a full disk
     */
    public long snapshot() {
        ReplicatedState state = membership.state();
        String none = state.snapshotNow();
        if (none != null) {
            throw unavailable(none);
        }
        return state.newestSnapshot();
    }

    /** Lets Ratis ask for a snapshot, which purges the log behind the one before. */
    void startSnapshot() {
        startSnapshot(membership);
    }

    private static void startSnapshot(Membership membership) {
        Ratis ratis = membership.ratis();
        if (ratis != null && ratis.info() != null) {
            membership.state().prepareSnapshot();
            ratis.createSnapshot();
        }
    }

    private static long toApply(Membership membership) {
        Ratis ratis = membership.ratis();
        return ratis == null || ratis.lastEntry() == null
                ? 0
                : ratis.lastOrNothing().getIndex() - membership.applied();
    }

    Membership membership() {
        return membership;
    }

    NodeSettings settings() {
        return settings;
    }

    /** Appends an entry; answered when it is applied. */
    private static CompletableFuture<?> appended(Membership membership, byte[] entry) {
        return request(
                        membership,
                        RaftClientRequest.writeRequestType(),
                        Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                .thenAccept(reply -> {
                    if (!reply.isSuccess()) {
                        throw failure(membership, reply);
                    }
                });
    }

    private static CompletableFuture<RaftClientReply> request(
            Membership membership, RaftClientRequest.Type type, Message message) {
        Ratis ratis = membership.ratis();
        String halted = membership.state().halted();
        if (ratis == null || halted != null) {
            return CompletableFuture.failedFuture(unavailable(
                    halted == null
                            ? "this node takes no part in its group"
                            : "this node has stopped serving: " + halted));
        }
        return ratis.request(type, message).exceptionally(thrown -> {
            // A leader that died while a read here waited for it, say: whoever asks may ask again.
            throw unavailable(String.valueOf(thrown.getMessage()));
        });
    }

    private static NotServedException failure(Membership membership, RaftClientReply reply) {
        return reply.getNotLeaderException() != null
                ? notLeader(membership)
                : unavailable(String.valueOf(reply.getException()));
    }

    private @Nullable NotServedException unable() {
        NotServedException no = unavailable();
        return no != null ? no : leads() ? null : notLeader(membership);
    }

    private @Nullable NotServedException unavailable() {
        String out = closed ? "this node is shutting down" : membership.out();
        String halted = membership.state().halted();
        return out != null
                ? unavailable(out)
                : halted == null ? null : unavailable("this node has stopped serving: " + halted);
    }

    private static NotServedException notLeader(Membership membership) {
        Ratis ratis = membership.ratis();
        String leader = ratis == null ? null : ratis.leader();
        if (ratis == null || leader == null || leader.equals(ratis.member())) {
            return NotServedException.noLeader();
        }
        String node = Member.node(leader);
        return new NotServedException(
                NotServedException.Kind.NOT_LEADER, node, "this node does not lead; '" + node + "' does");
    }

    private static NotServedException unavailable(String why) {
        return new NotServedException(NotServedException.Kind.UNAVAILABLE, null, why);
    }

    /** For tests: the state under its lock, to be damaged. */
    void damage(java.util.function.Consumer<ServiceState> how) {
        membership.state().read(seen -> {
            how.accept(seen);
            return List.of();
        });
    }

    @Override
    public void close() {
        closed = true;
        ending.close();
        periodic.forEach(Periodic::close);
        watch.close();
        follower.close();
        confirmations.close();
        logThread.close();
        membership.close();
        history.close();
        lock.close();
        answers.failAll(unavailable("this node is shutting down"));
    }

    /** The log, by way of this node as its leader. */
    private record Appending(Membership membership) implements LogWriter.Log {
        @Override
        public CompletableFuture<?> append(byte[] entry) {
            return appended(membership, entry);
        }

        @Override
        public long term() {
            Ratis ratis = membership.ratis();
            return ratis == null ? -1 : ratis.term();
        }
    }

    /** What a node's duties may do, whether it serves others or not. */
    private record Acting(Membership membership, LogWriter writer, BooleanSupplier reached)
            implements LeaderDuties.Node {
        @Override
        public boolean leads() {
            Ratis ratis = membership.ratis();
            return ratis != null && ratis.leads();
        }

        @Override
        public boolean open() {
            return reached.getAsBoolean();
        }

        @Override
        public long applied() {
            return membership.applied();
        }

        @Override
        public long nextDeadline() {
            return membership.state().nextDeadline();
        }

        @Override
        public <T> T look(Function<ServiceState, T> reader) {
            return membership.state().read(reader);
        }

        @Override
        public CompletableFuture<Outcome> write(Operation operation) {
            return writer.write(operation);
        }

        /** A read asks all others whether this node still leads; they learn what is committed with it. */
        @Override
        public void tellFollowers() {
            Ratis ratis = membership.ratis();
            if (ratis != null && ratis.members().size() > 1) {
                CompletableFuture<?> unused = request(membership, RaftClientRequest.readRequestType(), Message.EMPTY)
                        .handle((reply, thrown) -> reply);
            }
        }
    }

    /** The group as the watch of its leader needs it. */
    private record Watched(RatisFollower group, Following following) implements LeaderWatch.Follower {
        @Override
        public @Nullable String leader() {
            return group.leader();
        }

        @Override
        public @Nullable InetSocketAddress address(String id) {
            return group.address(id);
        }

        @Override
        public int turn(String leader) {
            return following.turn(leader);
        }

        @Override
        public boolean replace(String leader) throws IOException {
            return group.startElection(leader);
        }
    }

    /** Why a node cannot go on, once. */
    private static final class Ending {
        private final String node;
        private final CompletableFuture<String> failed = new CompletableFuture<>();
        private volatile boolean closed;

        Ending(String node) {
            this.node = node;
        }

        void fail(String why) {
            if (!closed && failed.complete(why)) {
                LOG.error("node {} no longer takes part in its group: {}", node, why);
            }
        }

        CompletableFuture<String> failed() {
            return failed.copy();
        }

        void close() {
            closed = true;
        }
    }
}
