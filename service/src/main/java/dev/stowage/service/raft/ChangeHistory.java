package dev.stowage.service.raft;

import dev.stowage.service.directory.HistoryFiles;
import dev.stowage.service.state.ChangedRequests;
import dev.stowage.service.state.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node remembers of the changes of requests: the newest in memory ({@link Feed}), and what is older on the
 * disk ({@link HistoryFiles}). It takes what it writes from the feed, by a thread of its own, so nobody waits for the
 * disk and there is nothing to queue: one that cannot keep up loses what is old, not memory. What a snapshot has is in
 * the files before the snapshot counts, and what comes after it is told again by the log; so after a restart there is
 * no gap. There is one where a node goes on with a snapshot of another node: the history begins there.
 */
public final class ChangeHistory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeHistory.class);
    private static final int MOST_ENTRIES = 64;
    private static final int TRIES = 5;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String DIRECTORY = "history";

    private final Feed feed;
    private final HistoryFiles.Extent limits;
    private final LongSupplier nanos;
    private volatile @Nullable HistoryFiles files;
    /** While the disk does not take it. */
    private boolean broken;

    /** When it is tried again, or, if it is written again, when that has lasted. */
    private long retryAt;
    /** Said once, however often it is tried on a full disk. */
    private boolean complained;

    ChangeHistory(Feed feed, HistoryFiles.Extent limits) {
        this(feed, limits, System::nanoTime);
    }

    /** With a clock, nanoseconds from any time. */
    ChangeHistory(Feed feed, HistoryFiles.Extent limits, LongSupplier nanos) {
        this.feed = feed;
        this.limits = limits;
        this.nanos = nanos;
    }

    /** The newest changes. */
    public Feed feed() {
        return feed;
    }

    /**
     * Goes on after a position, which the state has now; what follows is told again or comes.
     *
     * @param group directory of the group's files
     */
    synchronized void restart(Path group, long position) {
        close();
        HistoryFiles next = new HistoryFiles(group.resolve(DIRECTORY), limits);
        broken = false;
        try {
            next.begin(position);
        } catch (IOException e) {
            broken(e);
        }
        feed.restart(position);
        files = next;
    }

    /** Forgets what is on the disk: it is told of a state that was wrong. */
    synchronized void distrust() {
        HistoryFiles to = files;
        if (to != null && !broken) {
            try {
                to.restart(feed.last());
            } catch (IOException e) {
                broken(e);
            }
        }
    }

    /** Writes what the feed has and the files do not. */
    synchronized void step() {
        HistoryFiles to = files;
        if (to == null || (broken && nanos.getAsLong() - retryAt < 0)) {
            return;
        }
        try {
            if (broken) {
                to.restart(feed.floor());
                broken = false;
                retryAt = nanos.getAsLong() + RETRY_NANOS;
            }
            for (List<ChangedRequests> entries = feed.after(to.covered(), MOST_ENTRIES);
                    entries == null || !entries.isEmpty();
                    entries = feed.after(to.covered(), MOST_ENTRIES)) {
                if (entries == null) {
                    long floor = feed.floor();
                    LOG.warn("the disk is too slow for the history, which restarts at position {}", floor);
                    to.restart(floor);
                } else {
                    to.append(entries);
                }
            }
            if (complained && nanos.getAsLong() - retryAt >= 0) {
                complained = false;
                LOG.warn("the history can be written again; it now begins at position {}", to.floor());
            }
        } catch (IOException e) {
            broken(e);
        }
    }

    /**
     * Has all changes up to a position on the disk, if that can be: for a snapshot, behind which the log goes on.
     *
     * @param at time of the entry there, nanoseconds since 1970
     */
    synchronized void sync(long position, long at) {
        step();
        HistoryFiles to = files;
        if (to != null && !broken) {
            try {
                to.sync(position, at);
            } catch (IOException e) {
                broken(e);
            }
        }
    }

    /** The log is worth more than its history: on a full disk the history makes room. */
    private void broken(IOException why) {
        if (!complained) {
            LOG.error("the history cannot be written, and is forgotten: {}", why.toString());
            complained = true;
        }
        HistoryFiles to = files;
        broken = true;
        retryAt = nanos.getAsLong() + RETRY_NANOS;
        if (to != null) {
            try {
                to.forget();
            } catch (IOException e) {
                LOG.warn("the history was not deleted: {}", e.toString());
            }
        }
    }

    /** Changes at or before this position are forgotten, in memory and on the disk. */
    public long floor() {
        HistoryFiles from = files;
        return from == null ? feed.floor() : Math.min(feed.floor(), from.floor());
    }

    /**
     * Entries after a position that the feed has forgotten, from the disk, in order; none if the disk has none yet.
     *
     * @param place where the reader was; see {@link HistoryFiles#after}
     * @param most how many at most
     * @return null if some of them are forgotten
     */
    public @Nullable List<ChangedRequests> recorded(long position, HistoryFiles.Place place, int most) {
        HistoryFiles from = files;
        return from == null ? null : from.after(position, place, most);
    }

    /**
     * What became of requests with an id.
     *
     * @param changes the request after each change, with what else its entry changed left out
     * @param after changes at or before this position are not known to this node, or were not looked at
     */
    public record Past(List<ChangedRequests> changes, long after) {}

    /**
     * The changes of all requests of a tenant that had an id, one after the other, from disk and memory. Reads the disk
     * from a time on.
     *
     * @param since no change is before this time, nanoseconds since 1970
     */
    public Past past(String tenant, String id, long since) {
        // Other characters are written otherwise.
        byte[] text = id.chars().allMatch(one -> one > 0 && one < 0x80)
                ? id.getBytes(StandardCharsets.US_ASCII)
                : new byte[0];
        for (int tries = 0; tries < TRIES; tries++) {
            List<ChangedRequests> all = new ArrayList<>();
            HistoryFiles from = files;
            long begin = feed.floor();
            long position = begin;
            try {
                begin = from == null ? begin : Math.min(begin, from.before(since));
                position = from == null ? begin : onDisk(from, begin, text, entry -> keep(entry, tenant, id, all));
            } catch (IOException e) {
                LOG.error("the history cannot be read: {}", e.toString());
                break;
            }
            List<ChangedRequests> newest = position < 0 ? null : feed.after(position, Integer.MAX_VALUE);
            if (newest != null) {
                newest.forEach(entry -> keep(entry, tenant, id, all));
                return new Past(all, begin);
            }
            // The disk is behind the memory, or has just forgotten something: once more.
            step();
        }
        return inMemory(tenant, id);
    }

    private Past inMemory(String tenant, String id) {
        List<ChangedRequests> all = new ArrayList<>();
        long floor = feed.floor();
        List<ChangedRequests> newest = feed.after(floor, Integer.MAX_VALUE);
        if (newest != null) {
            newest.forEach(entry -> keep(entry, tenant, id, all));
        }
        return new Past(all, floor);
    }

    /** Shows entries that may be of interest, and says up to where; -1 if something was forgotten meanwhile. */
    private static long onDisk(HistoryFiles from, long begin, byte[] text, Consumer<ChangedRequests> visitor) {
        HistoryFiles.Place place = new HistoryFiles.Place();
        long position = begin;
        // Where nothing was ever written, there is no end to come to.
        while (place.through() < 0 && from.covered() >= 0) {
            List<ChangedRequests> read = from.after(position, place, MOST_ENTRIES, text);
            if (read == null) {
                return -1;
            }
            for (ChangedRequests entry : read) {
                visitor.accept(entry);
                position = entry.position();
            }
        }
        return Math.max(position, place.through());
    }

    private static void keep(ChangedRequests entry, String tenant, String id, List<ChangedRequests> into) {
        List<Request> its = entry.requests().stream()
                .filter(one -> one.tenant().equals(tenant) && one.id().equals(id))
                .toList();
        if (!its.isEmpty()) {
            into.add(new ChangedRequests(entry.position(), entry.at(), its));
        }
    }

    /** For tests: as after the process has died. */
    synchronized void forgetFiles() {
        files = null;
    }

    /** Bytes on the disk. */
    public long bytes() {
        HistoryFiles from = files;
        return from == null ? 0 : from.bytes();
    }

    @Override
    public synchronized void close() {
        HistoryFiles open = files;
        if (open == null) {
            return;
        }
        step();
        files = null;
        try {
            open.close();
        } catch (IOException e) {
            LOG.warn("the end of the history is not synced: {}", e.toString());
        }
    }
}
