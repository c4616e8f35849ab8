package dev.stowage.service.raft;

import dev.stowage.core.policy.MissingPolicyException;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Glance;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.VersionException;
import dev.stowage.service.state.World;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state as Ratis wants it: applies committed entries, writes and reads snapshots.
 *
 * <p>A snapshot stops the service only while the state is copied in memory; the file is written beside. The log is
 * purged up to the snapshot <em>before</em> the newest, so that a newest one that turns out damaged can be replaced by
 * the older one and the log.
 */
final class ReplicatedState extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedState.class);
    private static final long NONE = KeptSnapshots.NONE;
    private static final long GLANCE_NANOS = 50_000_000;

    private final PolicyFactory policies;
    private final long origin;
    private final Answers answers;
    private final ChangeHistory history;
    private final AppliedMark mark;
    private final Consumer<String> failure;
    private final VoteKeeper votes;
    private Snapshots storage = new Snapshots();
    private final ReentrantLock lock = new ReentrantLock();
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "stowage-snapshot");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable RaftStorage raft;
    private ServiceState state;
    /** The snapshot that is or was written last; it ends with why there is none, or null. */
    private CompletableFuture<@Nullable String> writing = CompletableFuture.completedFuture(null);
    /** For the snapshot that is being written. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final KeptSnapshots kept = new KeptSnapshots();
    private volatile long nextDeadline = Long.MAX_VALUE;
    private volatile long lastPauseNanos;
    private volatile @Nullable String halted;
    private volatile Glance glance;
    /** Requests that wait. */
    private volatile int waitingRequests;

    private long glanced = System.nanoTime();

    /**
     * The state before the first entry.
     *
     * @param failure called with the reason, if the log cannot be written any more
     */
    ReplicatedState(
            PolicyFactory policies,
            long origin,
            Answers answers,
            ChangeHistory history,
            AppliedMark mark,
            Consumer<String> failure) {
        this.policies = policies;
        this.origin = origin;
        this.answers = answers;
        this.history = history;
        this.mark = mark;
        this.failure = failure;
        votes = new VoteKeeper(failure);
        state = new ServiceState(policies);
        glance = Glance.of(state);
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        super.initialize(server, group, raftStorage);
        raft = raftStorage;
        storage.init(raftStorage);
        votes.open(group(), raftStorage.getMetadataFile().getMetadata());
        // Ratis pauses a running machine to install a snapshot, and refuses to pause one that was never started.
        getLifeCycle().transition(LifeCycle.State.STARTING);
        load();
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        load();
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    /**
     * Takes the newest snapshot that can be read, at the start or after Ratis fetched the leader's while this node ran.
     */
    private void load() throws IOException {
        lock.lock();
        try {
            // One of the state before would otherwise pass for a newer one than the one loaded.
            await(writing);
            kept.loaded(NONE);
            for (SingleFileSnapshotInfo info = storage.loadLatestSnapshot();
                    info != null;
                    info = storage.loadLatestSnapshot()) {
                Path file = info.getFile().getPath();
                try {
                    state = Snapshot.read(file, policies);
                    halted = null;
                    setLastAppliedTermIndex(info.getTermIndex());
                    kept.loaded(info.getIndex());
                    nextDeadline = state.nextDeadline();
                    history.restart(group(), info.getIndex());
                    look();
                    return;
                } catch (MissingPolicyException e) {
                    // The snapshot is whole, and so are older ones: with the jar the node goes on.
                    throw new IOException("snapshot " + file + " cannot be used: " + e.getMessage(), e);
                } catch (IOException e) {
                    LOG.error("{}; it is set aside, and an older one is tried", e.getMessage());
                    setAside(file);
                    storage = new Snapshots();
                    storage.init(Objects.requireNonNull(raft));
                }
            }
            state = new ServiceState(policies);
            halted = null;
            nextDeadline = Long.MAX_VALUE;
            history.restart(group(), NONE);
            look();
        } finally {
            lock.unlock();
        }
    }

    private Path group() {
        return Objects.requireNonNull(raft).getStorageDir().getRoot().toPath();
    }

    private static void setAside(Path file) throws IOException {
        Files.move(
                file,
                file.resolveSibling("damaged-" + file.getFileName()),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        Files.deleteIfExists(MD5FileUtil.getDigestFileForFile(file.toFile()).toPath());
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        Runnable tell;
        lock.lock();
        try {
            tell = apply(entry.getIndex(), bytes);
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            mark.set(entry.getIndex());
            if (System.nanoTime() - glanced >= GLANCE_NANOS) {
                look();
            }
        } finally {
            lock.unlock();
        }
        // Whoever waits for the entry or watches does what it has to do outside of the lock.
        tell.run();
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    /** Returns what is to be done without the lock. */
    private Runnable apply(long index, byte[] bytes) {
        Batch batch;
        try {
            batch = Batch.decode(bytes);
        } catch (VersionException | IllegalArgumentException e) {
            state.halt("entry " + index + ": " + e.getMessage());
            halted = state.halted();
            look();
            return () -> {};
        }
        boolean before = state.halted() != null;
        List<Outcome> outcomes = state.apply(index, batch);
        nextDeadline = state.nextDeadline();
        World world = state.world();
        waitingRequests = world == null ? 0 : world.waiting();
        halted = state.halted();
        List<Request> changes = state.takeChanges();
        history.feed().add(index, state.now(), changes);
        if (!before && state.halted() != null) {
            look();
            LOG.error("node {} stops serving: {}", getId(), state.halted());
            if (state.diverged()) {
                history.distrust();
            }
        }
        return () -> {
            if (!changes.isEmpty()) {
                history.feed().tell();
            }
            if (batch.origin() == origin) {
                answers.applied(batch.sequence(), outcomes);
            }
        };
    }

    /** Notes the figures, in the lock. */
    private void look() {
        glance = Glance.of(state);
        glanced = System.nanoTime();
    }

    /** The figures, at most some 50 ms old while entries are applied; never waits for the lock. */
    Glance glance() {
        if (lock.tryLock()) {
            try {
                look();
            } finally {
                lock.unlock();
            }
        }
        return glance;
    }

    /** Keeps the votes that this member gives. */
    VoteKeeper votes() {
        return votes;
    }

    /** Called before a member that was elected sends anything as the leader. */
    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        if (member.getPeerId().equals(leader)) {
            try {
                RaftServer.Division division = getServer().join().getDivision(getGroupId());
                votes.keep(division.getInfo().getCurrentTerm(), leader.toString());
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    /** After it Ratis writes no entry any more, until the node is started again. */
    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        failure.accept("its log cannot be written: " + Ratis.root(cause).getMessage());
    }

    /** Starts a snapshot, if none is being written. Returns the index up to which the log is no longer needed. */
    @Override
    public long takeSnapshot() {
        lock.lock();
        try {
            if (state.halted() == null && writing.isDone()) {
                begin();
            }
        } finally {
            lock.unlock();
        }
        return kept.purgeTo();
    }

    private void begin() {
        long started = System.nanoTime();
        TermIndex applied = getLastAppliedTermIndex();
        if (applied == null || applied.getIndex() <= kept.newest()) {
            return;
        }
        Snapshot snapshot = state.capture();
        long at = state.now();
        lastPauseNanos = System.nanoTime() - started;
        writing = CompletableFuture.supplyAsync(() -> write(snapshot, applied, at), writer);
    }

    /** Returns why there is none, or null. */
    private @Nullable String write(Snapshot snapshot, TermIndex applied, long at) {
        File file = storage.getSnapshotFile(applied.getTerm(), applied.getIndex());
        try {
            MessageDigest digest = MD5FileUtil.newMD5();
            snapshot.write(
                    file.toPath(), channel -> new DigestOutputStream(new PacedStream(channel, this::awaited), digest));
            MD5Hash md5 = MD5Hash.newInstance(digest.digest());
            MD5FileUtil.saveMD5File(file, md5);
            history.sync(applied.getIndex(), at);
            storage.updateLatestSnapshot(new SingleFileSnapshotInfo(
                    new FileInfo(file.toPath(), md5), applied.getTerm(), applied.getIndex()));
            kept.taken(applied.getIndex());
            LOG.info("snapshot at entry {}: {} bytes", applied.getIndex(), file.length());
            return null;
        } catch (IOException | RuntimeException e) {
            // A full disk, say: later ones may succeed, and closing must not fail for it.
            LOG.error("no snapshot at entry {}: {}; the log is kept", applied.getIndex(), e.toString());
            delete(file);
            return "no snapshot at entry " + applied.getIndex() + ": " + e.getMessage() + "; the log is kept";
        }
    }

    /** What is not known as a snapshot must not be found as one later. */
    private static void delete(File file) {
        try {
            Files.deleteIfExists(file.toPath());
            Files.deleteIfExists(MD5FileUtil.getDigestFileForFile(file).toPath());
        } catch (IOException e) {
            LOG.warn("{} stays: {}", file, e.toString());
        }
    }

    /**
     * A part of the newest snapshot for a node that must heal, taken anew if there is none at {@code least} or later.
     */
    @Override
    public CompletableFuture<Message> query(Message message) {
        if (message.getContent().isEmpty()) {
            return CompletableFuture.completedFuture(Message.EMPTY);
        }
        return CompletableFuture.supplyAsync(() -> {
            SnapshotPart.Wanted wanted = SnapshotPart.Wanted.of(message);
            try {
                if (kept.newest() < Math.max(0, wanted.least())) {
                    String unused = snapshotNow();
                }
                SingleFileSnapshotInfo info = storage.getLatestSnapshot();
                if (info == null || state.halted() != null) {
                    throw new IllegalStateException("no snapshot to give");
                }
                return SnapshotPart.read(info, wanted.offset());
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    /** How far this node, if it leads, counts a member as having its log. */
    @Override
    public CompletableFuture<Message> queryStale(Message message, long least) {
        String member = message.getContent().toStringUtf8();
        return CompletableFuture.supplyAsync(() -> {
            try {
                RaftServer.Division division = getServer().join().getDivision(getGroupId());
                long matched = Ratis.followed(division).stream()
                        .filter(other -> other.member().equals(member))
                        .mapToLong(Ratis.Followed::matched)
                        .findFirst()
                        .orElse(NONE);
                return SnapshotPart.Matched.answer(division.getInfo().isLeader() ? matched : NONE);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    /** What a snapshot is copied into is made here, outside the lock. */
    void prepareSnapshot() {
        World world = read(ServiceState::world);
        if (world != null) {
            world.engine().prepareCopy();
        }
    }

    private boolean awaited() {
        return waiting.get() > 0;
    }

    /** Takes a snapshot and waits for it. Returns why there is none, or null. */
    @Nullable
    String snapshotNow() {
        prepareSnapshot();
        CompletableFuture<@Nullable String> under;
        lock.lock();
        try {
            if (writing.isDone()) {
                begin();
            }
            under = writing;
        } finally {
            lock.unlock();
        }
        return await(under);
    }

    private @Nullable String await(CompletableFuture<@Nullable String> snapshot) {
        waiting.incrementAndGet();
        try {
            return snapshot.join();
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Reads the state between two entries. */
    <T> T read(Function<ServiceState, T> reader) {
        lock.lock();
        try {
            return reader.apply(state);
        } finally {
            lock.unlock();
        }
    }

    /** Requests that wait for a server, as of the last entry. */
    int waitingRequests() {
        return waitingRequests;
    }

    long nextDeadline() {
        return nextDeadline;
    }

    /** Why nothing more is applied, or null; without waiting for an entry being applied. */
    @Nullable
    String halted() {
        return halted;
    }

    long newestSnapshot() {
        return kept.newest();
    }

    long lastPauseNanos() {
        return lastPauseNanos;
    }

    @Override
    public void close() throws IOException {
        await(writing);
        writer.shutdown();
        votes.close();
        super.close();
    }
}
