package dev.stowage.service.raft;

import dev.stowage.service.directory.Member;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when a node has found no leader for long, and when it has one again, or another one. Used by one thread. */
final class LeaderNews {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderNews.class);
    /** Longer than an election takes. */
    private static final long PATIENCE_NANOS = 15_000_000_000L;

    private final NodeSettings settings;
    private final LongSupplier nanos;
    /** Since when there is no leader, if there is none. */
    private long since;
    /** The last leader that this node knew, or null. */
    private @Nullable String last;
    /** Whether the log says last that there is none. */
    private boolean missed;

    /**
     * Of a node that starts.
     *
     * @param nanos a clock, nanoseconds from any time
     */
    LeaderNews(NodeSettings settings, LongSupplier nanos) {
        this.settings = settings;
        this.nanos = nanos;
        begin();
    }

    /** This node starts, or starts again, to follow a leader. */
    final void begin() {
        since = nanos.getAsLong();
    }

    /**
     * Takes note of who leads now.
     *
     * @param leader a member, or null if this node knows none
     */
    void look(@Nullable String leader) {
        if (leader == null) {
            if (!missed && nanos.getAsLong() - since > PATIENCE_NANOS) {
                missed = true;
                LOG.warn(
                        "node {}: there is no leader{}; more than half of {} must be up and reach each other",
                        settings.id(),
                        last == null ? " yet" : " any more, the last was " + last,
                        settings.peers().stream().map(NodeSettings.Peer::id).collect(Collectors.joining(", ")));
            }
            return;
        }
        String node = Member.node(leader);
        if (missed || (last != null && !node.equals(last))) {
            LOG.info(
                    "node {}: {} now{}",
                    settings.id(),
                    node.equals(settings.id()) ? "it leads" : node + " leads",
                    last == null || node.equals(last) ? "" : ", in place of " + last);
        }
        since = nanos.getAsLong();
        last = node;
        missed = false;
    }
}
