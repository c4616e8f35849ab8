package dev.stowage.service.api;

import dev.stowage.service.directory.HistoryFiles;
import dev.stowage.service.raft.ChangeHistory;
import dev.stowage.service.raft.Feed;
import dev.stowage.service.state.ChangedRequests;
import dev.stowage.service.v1.WatchReply;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that watches: sends as fast as its client takes, on threads for all who watch, never on the one that applies
 * the log.
 */
final class Watcher {
    private static final int MOST_ENTRIES = 64;
    /** Why a watch or a list cannot begin, or go on: what was before is not known. */
    static final String FORGOTTEN = "POSITION_FORGOTTEN";

    /** Where a reply has several entries: changes in it, except for the last entry. */
    private static final int MOST_MERGED = 1000;
    /** Until the disk has what the feed has forgotten, where it is late. */
    private static final long LATE_MILLIS = 10;

    /**
     * Threads for all who watch.
     *
     * @param newest sends what the feed has
     * @param old reads what only the disk has
     */
    record Threads(ScheduledExecutorService newest, ScheduledExecutorService old) {}

    private final Calls calls;
    private final Feed feed;
    private final ChangeHistory history;
    private final HistoryFiles.Place place = new HistoryFiles.Place();
    /** What was read of the disk, and the client has not taken yet. */
    private List<ChangedRequests> read = List.of();

    private final WatchOutlet outlet;
    private final @Nullable String tenant;
    private final Threads threads;
    private final SharedReplies replies;
    private final long gapNanos;
    private final Caller caller;
    private final Consumer<@Nullable Failure> ended;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Runnable listener = this::schedule;
    /** Up to there all was sent. */
    private volatile long position;

    private long told;
    private boolean over;

    /**
     * A watcher.
     *
     * @param start whose requests it sends to whom, and from where
     * @param ended called when it ends, with why unless the caller ended it
     */
    Watcher(
            Calls calls,
            WatchOutlet outlet,
            Watchers.Start start,
            Threads threads,
            SharedReplies replies,
            Consumer<@Nullable Failure> ended) {
        this.calls = calls;
        this.history = calls.node().history();
        this.feed = history.feed();
        this.outlet = outlet;
        this.caller = start.caller();
        this.tenant = start.tenant();
        this.position = start.position();
        this.threads = threads;
        this.replies = replies;
        this.gapNanos = start.gapNanos();
        this.ended = ended;
        told = position - 1;
    }

    void start() {
        outlet.begin(this::schedule, () -> end(null));
        feed.listen(listener);
        schedule();
    }

    /** Sends its position, even if nothing changed: keeps the connection alive. */
    synchronized void beat() {
        if (!over && !calls.stillKnows(caller)) {
            fail(Failure.of(Status.Code.UNAUTHENTICATED, "NOT_KNOWN", "the token of this call is not valid any more"));
        }
        if (!over && outlet.ready() && position == told) {
            position = Math.max(position, idlePosition());
            send(nothingUntil(position));
        }
    }

    /** Where the feed is, if nothing is left to send before it. */
    private long idlePosition() {
        long last = feed.last();
        List<ChangedRequests> left = feed.after(position, 1);
        return left != null && left.isEmpty() ? last : position;
    }

    /** How many log positions it is behind what could be sent. */
    long behind() {
        long last = feed.last();
        return Math.max(0, last - Math.max(position, idlePosition()));
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            if (gapNanos == 0) {
                threads.newest().execute(this::pump);
            } else {
                // At the same moments for all with this gap, so that they are sent the same replies.
                ScheduledFuture<?> unused = threads.newest()
                        .schedule(
                                this::pump,
                                gapNanos - Math.floorMod(System.nanoTime(), gapNanos),
                                TimeUnit.NANOSECONDS);
            }
        }
    }

    private synchronized void pump() {
        scheduled.set(false);
        while (!over && outlet.ready()) {
            List<ChangedRequests> entries = feed.after(position, MOST_ENTRIES);
            if (entries == null) {
                if (scheduled.compareAndSet(false, true)) {
                    threads.old().execute(this::catchUp);
                }
                return;
            }
            if (entries.isEmpty()) {
                if (told < position) {
                    send(nothingUntil(position));
                }
                return;
            }
            tellInTurn(entries);
        }
    }

    /** An entry may have a thousand changes: what the client does not take is not to pile up. Returns how many. */
    private int tellInTurn(List<ChangedRequests> entries) {
        int i = 0;
        while (i < entries.size() && outlet.ready()) {
            int end = gapNanos == 0 ? i + 1 : merged(entries, i);
            tell(entries.subList(i, end));
            i = end;
        }
        return i;
    }

    /** Sends some of what only the disk has, then lets others have the thread that reads there. */
    private void catchUp() {
        // Nobody else moves the position meanwhile: this counts as scheduled.
        List<ChangedRequests> entries = read.isEmpty() ? history.recorded(position, place, MOST_ENTRIES) : read;
        boolean goesOn;
        synchronized (this) {
            if (!over && entries == null && feed.after(position, 1) == null) {
                String after = "the changes after position " + position;
                fail(Failure.of(Status.Code.OUT_OF_RANGE, FORGOTTEN, after + areForgotten(history.floor())));
            } else if (!over && entries != null) {
                read = entries.subList(tellInTurn(entries), entries.size());
                position = entries.isEmpty() ? Math.max(position, place.through()) : position;
            }
            goesOn = !over && outlet.ready() && feed.after(position, 1) == null;
        }
        if (goesOn) {
            long rest = entries == null || entries.isEmpty() ? LATE_MILLIS : 0;
            ScheduledFuture<?> unused = threads.old().schedule(this::catchUp, rest, TimeUnit.MILLISECONDS);
        } else {
            scheduled.set(false);
            schedule();
        }
    }

    /** Behind the last of the entries that one reply takes. */
    private static int merged(List<ChangedRequests> entries, int from) {
        int end = from;
        for (int changes = 0; end < entries.size() && changes < MOST_MERGED; end++) {
            changes += entries.get(end).requests().size();
        }
        return end;
    }

    private void tell(List<ChangedRequests> entries) {
        position = entries.get(entries.size() - 1).position();
        SharedReplies.Shared reply =
                replies.get(new SharedReplies.Key(entries.get(0).position(), position, tenant), () -> reply(entries));
        if (reply.reply().getChangesCount() > 0) {
            send(reply);
        }
    }

    private WatchReply reply(List<ChangedRequests> entries) {
        WatchReply.Builder reply = WatchReply.newBuilder().setPosition(position);
        entries.stream()
                .flatMap(entry -> entry.requests().stream())
                .filter(request -> tenant == null || request.tenant().equals(tenant))
                .forEach(request -> reply.addChanges(calls.message(request)));
        return reply.build();
    }

    private void send(SharedReplies.Shared reply) {
        outlet.send(reply);
        told = reply.reply().getPosition();
    }

    private static SharedReplies.Shared nothingUntil(long position) {
        return new SharedReplies.Shared(
                WatchReply.newBuilder().setPosition(position).build());
    }

    private void fail(Failure why) {
        end(why);
        outlet.fail(why);
    }

    static String areForgotten(long floor) {
        return " are forgotten; the oldest known position is " + floor
                + ". List the requests, then watch from the list's position";
    }

    private synchronized void end(@Nullable Failure why) {
        if (!over) {
            over = true;
            feed.forget(listener);
            ended.accept(why);
        }
    }

    /** Ends it from this side. */
    synchronized void close() {
        if (!over) {
            fail(Failure.closing("this node is shutting down; watch another node"));
        }
    }
}
