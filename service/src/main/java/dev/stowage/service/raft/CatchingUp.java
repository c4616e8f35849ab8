package dev.stowage.service.raft;

import dev.stowage.service.directory.Member;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far the members have come: this node behind its leader, and those that follow it. Changed by one thread. */
final class CatchingUp {
    private static final Logger LOG = LoggerFactory.getLogger(CatchingUp.class);
    /** Entries that a follower may be behind before the leader says so. */
    private static final long MOST_BEHIND = 10_000;

    /** What the server that runs here knows. */
    interface Group {
        boolean isLeader();

        /** Index of the last entry known to be committed, or -1. */
        long committed();

        /** The others, if it leads. */
        List<Ratis.Followed> followed();

        /** All members. */
        List<Member> members();
    }

    private final String id;
    private final long patienceMillis;
    private final LongSupplier nanos;
    /** Members that the leader has reported as not catching up. */
    private final Set<String> troubled = new TreeSet<>();

    private volatile long leaderCommitted = -1;
    private volatile @Nullable String stuck;
    private long progress = -1;
    private long progressNanos;

    /**
     * Of a node.
     *
     * @param patienceMillis who is silent, or stands still, for longer is in trouble
     * @param nanos a clock, nanoseconds from any time
     */
    CatchingUp(String id, long patienceMillis, LongSupplier nanos) {
        this.id = id;
        this.patienceMillis = patienceMillis;
        this.nanos = nanos;
        begin();
    }

    /** This node starts, or starts again, to follow a leader. */
    final void begin() {
        progress = -1;
        progressNanos = nanos.getAsLong();
    }

    /**
     * Looks at all of them.
     *
     * @param leader what the leader says, or null
     * @param applied the last entry that this node has applied
     * @return whether this node stands still
     */
    boolean look(Group running, Joining.@Nullable Said leader, long applied) {
        watchFollowers(running);
        long committed = running.isLeader() || leader == null ? running.committed() : leader.committed();
        leaderCommitted = committed;
        if (applied > progress || applied >= committed || leader == null) {
            if (stuck != null) {
                LOG.warn("node {} continues, at entry {}", id, applied);
            }
            progress = applied;
            progressNanos = nanos.getAsLong();
            stuck = null;
            return false;
        }
        long millis = (nanos.getAsLong() - progressNanos) / 1_000_000;
        if (millis < patienceMillis) {
            return false;
        }
        stuck = (applied < 0 ? "it has applied no entry yet, for " : "it has been at entry " + applied + " for ")
                + millis / 1000 + " s; the leader is at entry " + committed;
        LOG.warn("node {}: {}", id, stuck);
        return true;
    }

    /** Entries that the leader has committed and this node has not applied; 0 for a node that leads. */
    long behind(long applied) {
        return Math.max(0, leaderCommitted - applied);
    }

    /** That this node stands still, or null. */
    @Nullable
    String stuck() {
        return stuck;
    }

    /**
     * Whether fewer than a majority have answered a leader for long. Ratis makes it step down, too, but in 3.3 only
     * after a time with nothing to append, so further requests would keep it in office.
     */
    boolean isUnheard(Group running) {
        List<String> members = running.members().stream().map(Member::id).toList();
        long heard = running.followed().stream()
                .filter(one -> one.silentMillis() < patienceMillis && members.contains(one.member()))
                .count();
        return 2 * (heard + 1) <= members.size();
    }

    /**
     * A leader reports members that do not catch up, and those that do again; of one that it has not heard it knows
     * nothing.
     */
    private void watchFollowers(Group running) {
        if (!running.isLeader()) {
            troubled.clear();
            return;
        }
        long committed = running.committed();
        List<Ratis.Followed> followed = running.followed();
        List<String> nodes =
                followed.stream().map(one -> Member.node(one.member())).toList();
        for (Ratis.Followed one : followed) {
            String node = Member.node(one.member());
            // While one replaces another, both are there for a moment.
            String name = Collections.frequency(nodes, node) > 1 ? one.member() : node;
            boolean silent = one.silentMillis() > patienceMillis;
            boolean far = committed - one.matched() > MOST_BEHIND;
            if ((silent || far) && troubled.add(one.member())) {
                LOG.warn(
                        "node {} {}: {}, the last committed is {}, and it answered {} ms ago",
                        name,
                        silent ? "does not answer" : "is far behind",
                        one.matched() < 0
                                ? "this leader does not know yet how far it is"
                                : "it has entry " + one.matched(),
                        committed,
                        one.silentMillis());
            } else if (!silent && !far && one.matched() >= 0 && troubled.remove(one.member())) {
                LOG.info("node {} has caught up, at entry {}", name, one.matched());
            }
        }
    }
}
