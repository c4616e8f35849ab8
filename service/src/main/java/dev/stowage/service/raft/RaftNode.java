package dev.stowage.service.raft;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Figures;
import dev.stowage.service.state.Glance;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.NetUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the group: takes operations while it leads, and answers questions about the state. Safe for many threads.
 *
 * <p>An operation is answered when its log entry is synced to the disks of a majority and applied here. {@link #read} is
 * linearizable: it sees every operation answered before, by whichever node.
 */
public final class RaftNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftNode.class);
    static final RaftGroupId GROUP =
            RaftGroupId.valueOf(UUID.nameUUIDFromBytes("stowage".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    private static final long TRANSFER_MILLIS = 10_000;
    /** A node with more entries that are not applied yet is not ready: reads there would wait for them. */
    private static final long READY_ENTRIES = 1000;

    private final NodeSettings settings;
    private final DirectoryLock lock;
    private final PolicyFactory policies;
    private final Setting first;
    private final RaftGroup group;
    private final RaftPeerId self;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final long origin = ThreadLocalRandom.current().nextLong();
    private final WaitingLimit waitingLimit =
            new WaitingLimit(Runtime.getRuntime().maxMemory());
    private final Answers answers = new Answers();
    private final Feed feed = new Feed();
    private final Shadows shadows;
    private final AppliedMark mark;
    private final LogWriter writer;
    private final LeaderDuties duties;
    private final Following following;
    private final LeaderWatch watch;
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private volatile RaftServer server;
    private volatile ReplicatedState state;
    private volatile boolean healing;
    private volatile boolean closed;

    private RaftNode(
            NodeSettings settings,
            PolicyFactory policies,
            Setting first,
            @Nullable PolicySpec shadow,
            DirectoryLock lock)
            throws IOException {
        shadows = new Shadows(shadow, policies);
        this.settings = settings;
        this.lock = lock;
        this.policies = policies;
        this.first = first;
        group = RaftGroup.valueOf(
                GROUP, settings.peers().stream().map(RaftNode::peer).toList());
        self = RaftPeerId.valueOf(settings.id());
        following = new Following(this, settings);
        watch = new LeaderWatch(following);
        recover();
        mark = AppliedMark.open(settings.data());
        state = newState();
        server = startServer();
        writer = new LogWriter(this, settings, origin, answers);
        duties = new LeaderDuties(this, settings);
    }

    /**
     * Starts a node; it recovers what its directory holds.
     *
     * @param settings the node and its group
     * @param policies makes policies
     * @param first what the service starts with, if the group has no log yet
     * @throws IOException if the directory is in use or cannot be read, or the port is taken
     */
    public static RaftNode start(NodeSettings settings, PolicyFactory policies, Setting first) throws IOException {
        return start(settings, policies, first, null);
    }

    /**
     * The same with a policy that is tried beside the active one.
     *
     * @param shadow the other policy, or null
     * @throws IOException if the directory is in use or cannot be read, or the port is taken
     * @throws IllegalArgumentException if there is no such policy
     */
    public static RaftNode start(
            NodeSettings settings, PolicyFactory policies, Setting first, @Nullable PolicySpec shadow)
            throws IOException {
        if (shadow != null) {
            policies.create(shadow);
        }
        Files.createDirectories(settings.data());
        DirectoryLock lock = DirectoryLock.take(settings.data());
        RaftNode node;
        try {
            node = new RaftNode(settings, policies, first, shadow, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
        node.writer.start();
        node.duties.start();
        node.watch.start();
        return node;
    }

    /**
     * Puts an operation into the log.
     *
     * @return its outcome, or a {@link NotServedException}
     */
    public CompletableFuture<Outcome> submit(Operation operation) {
        NotServedException no = unable();
        no = no != null ? no : waitingLimit.refusal(operation, state.waitingRequests(), () -> knows(operation));
        return no != null ? CompletableFuture.failedFuture(no) : writer.write(operation);
    }

    private boolean knows(Operation operation) {
        return operation instanceof Operation.Submit submit
                && look(seen -> seen.world() != null && seen.world().find(submit.tenant(), submit.id()) != null);
    }

    /** How many requests may wait for a server: over it a submission is turned away that might wait. A third of the heap at first. */
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

    /** How far the time of the log is ahead of this node's clock, nanoseconds; 0 unless it leads. */
    public long clockAheadNanos() {
        return leads() ? writer.clock().aheadNanos() : 0;
    }

    /** Reads the state as it is after every operation answered so far. On any node of the group. */
    public <T> CompletableFuture<T> read(Function<ServiceState, T> reader) {
        // The same state that answers the request: one that replaces it while this node heals may be behind.
        ReplicatedState present = state;
        return request(RaftClientRequest.readRequestType(), Message.EMPTY).thenApply(reply -> {
            if (!reply.isSuccess()) {
                throw failure(reply);
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
        return state.read(reader);
    }

    /** The active policy's figures, then those of the policy that is tried beside it; none if there is no other. */
    public List<Figures> figures() {
        state.glance();
        return state.compared();
    }

    /** The figures of the state, at most some 50 ms old; never waits for an entry being applied. */
    public Glance glance() {
        return state.glance();
    }

    /** What the log changes, as this node applies it. */
    public Feed feed() {
        return feed;
    }

    /** How this node is. */
    public NodeStatus status() {
        DivisionInfo info = info();
        ReplicatedState present = state;
        Glance seen = present.glance();
        return new NodeStatus(
                settings.id(),
                info == null || healing ? "down" : info.getCurrentRole().name().toLowerCase(java.util.Locale.ROOT),
                unavailable() == null && hasLeader() && seen.world() != null && toApply() < READY_ENTRIES,
                leader(),
                info == null ? -1 : info.getCurrentTerm(),
                present.getLastAppliedTermIndex() == null
                        ? -1
                        : present.getLastAppliedTermIndex().getIndex(),
                committed(),
                present.newestSnapshot(),
                present.lastPauseNanos(),
                writer.queued(),
                seen.digest(),
                seen.checked(),
                seen.halted(),
                settings.peers().stream().map(NodeSettings.Peer::id).toList());
    }

    /** Whether this node leads and may take operations. */
    public boolean leads() {
        DivisionInfo info = info();
        return info != null && info.isLeaderReady() && !healing;
    }

    /** One that could answer: this node leads only once the first entry of its term is applied. */
    private boolean hasLeader() {
        String leader = leader();
        return leader != null && (!leader.equals(settings.id()) || leads());
    }

    /** Id of the leader, or null. */
    public @Nullable String leader() {
        DivisionInfo info = info();
        if (info == null || info.getLeaderId() == null) {
            return null;
        }
        String id = info.getLeaderId().toString();
        return id.isEmpty() ? null : id;
    }

    /**
     * Complete, with the reason, once this node takes no part any more though it was not closed: it must be closed and started again. No
     * acknowledged operation is lost with it.
     */
    public CompletableFuture<String> failed() {
        return failed.copy();
    }

    /** From here on this node is one that must be started again. */
    void fail(String why) {
        if (!closed && failed.complete(why)) {
            LOG.error("node {} takes no part any more: {}", settings.id(), why);
        }
    }

    /** Looks whether Ratis has closed by itself what it runs here, as it does when something unexpected happens to it. */
    void checkRuns() {
        if (!out() && info() == null) {
            fail("Ratis has ended its part of the group; why, it has logged");
        }
    }

    /** Hands leadership to another node. */
    public CompletableFuture<Void> transferLeadership(String to) {
        try {
            return server.transferLeadershipAsync(new TransferLeadershipRequest(
                            client, self, GROUP, calls.incrementAndGet(), RaftPeerId.valueOf(to), TRANSFER_MILLIS))
                    .thenAccept(reply -> {
                        if (!reply.isSuccess()) {
                            throw failure(reply);
                        }
                    });
        } catch (IOException e) {
            return CompletableFuture.failedFuture(unavailable(e.toString()));
        }
    }

    /** Puts a note into the log; on any node. One that does not lead has the leader do it, and adds nothing to its time. */
    public CompletableFuture<Void> note(Operation.Note note) {
        if (leads()) {
            return submit(note).thenAccept(noted -> {});
        }
        byte[] entry = new Batch(ServiceState.VERSION, origin, -1, Long.MIN_VALUE, List.of(note)).encode();
        return CompletableFuture.runAsync(() -> {
            try {
                LeaderLink.append(group, properties(), parameters(), entry);
            } catch (IOException e) {
                throw unavailable("the leader cannot be asked to note it: " + e.getMessage());
            }
        });
    }

    /** Takes a snapshot now. Returns its log index. */
    public long snapshot() {
        state.snapshotNow();
        return state.newestSnapshot();
    }

    /** Lets Ratis ask for a snapshot, which purges the log behind the one before. */
    void startSnapshot() {
        state.prepareSnapshot();
        CompletableFuture<?> unused = server.snapshotManagementAsync(SnapshotManagementRequest.newCreate(
                        client, self, GROUP, calls.incrementAndGet(), TRANSFER_MILLIS, 1))
                .exceptionally(e -> null);
    }

    long nextDeadline() {
        return state.nextDeadline();
    }

    long applied() {
        return state.getLastAppliedTermIndex() == null
                ? -1
                : state.getLastAppliedTermIndex().getIndex();
    }

    /** Entries of its log that are not applied yet. */
    long toApply() {
        TermIndex last = lastEntry();
        return last == null ? 0 : last.getIndex() - applied();
    }

    /** The last entry of its log, or null if there is none, or no log because it closes. */
    @Nullable
    TermIndex lastEntry() {
        try {
            return server.getDivision(GROUP).getRaftLog().getLastEntryTermIndex();
        } catch (IOException | IllegalStateException e) {
            return null;
        }
    }

    LogWriter writer() {
        return writer;
    }

    /** What it runs on now; another one once it has healed. */
    RaftServer server() {
        return server;
    }

    /** Whether it takes no part at the moment: it heals, or closes. */
    boolean out() {
        return closed || healing;
    }

    NodeSettings settings() {
        return settings;
    }

    Setting first() {
        return first;
    }

    /** Has the others hear from the leader, which tells them what is committed: that is how Ratis makes sure that it still leads. */
    void tellFollowers() {
        if (settings.peers().size() > 1) {
            CompletableFuture<?> unused =
                    request(RaftClientRequest.readRequestType(), Message.EMPTY).exceptionally(e -> null);
        }
    }

    /** Appends an entry; answered when it is applied. */
    CompletableFuture<RaftClientReply> append(byte[] entry) {
        return request(
                RaftClientRequest.writeRequestType(),
                Message.valueOf(
                        org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations.unsafeWrap(entry)));
    }

    private CompletableFuture<RaftClientReply> request(RaftClientRequest.Type type, Message message) {
        NotServedException no = unavailable();
        if (no != null) {
            return CompletableFuture.failedFuture(no);
        }
        try {
            RaftClientRequest request = RaftClientRequest.newBuilder()
                    .setClientId(client)
                    .setServerId(self)
                    .setGroupId(GROUP)
                    .setCallId(calls.incrementAndGet())
                    .setMessage(message)
                    .setType(type)
                    .build();
            return server.submitClientRequestAsync(request).exceptionally(thrown -> {
                // A leader that died while a read here waited for it, say: whoever asks may ask again.
                throw unavailable(String.valueOf(thrown.getMessage()));
            });
        } catch (IOException e) {
            return CompletableFuture.failedFuture(unavailable(e.toString()));
        }
    }

    NotServedException failure(RaftClientReply reply) {
        if (reply.getNotLeaderException() != null) {
            return notLeader();
        }
        return unavailable(String.valueOf(reply.getException()));
    }

    private @Nullable NotServedException unable() {
        NotServedException no = unavailable();
        return no != null ? no : leads() ? null : notLeader();
    }

    private @Nullable NotServedException unavailable() {
        if (out()) {
            return unavailable(closed ? "this node is closing" : "this node is healing");
        }
        String halted = state.halted();
        return halted == null ? null : unavailable("this node has stopped serving: " + halted);
    }

    private NotServedException notLeader() {
        String leader = leader();
        return leader == null || leader.equals(settings.id())
                ? unavailable("there is no leader at the moment")
                : new NotServedException(
                        NotServedException.Kind.NOT_LEADER, leader, "this node does not lead; '" + leader + "' does");
    }

    private static NotServedException unavailable(String why) {
        return new NotServedException(NotServedException.Kind.UNAVAILABLE, null, why);
    }

    private @Nullable DivisionInfo info() {
        try {
            DivisionInfo info = server.getDivision(GROUP).getInfo();
            return info.isAlive() ? info : null;
        } catch (IOException e) {
            return null;
        }
    }

    private long committed() {
        try {
            return server.getDivision(GROUP).getRaftLog().getLastCommittedIndex();
        } catch (IOException e) {
            return -1;
        }
    }

    /** What Ratis knows of its leader, or null if it does not follow. */
    @Nullable
    FollowerInfoProto followerInfo() {
        DivisionInfo info = info();
        return info != null && info.isFollower() ? info.getRoleInfoProto().getFollowerInfo() : null;
    }

    Following following() {
        return following;
    }

    boolean isLeader() {
        DivisionInfo info = info();
        return info != null && info.getCurrentRole() == RaftPeerRole.LEADER;
    }

    /** Whether the state differs from the leader's and can be had from it. */
    boolean mustHeal() {
        return !closed && !healing && settings.peers().size() > 1 && state.read(ServiceState::diverged);
    }

    /**
     * Replaces state and snapshots by the leader's newest snapshot. The own log stays, because the group counts on it: what
     * it has behind the snapshot is applied again. Unless it has nothing there.
     */
    void heal() {
        healing = true;
        try {
            LOG.warn("node {} heals from a snapshot of the leader's", settings.id());
            long own = state.newestSnapshot();
            DataDirectory directory = new DataDirectory(settings.data(), groupDirectory());
            Path fetched = directory.healing();
            SnapshotPart what = SnapshotTransfer.fetch(group, properties(), parameters(), self, own, fetched);
            server.close();
            SnapshotTransfer.install(fetched, what, machineDirectory());
            directory.deleteLogBehindSnapshot();
            state = newState();
            server = startServer();
            LOG.warn("node {} has healed at entry {}", settings.id(), what.index());
        } catch (IOException e) {
            LOG.error("node {} cannot heal: {}", settings.id(), e.toString());
        } finally {
            healing = false;
        }
    }

    /** Sees to it that the group may count on what this node holds, before it votes. */
    private void recover() throws IOException {
        DataDirectory directory = new DataDirectory(settings.data(), groupDirectory());
        directory.deleteUnfinished();
        directory.restoreVote(settings.id());
        String lost = directory.lost();
        if (lost == null) {
            directory.deleteLogBehindSnapshot();
            return;
        }
        if (settings.peers().size() == 1) {
            throw new IOException(
                    lost + "; acknowledged operations would be missing, so the node does not start. Restore "
                            + settings.data() + " from a copy, or delete " + AppliedMark.file(settings.data())
                            + " to go on without what is lost");
        }
        LOG.error("node {}: {}; it takes no part until it has the leader's state", settings.id(), lost);
        directory.beginRejoin();
        Path fetched = directory.healing();
        long last = SnapshotTransfer.lastOfLeader(group, properties(), parameters(), self);
        SnapshotPart what = SnapshotTransfer.fetch(group, properties(), parameters(), self, last, fetched);
        directory.deleteLog();
        Files.createDirectories(machineDirectory());
        SnapshotTransfer.install(fetched, what, machineDirectory());
        directory.endRejoin();
        LOG.warn("node {} has the leader's state at entry {}", settings.id(), what.index());
    }

    private ReplicatedState newState() {
        return new ReplicatedState(policies, origin, answers, feed, mark, shadows, this::fail);
    }

    private RaftServer startServer() throws IOException {
        boolean known = Files.isDirectory(groupDirectory());
        RaftServer started = RaftServer.newBuilder()
                .setServerId(self)
                .setGroup(group)
                .setProperties(properties())
                .setParameters(parameters())
                .setStateMachine(state)
                .setOption(known ? StartupOption.RECOVER : StartupOption.FORMAT)
                .build();
        // Ratis would end the process where it cannot listen, and that end wait for this thread.
        ExitUtils.disableSystemExit();
        try {
            started.start();
        } catch (ExitUtils.ExitException e) {
            ExitUtils.clear();
            started.close();
            throw new IOException("cannot listen at " + address() + ": " + root(e).getMessage(), e);
        } catch (CompletionException e) {
            started.close();
            throw new IOException(root(e).getMessage(), e);
        }
        return started;
    }

    /** What caused it in the end. */
    static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }

    private Path machineDirectory() {
        return groupDirectory().resolve("sm");
    }

    private Path groupDirectory() {
        return RatisSettings.raftDirectory(settings).resolve(groupName());
    }

    /** The directory of the group's files in that of Ratis. */
    static String groupName() {
        return GROUP.getUuid().toString();
    }

    private RaftProperties properties() {
        InetSocketAddress socket = NetUtils.createSocketAddr(address());
        return RatisSettings.of(settings, socket.getHostString(), socket.getPort());
    }

    /** That its Raft server listens on. */
    private String address() {
        return settings.peers().get(settings.turn()).address();
    }

    private Parameters parameters() {
        Parameters parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, (builder, types) -> builder.addTransportFilter(watch));
        Tls tls = settings.tls();
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(
                    parameters,
                    new GrpcTlsConfig(
                            tls.key().toFile(),
                            tls.certificate().toFile(),
                            tls.authority().toFile(),
                            true));
        }
        return parameters;
    }

    private static RaftPeer peer(NodeSettings.Peer peer) {
        return RaftPeer.newBuilder().setId(peer.id()).setAddress(peer.address()).build();
    }

    /** For tests: the state under its lock, to be damaged. */
    void damage(java.util.function.Consumer<ServiceState> how) {
        state.read(seen -> {
            how.accept(seen);
            return List.of();
        });
    }

    @Override
    public void close() {
        closed = true;
        duties.close();
        watch.close();
        following.close();
        writer.close();
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("close: {}", e.toString());
        }
        lock.close();
        answers.failAll(unavailable("this node is closing"));
    }
}
