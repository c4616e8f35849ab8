package dev.stowage.service.raft;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.Semaphore;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.apache.ratis.thirdparty.io.grpc.ServerTransportFilter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the leader's process has ended, so that a follower need not wait until the leader has been silent for
 * the election timeout. When a process ends, its connections close and new ones are refused, on a busy machine much
 * later; only both together count. A leader that hangs, or that cannot be reached, is left to the timeout.
 */
final class LeaderWatch extends ServerTransportFilter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 500;
    private static final int CONNECT_MILLIS = 100;
    /** Time between the turns of two followers, so that they do not all stand for election at once. */
    private static final long TURN_MILLIS = 250;

    /** The follower, as this watch needs it. */
    interface Follower {
        /** A turn that never comes. */
        int NEVER = -1;

        /** The leader's id, or null if this node leads or knows none. */
        @Nullable
        String leader();

        /** Where a member listens, or null if it is no longer a member. */
        @Nullable
        InetSocketAddress address(String id);

        /** How many turns it waits, so that others may take a leader's place, or {@link #NEVER}. */
        int turn(String leader);

        /** Stands for election in place of a leader. Returns whether it does. */
        boolean replace(String leader) throws IOException;
    }

    private final Follower follower;
    private final long longestNanos;
    private final Semaphore ended = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "stowage-leader-watch");

    /**
     * A watch that has not begun.
     *
     * @param longestNanos for how long an end of the leader is looked for once its connection has ended
     */
    LeaderWatch(Follower follower, long longestNanos) {
        this.follower = follower;
        this.longestNanos = longestNanos;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** A connection to this node ended; maybe it was the leader's. */
    @Override
    public void transportTerminated(Attributes attributes) {
        ended.release();
    }

    private void run() {
        try {
            while (true) {
                ended.acquire();
                ended.drainPermits();
                try {
                    check();
                } catch (RuntimeException e) {
                    LOG.warn("leader watch: {}", e.toString());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Checks whether the leader is alive; if not, stands for election when it is this node's turn. One that still leads
     * after the longest time is.
     */
    void check() throws InterruptedException {
        String leader = follower.leader();
        long begun = System.nanoTime();
        long pause = FIRST_PAUSE_MILLIS;
        while (leader != null && leader.equals(follower.leader()) && System.nanoTime() - begun < longestNanos) {
            if (ended(leader) && replaced(leader)) {
                return;
            }
            Thread.sleep(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    /** Waits for this node's turn, and stands for election. Returns whether there is nothing left to do. */
    private boolean replaced(String leader) throws InterruptedException {
        int turn = follower.turn(leader);
        if (turn == Follower.NEVER) {
            LOG.debug("the process of leader {} has ended; another node has more of its log than this one", leader);
            return true;
        }
        Thread.sleep(TURN_MILLIS * turn);
        return leader.equals(follower.leader()) && ended(leader) && standsFor(leader);
    }

    private boolean standsFor(String leader) {
        try {
            boolean asks = follower.replace(leader);
            LOG.debug(
                    "the process of leader {} has ended; this node {}", leader, asks ? "stands for election" : "waits");
            return asks;
        } catch (IOException | RuntimeException e) {
            // The group elects one a little later; and a node that is shutting down stands for nothing.
            LOG.debug("not starting an election to replace leader {} yet: {}", leader, e.toString());
            return false;
        }
    }

    /** Whether nothing listens any more where the node did. No answer at all does not prove that. */
    private boolean ended(String id) {
        InetSocketAddress address = follower.address(id);
        if (address == null) {
            return false;
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
