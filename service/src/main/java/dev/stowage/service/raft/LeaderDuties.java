package dev.stowage.service.raft;

import dev.stowage.service.state.Operation;
import dev.stowage.service.state.ServiceState;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens by itself: the leader begins the log, lets time pass when something is due, tells its digest, and tells the others
 * what is committed when no entry follows; every node takes snapshots, heals when it has diverged, and looks whether it
 * still takes part and could still take a leader's place.
 */
final class LeaderDuties implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderDuties.class);
    private static final long PERIOD_MILLIS = 5;
    private static final long FOLLOW_NANOS = 250_000_000;

    private final RaftNode node;
    private final long checkNanos;
    private final long snapshotEntries;
    /** Entries that a node's first snapshot comes earlier, so that the nodes of a group take theirs one after the other. */
    private final long headStart;

    private final Thread thread = new Thread(this::run, "stowage-duties");
    private boolean led;
    private long seen = -1;
    private long told = -1;
    private CompletableFuture<?> under = CompletableFuture.completedFuture(null);
    private long lastCheck = System.nanoTime();
    private long lastFollowed = System.nanoTime();
    private long lastSnapshot;
    private volatile boolean closed;

    LeaderDuties(RaftNode node, NodeSettings settings) {
        this.node = node;
        checkNanos = settings.checkEvery().toNanos();
        snapshotEntries = settings.snapshotEntries();
        headStart = snapshotEntries * settings.turn() / settings.peers().size();
        thread.setDaemon(true);
    }

    void start() {
        lastSnapshot = Math.max(0, node.applied()) - headStart;
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                Thread.sleep(PERIOD_MILLIS);
                lead();
                snapshot();
                if (node.mustHeal()) {
                    node.heal();
                }
                node.checkRuns();
                follow();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                LOG.warn("duties: {}", e.toString());
            }
        }
    }

    private void lead() {
        boolean leads = node.leads();
        if (leads && !led) {
            node.writer().clock().set(node.look(ServiceState::now));
        }
        led = leads;
        if (leads) {
            tellFollowers();
        }
        if (!leads || !under.isDone()) {
            return;
        }
        if (node.look(ServiceState::world) == null) {
            under = node.submit(new Operation.Begin(node.first())).exceptionally(e -> null);
        } else if (node.nextDeadline() <= node.writer().clock().now()) {
            under = node.submit(new Operation.Tick()).exceptionally(e -> null);
        } else if (System.nanoTime() - lastCheck >= checkNanos) {
            lastCheck = System.nanoTime();
            Operation.Check check = node.look(state -> new Operation.Check(state.position(), state.digest()));
            under = node.submit(check).exceptionally(e -> null);
        }
    }

    /** Followers learn with the next entry that one is committed; where none came for a period, they are told. */
    private void tellFollowers() {
        long applied = node.applied();
        if (applied == seen && applied != told) {
            told = applied;
            node.tellFollowers();
        }
        seen = applied;
    }

    private void follow() {
        if (System.nanoTime() - lastFollowed >= FOLLOW_NANOS) {
            lastFollowed = System.nanoTime();
            node.following().askIfStuck();
        }
    }

    private void snapshot() {
        long applied = node.applied();
        if (applied - lastSnapshot >= snapshotEntries) {
            lastSnapshot = applied;
            node.startSnapshot();
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
